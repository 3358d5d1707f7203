package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowVersionSequence;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Ids and versions of rows as commits assign them and readers find them. */
class StableRowsTest {
  private final FaultyStore store = new FaultyStore(new MemoryObjectStore());
  private final Table table = Tables.in(store);
  private final Committer committer =
      new Committer(table, CommitOptions.DEFAULT.withStableRowIds(true));
  private final Session session = Session.create();

  @AfterEach
  void closeSession() {
    session.close();
  }

  private TableVersion create(long... fragmentRows) {
    List<FragmentMetadata> fragments =
        Arrays.stream(fragmentRows).mapToObj(rows -> Tables.fragment("a.lance", rows)).toList();
    return committer.create(Transaction.of(0, new Operation.Overwrite(fragments, Tables.SCHEMA)));
  }

  private TableVersion commit(TableVersion handle, Operation operation) {
    return committer.commit(handle, Transaction.of(handle.version(), operation));
  }

  private static Operation append(long rows) {
    return new Operation.Append(List.of(Tables.fragment("b.lance", rows)));
  }

  private static FragmentMetadata fragment(TableVersion version, int index) {
    return version.manifest().fragments().get(index);
  }

  private RowIdSequence rowIds(TableVersion version, int index) {
    return new StableRows(version, session).rowIds(fragment(version, index));
  }

  private static SequenceLocation inline(ByteString bytes) {
    return new SequenceLocation.Inline(bytes);
  }

  private static FragmentMetadata moved(long rows, long... rowIds) {
    return Tables.fragment("moved.lance", rows)
        .withRowIds(inline(RowIdSequence.of(rowIds).toByteString()));
  }

  private FragmentMetadata deleting(TableVersion version, int index, int... offsets) {
    FragmentMetadata fragment = fragment(version, index);
    DeletionVector vector =
        DeletionFiles.read(version, fragment).plus(RoaringBitmap.bitmapOf(offsets));
    return fragment.withDeletionFile(
        Optional.of(DeletionFiles.write(table, fragment, version.version(), vector)));
  }

  private static Operation.Update update(
      List<FragmentMetadata> updated, List<FragmentMetadata> added, Integer... changedFields) {
    return new Operation.Update(
        List.of(),
        updated,
        added,
        List.of(),
        List.of(),
        List.of(changedFields),
        Operation.UpdateMode.REWRITE_ROWS,
        Optional.empty());
  }

  @Test
  void movedRowsKeepTheirIdsAndTheRowsAfterThemGetFreshOnes() {
    TableVersion first = create(10, 20);
    TableVersion second =
        commit(
            first,
            update(
                List.of(deleting(first, 0, 5, 7), deleting(first, 1, 11)),
                List.of(moved(5, 5, 7, 21)),
                0));

    assertThat(((SequenceLocation.Inline) fragment(second, 2).rowIds().orElseThrow()).bytes())
        .isEqualTo(ByteString.copyFrom(Hex.bytes("0A 0C 1A 0A 08 05 10 20 1A 04 05 00 01 06")));
    assertThat(second.manifest().nextRowId()).isEqualTo(32);
    StableRows rows = new StableRows(second, session);
    assertThat(rows.createdVersions(fragment(second, 2)))
        .isEqualTo(RowVersionSequence.of(1, 1, 1, 2, 2));
    assertThat(rows.lastUpdatedVersions(fragment(second, 2)))
        .isEqualTo(RowVersionSequence.uniform(5, 2));
    assertThat(rows.rowAddresses(5, 6, 21, 31, 32))
        .containsExactly(
            RowAddress.pack(2, 0),
            RowAddress.pack(0, 6),
            RowAddress.pack(2, 2),
            RowAddress.pack(2, 4),
            RowAddress.NONE);
  }

