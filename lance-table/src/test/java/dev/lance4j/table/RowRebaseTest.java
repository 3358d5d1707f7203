package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.FaultyStore.Fault;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Deletes and updates of different rows of one fragment that were computed from one version. */
class RowRebaseTest {
  private final FaultyStore store = new FaultyStore(new MemoryObjectStore());
  private final Table table = Tables.in(store);
  private final Committer committer = new Committer(table, CommitOptions.DEFAULT);

  private TableVersion create(long... fragmentRows) {
    List<FragmentMetadata> fragments =
        Arrays.stream(fragmentRows).mapToObj(rows -> Tables.fragment("a.lance", rows)).toList();
    return committer.create(Transaction.of(0, new Operation.Overwrite(fragments, Tables.SCHEMA)));
  }

  private static FragmentMetadata fragment(TableVersion version, long id) {
    return version.manifest().fragment(id).orElseThrow();
  }

  private FragmentMetadata without(TableVersion read, long id, int... offsets) {
    FragmentMetadata fragment = fragment(read, id);
    DeletionVector vector =
        DeletionFiles.read(read, fragment).plus(RoaringBitmap.bitmapOf(offsets));
    return fragment.withDeletionFile(
        Optional.of(DeletionFiles.write(table, fragment, read.version(), vector)));
  }

  private static RowAddressSet rows(long id, int... offsets) {
    return RowAddressSet.of(
        Arrays.stream(offsets).mapToLong(offset -> RowAddress.pack(id, offset)).toArray());
  }

  private TableVersion commit(TableVersion read, Operation operation, RowAddressSet affected) {
    return committer.commit(read, Transaction.of(read.version(), operation), affected);
  }

  private TableVersion delete(TableVersion read, long id, int... offsets) {
    return commit(
        read,
        new Operation.Delete(List.of(without(read, id, offsets)), List.of(), ""),
        rows(id, offsets));
  }

  private TableVersion remove(TableVersion read, long id, int... liveOffsets) {
    return commit(read, new Operation.Delete(List.of(), List.of(id), ""), rows(id, liveOffsets));
  }

  private TableVersion move(TableVersion read, long id, int... offsets) {
    return commit(
        read,
        Operation.Update.ofRows(
            List.of(),
            List.of(without(read, id, offsets)),
            List.of(Tables.fragment("moved.lance", offsets.length)),
            List.of(1)),
        rows(id, offsets));
  }

  private static int[] deleted(TableVersion version, long id) {
    return DeletionFiles.read(version, fragment(version, id)).offsets().toArray();
  }

  private static List<Long> ids(TableVersion version) {
    return version.manifest().fragments().stream().map(FragmentMetadata::id).toList();
  }

  private List<String> deletionFiles() {
    List<String> names = new ArrayList<>();
    store.list(table.path() + "/_deletions", names::add);
    return names;
  }

  private void assertOnlyLiveDeletionFiles(TableVersion... versions) {
    TreeSet<String> live = new TreeSet<>();
    for (TableVersion version : versions) {
      for (FragmentMetadata fragment : version.manifest().fragments()) {
        fragment.deletionFile().ifPresent(file -> live.add(file.name(fragment.id())));
      }
    }
    assertThat(deletionFiles()).containsExactlyInAnyOrderElementsOf(live);
  }