  /** The version is that of the row, not of the fragment that its id might be taken for (F15). */
  @Test
  void aRowKeepsTheVersionInWhichItWasCreatedThroughManyUpdates() {
    TableVersion first = create(3);
    TableVersion second = commit(first, append(3));
    TableVersion third =
        commit(second, update(List.of(deleting(second, 1, 1)), List.of(moved(1, 4)), 0));
    TableVersion fourth =
        commit(
            third,
            new Operation.Update(
                List.of(2L),
                List.of(),
                List.of(moved(1, 4)),
                List.of(),
                List.of(),
                List.of(0),
                Operation.UpdateMode.REWRITE_ROWS,
                Optional.empty()));

    StableRows rows = new StableRows(fourth, session);
    assertThat(rows.createdVersions(fragment(fourth, 2))).isEqualTo(RowVersionSequence.of(2));
    assertThat(rows.lastUpdatedVersions(fragment(fourth, 2))).isEqualTo(RowVersionSequence.of(4));
  }

  @Test
  void idsAndVersionsAreGivenAnewWhenACommitIsRetried() {
    TableVersion first = create(4);
    Committer other = new Committer(table, CommitOptions.DEFAULT);
    store.interfereNext(() -> other.commit(first, Transaction.of(1, append(3))));

    TableVersion ours = commit(first, append(2));

    assertThat(ours.version()).isEqualTo(3);
    assertThat(ours.manifest().nextRowId()).isEqualTo(9);
    assertThat(rowIds(ours, 1)).isEqualTo(RowIdSequence.range(4, 7));
    assertThat(rowIds(ours, 2)).isEqualTo(RowIdSequence.range(7, 9));
    assertThat(new StableRows(ours, session).createdVersions(fragment(ours, 2)))
        .isEqualTo(RowVersionSequence.uniform(2, 3));
    Operation.Append stored = (Operation.Append) ours.transaction().orElseThrow().operation();
    assertThat(stored.fragments().get(0).rowIds()).isEmpty();
  }

  @Test
  void anOverwriteGoesOnCounting() {
    TableVersion first = create(10, 10);
    TableVersion second =
        commit(
            first, new Operation.Overwrite(List.of(Tables.fragment("c.lance", 4)), Tables.SCHEMA));

    assertThat(rowIds(second, 0)).isEqualTo(RowIdSequence.range(20, 24));
    assertThat(fragment(second, 0).id()).isZero();
    assertThat(second.manifest().hasStableRowIds()).isTrue();
  }

  /** The real library gives ids out twice then (F13). */
  @Test
  void aRestoreDoesNotGiveIdsOutAgain() {
    TableVersion first = create(10);
    TableVersion second = commit(first, append(5));
    TableVersion restored = commit(second, new Operation.Restore(1));
    TableVersion appended = commit(restored, append(2));

    assertThat(restored.manifest().nextRowId()).isEqualTo(15);
    assertThat(rowIds(appended, 1)).isEqualTo(RowIdSequence.range(15, 17));
  }

  @Test
  void aTableThatIsEmptiedKeepsItsKindOfIds() {
    TableVersion first = create(10);
    TableVersion empty = commit(first, new Operation.Delete(List.of(), List.of(0L), "true"));
    TableVersion filled = commit(empty, append(1));

    assertThat(empty.manifest().readerFlags()).isEqualTo(FeatureFlag.STABLE_ROW_IDS.mask());
    assertThat(rowIds(filled, 0)).isEqualTo(RowIdSequence.range(10, 11));
  }

  /** The real library accepts such rows, and their ids are live twice (F20). */
  @Test
  void idsThatWereNeverGivenOutOrAreRepeatedAreRefused() {
    TableVersion first = create(10);

    assertThatThrownBy(() -> commit(first, new Operation.Append(List.of(moved(2, 3, 4)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("row ids already");
    assertThatThrownBy(() -> commit(first, update(List.of(), List.of(moved(2, 9, 10)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("row id 10 was never given");
    assertThatThrownBy(
            () ->
                commit(
                    first,
                    update(
                        List.of(deleting(first, 0, 3, 4)), List.of(moved(2, 3), moved(2, 3, 4)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("twice");
    assertThatThrownBy(
            () ->
                commit(
                    first,
                    update(List.of(deleting(first, 0, 3, 4, 5)), List.of(moved(2, 3, 4, 5)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("3 row ids but only 2");
    assertThat(table.latest().version()).isEqualTo(1);
  }

  /** The real library accepts such rows too, and their ids are live twice (F20). */
  @Test
  void rowsThatMoveWithoutBeingDeletedWhereTheyWereAreRefused() {
    TableVersion first = create(10, 2);
    TableVersion second =
        commit(first, new Operation.Delete(List.of(deleting(first, 0, 4)), List.of(), "k = 4"));

    assertThatThrownBy(() -> commit(second, update(List.of(), List.of(moved(1, 3)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("row id 3");
    assertThatThrownBy(
            () -> commit(second, update(List.of(deleting(second, 0, 3)), List.of(moved(2, 3, 5)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("row id 5");
    assertThatThrownBy(
            () -> commit(second, update(List.of(deleting(second, 0, 3)), List.of(moved(1, 4)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("row id 4");
    assertThatThrownBy(
            () ->
                committer.commit(
                    second,
                    Transaction.of(
                        2, update(List.of(deleting(second, 0, 3)), List.of(moved(1, 5)))),
                    RowAddressSet.of(RowAddress.pack(0, 3))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("row id 5");
    Operation.Update whole =
        Operation.Update.ofRows(
            List.of(1L), List.of(deleting(second, 0, 3)), List.of(moved(3, 11, 3, 10)), List.of(0));
    assertThat(commit(second, whole).version()).isEqualTo(3);
  }

  /** The real library leaves the rows as they were (F23). */
  @Test
  void rowsThatAreUpdatedInPlaceChangeInTheNewVersionAndTheOthersDoNot() {
    TableVersion first = create(5, 3);
    FragmentMetadata fragment = fragment(first, 0);
    DataFile other =
        DataFile.of("x.lance", List.of(1), List.of(0), dev.lance4j.format.FileVersion.V2_1, 100);
    FragmentMetadata updated =
        fragment.withFiles(
            List.of(fragment.files().get(0).withFieldIds(List.of(0, DataFile.TOMBSTONE)), other));
    RowAddressSet rows = RowAddressSet.of(RowAddress.pack(0, 1), RowAddress.pack(0, 4));

    TableVersion second = commit(first, inPlace(updated, rows));

    StableRows stable = new StableRows(second, session);
    assertThat(stable.lastUpdatedVersions(fragment(second, 0)))
        .isEqualTo(RowVersionSequence.of(1, 2, 1, 1, 2));
    assertThat(stable.createdVersions(fragment(second, 0)))
        .isEqualTo(RowVersionSequence.uniform(5, 1));
    assertThat(stable.lastUpdatedVersions(fragment(second, 1)))
        .isEqualTo(RowVersionSequence.uniform(3, 1));
    assertThatThrownBy(
            () -> commit(first, inPlace(updated, RowAddressSet.of(RowAddress.pack(1, 0)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("fragment 1");
    assertThatThrownBy(
            () -> commit(first, inPlace(updated, RowAddressSet.of(RowAddress.pack(0, 5)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("offset 5");
  }

  private static Operation.Update inPlace(FragmentMetadata updated, RowAddressSet rows) {
    return new Operation.Update(
        List.of(),
        List.of(updated),
        List.of(),
        List.of(1),
        List.of(),
        List.of(1),
        Operation.UpdateMode.REWRITE_COLUMNS,
        Optional.empty(),
        rows);
  }

  @Test
  void aVersionWithoutStableIdsIsNotRestoredOverOneWithThem() {
    Committer plain = new Committer(table, CommitOptions.DEFAULT);
    TableVersion first =
        plain.create(
            Transaction.of(
                0, new Operation.Overwrite(List.of(Tables.fragment("a", 1)), Tables.SCHEMA)));
    Manifest stable =
        first.manifest().toBuilder().version(2).fragments(List.of()).flags(2, 2).build();
    ByteBuffer bytes =
        dev.lance4j.table.internal.ManifestFile.write(stable, List.of(), new byte[0]);
    Tables.put(table, ManifestNaming.V2.fileName(2), bytes);

    assertThatThrownBy(() -> commit(table.latest(), new Operation.Restore(1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("Version 1 has no stable row ids");
  }

  @Test
  void newColumnsCountAsUpdatesOfTheRowsOfTheirFragments() {
    TableVersion first = create(2, 3);
    FragmentMetadata changed =
        fragment(first, 0)
            .withFiles(
                List.of(
                    fragment(first, 0).files().get(0),
                    DataFile.of(
                        "x.lance",
                        List.of(2),
                        List.of(0),
                        dev.lance4j.format.FileVersion.V2_1,
                        100)));

    TableVersion second =
        commit(first, new Operation.Merge(List.of(changed, fragment(first, 1)), Tables.SCHEMA));

    StableRows rows = new StableRows(second, session);
    assertThat(rows.lastUpdatedVersions(fragment(second, 0)))
        .isEqualTo(RowVersionSequence.uniform(2, 2));
    assertThat(rows.createdVersions(fragment(second, 0)))
        .isEqualTo(RowVersionSequence.uniform(2, 1));
    assertThat(rows.lastUpdatedVersions(fragment(second, 1)))
        .isEqualTo(RowVersionSequence.uniform(3, 1));
  }

  /** The real library leaves the rows as they were (F24). */
  @Test
  void replacedDataCountsAsAnUpdateOfAllRowsOfTheFragment() {
    TableVersion first = create(2, 3);
    DataFile file = fragment(first, 1).files().get(0);
    long size = writeNulls("other.lance", 3);
    DataFile other =
        DataFile.of("other.lance", file.fieldIds(), file.columnIndices(), file.fileVersion(), size);

    TableVersion second =
        commit(first, new Operation.DataReplacement(List.of(new Operation.Replacement(1, other))));

    StableRows rows = new StableRows(second, session);
    assertThat(rows.lastUpdatedVersions(fragment(second, 0)))
        .isEqualTo(RowVersionSequence.uniform(2, 1));
    assertThat(rows.lastUpdatedVersions(fragment(second, 1)))
        .isEqualTo(RowVersionSequence.uniform(3, 2));
  }

  private long writeNulls(String name, int rows) {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(Tables.SCHEMA.toArrow(), allocator);
        LanceFileWriter writer =
            LanceFileWriter.create(
                store, table.dataPath(name), Tables.SCHEMA, FileVersion.V2_1, allocator)) {
      batch.allocateNew();
      batch.setRowCount(rows);
      writer.write(batch);
      return writer.finish();
    }
  }

  /** Two updates over one fragment: the ranges of the ids overlap, and rows between are gone. */
  @Test
  void overlappingRangesOfIdsAreOrdinary() {
    TableVersion first = create(30);
    TableVersion second =
        commit(first, update(List.of(deleting(first, 0, 2, 9, 20)), List.of(moved(3, 2, 9, 20))));
    TableVersion third =
        commit(
            second, update(List.of(deleting(second, 0, 5, 12, 25)), List.of(moved(3, 25, 5, 12))));
    TableVersion fourth =
        commit(third, new Operation.Delete(List.of(deleting(third, 1, 1)), List.of(), "k = 9"));

    long[] found = new StableRows(fourth, session).index().value().rowAddresses(2, 9, 5, 25, 7);

    assertThat(found)
        .containsExactly(
            RowAddress.pack(1, 0),
            RowAddress.NONE,
            RowAddress.pack(2, 1),
            RowAddress.pack(2, 0),
            RowAddress.pack(0, 7));
  }

  @Test
  void anIdThatIsLiveTwiceIsAnErrorThatNamesBothPlaces() {
    TableVersion first = create(5, 1);
    FragmentMetadata copied =
        fragment(first, 1).withRowIds(inline(RowIdSequence.of(3).toByteString()));
    TableVersion second =
        commit(first, new Operation.Merge(List.of(fragment(first, 0), copied), Tables.SCHEMA));
    StableRows rows = new StableRows(second, session);

    assertThatThrownBy(() -> rows.rowAddresses(3))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("fragment 0, offset 3")
        .hasMessageContaining("fragment 1, offset 0");
    assertThatThrownBy(rows::index)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("fragment 0, offset 3")
        .hasMessageContaining("fragment 1, offset 0");
  }

  private TableVersion withSequence(TableVersion version, SequenceLocation rowIds) {
    List<FragmentMetadata> fragments = List.of(fragment(version, 0).withRowIds(rowIds));
    return commit(version, new Operation.Merge(fragments, Tables.SCHEMA));
  }

  @Test
  void aSequenceInAFileIsReadFromThere() {
    RowIdSequence sequence = RowIdSequence.of(7, 3, 5);
    ByteString bytes = sequence.toByteString();
    ByteString file = ByteString.copyFromUtf8("before").concat(bytes).concat(bytes.substring(1));
    store.put(table.path() + "/_ids/one", file.asReadOnlyByteBuffer());
    TableVersion first = create(3);

    TableVersion second =
        withSequence(first, new SequenceLocation.External("_ids/one", 6, bytes.size()));

    assertThat(rowIds(second, 0)).isEqualTo(sequence);
    assertThat(new StableRows(second, session).rowAddresses(5))
        .containsExactly(RowAddress.pack(0, 2));
  }

  @Test
  void aSequenceThatIsNotThereOrDoesNotFitIsAClearError() {
    store.put(table.path() + "/_ids/one", ByteBuffer.wrap(new byte[10]));
    TableVersion first = create(3);
    List<SequenceLocation> wrong =
        List.of(
            new SequenceLocation.External("_ids/none", 0, 1),
            new SequenceLocation.External("_ids/one", 5, 6),
            new SequenceLocation.External("_ids/one", -1, 2),
            new SequenceLocation.External("_ids/one", 1, Long.MAX_VALUE),
            new SequenceLocation.External("../secret", 0, 1),
            inline(RowIdSequence.range(0, 2).toByteString()),
            inline(RowIdSequence.range(0, 4).toByteString()),
            inline(ByteString.copyFromUtf8("no sequence")));
    TableVersion version = first;
    for (SequenceLocation location : wrong) {
      version = withSequence(version, location);
      TableVersion damaged = version;

      assertThatThrownBy(() -> rowIds(damaged, 0))
          .as("%s", location)
          .isInstanceOf(CorruptFileException.class);
    }
  }

  /** The real library takes them for the first version. */
  @Test
  void versionsThatDoNotFitAreAClearError() {
    TableVersion version = create(3);
    List<ByteString> wrong =
        List.of(
            RowVersionSequence.uniform(2, 1).toByteString(),
            RowVersionSequence.uniform(4, 1).toByteString(),
            ByteString.copyFromUtf8("no sequence"));
    for (ByteString bytes : wrong) {
      FragmentMetadata damaged = fragment(version, 0).withRowVersions(inline(bytes), inline(bytes));
      version = commit(version, new Operation.Merge(List.of(damaged), Tables.SCHEMA));
      StableRows rows = new StableRows(version, session);
      FragmentMetadata fragment = fragment(version, 0);

      assertThatThrownBy(() -> rows.createdVersions(fragment))
          .isInstanceOf(CorruptFileException.class);
      assertThatThrownBy(() -> rows.lastUpdatedVersions(fragment))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void rowsWithoutRecordedVersionsCountAsCreatedInTheFirst() {
    TableVersion first = create(3);
    FragmentMetadata old = fragment(first, 0);
    FragmentMetadata bare =
        new FragmentMetadata(
            old.id(),
            old.files(),
            old.deletionFile(),
            3,
            old.rowIds(),
            Optional.empty(),
            Optional.empty());
    TableVersion second = commit(first, new Operation.Merge(List.of(bare), Tables.SCHEMA));
    StableRows rows = new StableRows(second, session);

    assertThat(rows.createdVersions(fragment(second, 0)))
        .isEqualTo(RowVersionSequence.uniform(3, 1));
    assertThat(rows.lastUpdatedVersions(fragment(second, 0)))
        .isEqualTo(RowVersionSequence.uniform(3, 1));
  }

  @Test
  void tablesWithoutStableIdsSaySo() {
    TableVersion plain =
        new Committer(table, CommitOptions.DEFAULT)
            .create(Transaction.of(0, new Operation.Overwrite(List.of(), Tables.SCHEMA)));

    assertThatThrownBy(() -> new StableRows(plain, session))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no stable row ids");
  }

  /** The same version number and fragment ids must not lead to what was there before (F7). */
  @Test
  void aTableMadeAnewAtTheSamePlaceIsNotTakenForTheOldOne() {
    TableVersion old = create(3);
    assertThat(new StableRows(old, session).index().value().rowAddress(2)).isNotEqualTo(-1);
    store.delete(old.location().path());
    TableVersion made = create(2);

    assertThat(new StableRows(made, session).index().value().rowAddress(2))
        .isEqualTo(RowAddress.NONE);
  }

  @Test
  void versionsWithTheSameRowsInTheSamePlacesShareAnIndex() {
    TableVersion first = create(3);
    TableVersion second =
        commit(first, new Operation.CreateIndex(List.of(index("i", 0, 0)), List.of()));

    try (var one = new StableRows(first, session).index();
        var two = new StableRows(second, session).index()) {
      assertThat(two.value()).isSameAs(one.value());
    }
  }

  private static IndexMetadata index(String name, int field, int... fragments) {
    return index(name, "BTreeIndexDetails", field, fragments);
  }

  private static IndexMetadata index(String name, String type, int field, int... fragments) {
    return new IndexMetadata(
            UUID.randomUUID(),
            List.of(field),
            name,
            1,
            ByteString.EMPTY,
            Optional.of(new IndexDetails("/lance.table." + type, ByteString.EMPTY)),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance())
        .withFragments(RoaringBitmap.bitmapOf(fragments));
  }

  private List<Integer> coverageAfter(
      IndexMetadata index, Operation.UpdateMode mode, FragmentMetadata added) {
    TableVersion first = create(10, 10);
    TableVersion indexed = commit(first, new Operation.CreateIndex(List.of(index), List.of()));
    TableVersion updated =
        commit(
            indexed,
            new Operation.Update(
                List.of(),
                List.of(deleting(indexed, 0, 3), deleting(indexed, 1, 4)),
                List.of(added),
                List.of(),
                List.of(),
                List.of(1),
                mode,
                Optional.empty()));
    int[] covered = updated.indices().get(0).fragments().orElseThrow().toArray();
    return Arrays.stream(covered).boxed().toList();
  }

  @Test
  void anIndexOnUnchangedFieldsFollowsRowsThatMoved() {
    assertThat(
            coverageAfter(index("i", 0, 0, 1), Operation.UpdateMode.REWRITE_ROWS, moved(2, 3, 14)))
        .containsExactly(0, 1, 2);
  }

  @Test
  void anIndexOnAChangedFieldDoesNotFollow() {
    assertThat(
            coverageAfter(index("i", 1, 0, 1), Operation.UpdateMode.REWRITE_ROWS, moved(2, 3, 14)))
        .containsExactly(0, 1);
  }

  @Test
  void anIndexDoesNotFollowIntoFragmentsWithInsertedRows() {
    assertThat(
            coverageAfter(index("i", 0, 0, 1), Operation.UpdateMode.REWRITE_ROWS, moved(3, 3, 14)))
        .containsExactly(0, 1);
  }

  @Test
  void anIndexThatDidNotCoverAllSourcesDoesNotFollow() {
    assertThat(coverageAfter(index("i", 0, 0), Operation.UpdateMode.REWRITE_ROWS, moved(2, 3, 14)))
        .containsExactly(0);
  }

  /** The real library extends it, although it knows rows by their addresses. */
  @Test
  void aZoneMapDoesNotFollow() {
    assertThat(
            coverageAfter(
                index("i", "ZoneMapIndexDetails", 0, 0, 1),
                Operation.UpdateMode.REWRITE_ROWS,
                moved(2, 3, 14)))
        .containsExactly(0, 1);
  }
}