  private static void assertRetryable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CommitConflictException.class, e -> assertThat(e.isRetryable()).isTrue());
  }

  @Test
  void deletesOfDifferentRowsAreJoinedInANewBitmapFile() {
    TableVersion first = create(30, 30);

    TableVersion second = delete(first, 1, 10);
    TableVersion third = delete(first, 1, 20);

    assertThat(deleted(third, 1)).containsExactly(10, 20);
    DeletionFile file = fragment(third, 1).deletionFile().orElseThrow();
    assertThat(file.form()).isEqualTo(DeletionFile.Form.BITMAP);
    assertThat(file.readVersion()).isEqualTo(2);
    assertThat(file.deletedRows()).isEqualTo(2);
    assertThat(store.stat(table.deletionPath(file.name(1))).size()).isEqualTo(20);
    assertThat(third.transaction().orElseThrow().readVersion()).isEqualTo(2);
    assertThat(fragment(third, 0)).isEqualTo(fragment(first, 0));
    assertOnlyLiveDeletionFiles(first, second, third);
  }

  @Test
  void severalVersionsAreJoined() {
    TableVersion first = create(30);

    TableVersion second = delete(first, 0, 10);
    TableVersion third = delete(second, 0, 11);
    TableVersion fourth = delete(first, 0, 12);

    assertThat(deleted(fourth, 0)).containsExactly(10, 11, 12);
    assertOnlyLiveDeletionFiles(second, third, fourth);
  }

  @Test
  void theSameRowIsARetryableConflictThatNamesIt() {
    TableVersion first = create(30);
    TableVersion second = delete(first, 0, 10);

    assertRetryable(() -> delete(first, 0, 10));
    assertThatThrownBy(() -> delete(first, 0, 9, 10))
        .hasMessageContaining("fragment 0")
        .hasMessageContaining("offsets 10")
        .hasMessageContaining("version 2");
    assertThat(table.latest().version()).isEqualTo(2);
    assertThat(deleted(second, 0)).containsExactly(10);
  }

  @Test
  void withoutAffectedRowsTheFragmentDecides() {
    TableVersion first = create(30);
    delete(first, 0, 10);
    Operation blind = new Operation.Delete(List.of(without(first, 0, 20)), List.of(), "");

    assertRetryable(() -> committer.commit(first, Transaction.of(1, blind)));
  }

  @Test
  void aFragmentThatBothSidesEmptyTogetherIsRemoved() {
    TableVersion first = create(3, 3);

    TableVersion second = delete(first, 1, 0, 2);
    TableVersion third = delete(first, 1, 1);

    assertThat(ids(third)).containsExactly(0L);
    assertThat(third.manifest().readerFlags()).isZero();
    assertOnlyLiveDeletionFiles(second, third);
  }

  @Test
  void removingAFragmentAndDeletingFromItConflictBothWays() {
    TableVersion first = create(3, 3);
    delete(first, 0, 1);
    remove(first, 1, 0, 1, 2);

    assertRetryable(() -> remove(first, 0, 0, 1, 2));
    assertRetryable(() -> delete(first, 1, 1));
    assertRetryable(() -> remove(first, 1, 0, 1, 2));
  }

  @Test
  void rowsThatMoveAndRowsThatAreDeletedGoTogether() {
    TableVersion first = create(30);

    TableVersion second = move(first, 0, 12);
    TableVersion third = delete(first, 0, 13);
    TableVersion fourth = move(first, 0, 14, 15);

    assertThat(deleted(fourth, 0)).containsExactly(12, 13, 14, 15);
    assertThat(ids(fourth)).containsExactly(0L, 1L, 2L);
    assertOnlyLiveDeletionFiles(second, third, fourth);
    assertRetryable(() -> move(first, 0, 14));
  }

  @Test
  void newFilesOfTheFragmentAreARetryableConflict() {
    TableVersion first = create(30, 30);
    FragmentMetadata old = fragment(first, 0);
    DataFile patch = DataFile.of("patch.lance", List.of(1), List.of(0), FileVersion.V2_1, 10);
    FragmentMetadata patched =
        old.withFiles(
            List.of(old.files().get(0).withFieldIds(List.of(0, DataFile.TOMBSTONE)), patch));
    Operation.Update inPlace =
        new Operation.Update(
            List.of(),
            List.of(patched),
            List.of(),
            List.of(1),
            List.of(),
            List.of(1),
            Operation.UpdateMode.REWRITE_COLUMNS,
            Optional.empty());
    Operation rewrite =
        new Operation.Rewrite(
            List.of(
                new Operation.RewriteGroup(
                    List.of(fragment(first, 1)), List.of(Tables.fragment("c.lance", 30)))),
            List.of());
    committer.commit(first, Transaction.of(1, inPlace));
    committer.commit(first, Transaction.of(1, rewrite));

    assertRetryable(() -> delete(first, 0, 1));
    assertRetryable(() -> delete(first, 1, 1));
    assertRetryable(() -> committer.commit(first, Transaction.of(1, inPlace)));
  }

  /** The fragment is taken as it is now, so that the file of the column does not come back. */
  @Test
  void aColumnThatWasDroppedMeanwhileStaysDropped() {
    DataFile one = DataFile.of("one.lance", List.of(0), List.of(0), FileVersion.V2_1, 10);
    DataFile two = DataFile.of("two.lance", List.of(1), List.of(0), FileVersion.V2_1, 10);
    TableVersion first =
        committer.create(
            Transaction.of(
                0,
                new Operation.Overwrite(
                    List.of(FragmentMetadata.of(List.of(one, two), 10)), Tables.SCHEMA)));
    committer.commit(
        first, Transaction.of(1, new Operation.Project(Tables.SCHEMA.project(List.of("id")))));

    TableVersion third = delete(first, 0, 3);

    assertThat(fragment(third, 0).files()).containsExactly(one);
    assertThat(deleted(third, 0)).containsExactly(3);
  }

  @Test
  void whoeverIsSlowerStartsFromItsOwnRowsAgain() {
    TableVersion first = create(30);
    TableVersion second = delete(first, 0, 1);
    List<TableVersion> theirs = new ArrayList<>(List.of(second));
    store.interfereNext(() -> theirs.add(delete(second, 0, 2)));

    TableVersion fourth = delete(first, 0, 3);

    assertThat(fourth.version()).isEqualTo(4);
    assertThat(deleted(fourth, 0)).containsExactly(1, 2, 3);
    assertOnlyLiveDeletionFiles(second, theirs.get(1), fourth);
  }

  @Test
  void filesOfACommitOfUnknownOutcomeAreKept() {
    TableVersion first = create(30);
    delete(first, 0, 1);
    Operation.Delete ours = new Operation.Delete(List.of(without(first, 0, 3)), List.of(), "");
    int before = deletionFiles().size();
    store.failNext(Fault.FAILS);

    assertThatThrownBy(() -> commit(first, ours, rows(0, 3)))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(deletionFiles()).hasSize(before + 1);
  }

  @Test
  void affectedRowsMustBeThoseThatTheDeletionFilesAdd() {
    TableVersion first = create(30, 30);
    Operation.Delete delete = new Operation.Delete(List.of(without(first, 0, 3, 4)), List.of(), "");

    for (RowAddressSet wrong :
        List.of(rows(0, 3), rows(0, 3, 4, 5), rows(0, 3, 30), RowAddressSet.EMPTY)) {
      assertThatThrownBy(() -> commit(first, delete, wrong))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("fragment 0");
    }
    assertThatThrownBy(() -> commit(first, delete, rows(0, 3, 4).or(rows(1, 0))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("fragment 1");
    assertThatThrownBy(
            () ->
                commit(
                    first,
                    new Operation.Append(List.of(Tables.fragment("b.lance", 1))),
                    rows(0, 3)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("Append");
  }

  /** Whatever the order and the interleaving, all rows are gone and no other is. */
  @Property(tries = 50)
  void disjointDeletesAddUpInAnyOrder(@ForAll long seed) {
    Random random = new Random(seed);
    int fragments = 1 + random.nextInt(3);
    int size = 2 + random.nextInt(12);
    long[] sizes = new long[fragments];
    Arrays.fill(sizes, size);
    RowRebaseTest test = new RowRebaseTest();
    List<TableVersion> versions = new ArrayList<>(List.of(test.create(sizes)));
    List<Long> rows = new ArrayList<>();
    for (int f = 0; f < fragments; f++) {
      for (int o = 0; o < size; o++) {
        rows.add(RowAddress.pack(f, o));
      }
    }
    Collections.shuffle(rows, random);
    TreeSet<Long> gone = new TreeSet<>(rows.subList(0, random.nextInt(rows.size())));

    for (long row : rows) {
      if (gone.contains(row)) {
        TableVersion read = versions.get(random.nextInt(versions.size()));
        long id = RowAddress.fragmentId(row);
        int offset = (int) RowAddress.offset(row);
        boolean last = deleted(read, id).length == size - 1;
        versions.add(last ? test.remove(read, id, offset) : test.delete(read, id, offset));
      }
    }

    TreeSet<Long> live = new TreeSet<>(rows);
    live.removeAll(gone);
    assertThat(live(versions.get(versions.size() - 1))).isEqualTo(live);
  }

  private static Set<Long> live(TableVersion version) {
    TreeSet<Long> live = new TreeSet<>();
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      DeletionVector vector = DeletionFiles.read(version, fragment);
      for (int o = 0; o < fragment.physicalRows(); o++) {
        if (!vector.contains(o)) {
          live.add(RowAddress.pack(fragment.id(), o));
        }
      }
    }
    return live;
  }
}
