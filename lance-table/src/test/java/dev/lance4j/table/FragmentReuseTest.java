package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.FragmentReuse.Digest;
import dev.lance4j.table.FragmentReuse.Group;
import dev.lance4j.table.FragmentReuse.Version;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Rewrites that leave the translation of addresses for later, and what goes with them. */
class FragmentReuseTest {
  private static final String ADDRESSES = "BTreeIndexDetails";

  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Table table = Tables.in(store);
  private final Committer committer = new Committer(table, CommitOptions.DEFAULT);

  private static RoaringBitmap range(int end) {
    return RoaringBitmap.bitmapOfRange(0, end);
  }

  private static Group group(RowAddressSet rows, List<Digest> old, Digest fresh) {
    return new Group(rows, old, List.of(fresh));
  }

  private static RowAddressSet rows(long one, RoaringBitmap of, long two, RoaringBitmap ofTwo) {
    RowAddressSet.Builder rows = RowAddressSet.builder();
    rows.addOffsets(one, of);
    rows.addOffsets(two, ofTwo);
    return rows.build();
  }

  /** The example of the specification: a table that was compacted twice. */
  private static FragmentReuse example() {
    Version first =
        new Version(
            2,
            List.of(
                group(
                    rows(0, range(3), 1, range(3)),
                    List.of(new Digest(0, 3, 0), new Digest(1, 3, 0)),
                    new Digest(4, 6, 0)),
                group(
                    rows(2, range(3), 3, range(3)),
                    List.of(new Digest(2, 3, 0), new Digest(3, 3, 0)),
                    new Digest(5, 6, 0))));
    Version second =
        new Version(
            5,
            List.of(
                group(
                    rows(4, RoaringBitmap.bitmapOf(0, 1, 3, 4, 5), 5, range(6)),
                    List.of(new Digest(4, 6, 1), new Digest(5, 6, 0)),
                    new Digest(6, 11, 0))));
    return new FragmentReuse(List.of(first, second));
  }

  private static byte[] content(IndexMetadata entry) {
    return entry.details().orElseThrow().value().toByteArray();
  }

  private static IndexMetadata with(IndexMetadata entry, byte[] content, int indexVersion) {
    return new IndexMetadata(
        entry.uuid(),
        List.of(),
        entry.name(),
        entry.datasetVersion(),
        entry.fragmentBytes(),
        Optional.of(
            new IndexDetails(
                "/lance.table.FragmentReuseIndexDetails", ByteString.copyFrom(content))),
        OptionalInt.of(indexVersion),
        OptionalLong.empty(),
        OptionalInt.empty(),
        List.of(),
        UnknownFieldSet.getDefaultInstance());
  }

  private FragmentReuse read(IndexMetadata entry) {
    return FragmentReuse.read(table, Manifest.builder(1, Tables.SCHEMA).build(), entry);
  }

  @Test
  void theBytesAreThoseOfTheSpecification() {
    IndexMetadata entry = example().write(table, 5, RoaringBitmap.bitmapOf(6));
    String map =
        "0200000000000000 %s000000 3a300000 01000000 0000 0200 10000000 0000 0100 0200"
            + " %s000000 3a300000 01000000 0000 0200 10000000 0000 0100 0200";
    String expected =
        "0a8902 0aa401 0802"
            + (" 1a4e 0a3c " + map.formatted("00", "01") + " 12021003 120408011003 1a0408041006")
            + (" 1a50 0a3c " + map.formatted("02", "03"))
            + " 120408021003 120408031003 1a0408051006"
            + " 0a60 0805 1a5c 0a46 0200000000000000"
            + " 04000000 3a300000 01000000 0000 0400 10000000 0000 0100 0300 0400 0500"
            + " 05000000 3a300000 01000000 0000 0500 10000000 0000 0100 0200 0300 0400 0500"
            + " 1206080410061801 120408051006 1a040806100b";

    assertThat(content(entry)).asHexString().isEqualToIgnoringCase(expected.replace(" ", ""));
    assertThat(entry.name()).isEqualTo("__lance_frag_reuse");
    assertThat(entry.fieldIds()).isEmpty();
    assertThat(entry.fragments()).contains(RoaringBitmap.bitmapOf(6));
    assertThat(read(entry)).isEqualTo(example());
  }

  private static FragmentReuse large() {
    RoaringBitmap odd = new RoaringBitmap();
    for (int i = 0; i < 2_000_000; i += 2) {
      odd.add(i);
    }
    RowAddressSet.Builder rows = RowAddressSet.builder();
    rows.addOffsets(0, odd);
    Group group =
        group(rows.build(), List.of(new Digest(0, 2_000_000, 1)), new Digest(1, 1_000_000, 0));
    return new FragmentReuse(List.of(new Version(3, List.of(group))));
  }

  @Test
  void largeContentIsInAFileOfItsOwn() {
    IndexMetadata entry = large().write(table, 3, RoaringBitmap.bitmapOf(1));
    String path = table.path() + "/_indices/" + entry.uuid() + "/details.binpb";
    long size = store.stat(path).size();

    assertThat(size).isGreaterThan(200 << 10);
    assertThat(content(entry)).hasSizeLessThan(32);
    assertThat(new String(content(entry), 4, 13, StandardCharsets.US_ASCII))
        .isEqualTo("details.binpb");
    assertThat(read(entry)).isEqualTo(large());

    byte[] cut = new byte[(int) size - 1];
    store.put(path, ByteBuffer.wrap(cut));
    assertThatThrownBy(() -> read(entry)).isInstanceOf(CorruptFileException.class);
    store.delete(path);
    assertThatThrownBy(() -> read(entry))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("details.binpb");
  }

  @Test
  void damageIsFoundOrLeavesValidContent() {
    byte[] bytes = content(example().write(table, 5, RoaringBitmap.bitmapOf(6)));
    IndexMetadata entry = example().write(table, 5, RoaringBitmap.bitmapOf(6));
    Random random = new Random(7);
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? random.nextInt(268) : 268);
      if (damaged.length > 0) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        for (Version version : read(with(entry, damaged, 0)).versions()) {
          for (Group group : version.groups()) {
            for (long id : group.rows().fragmentIds()) {
              assertThat(group.oldFragments()).extracting(Digest::id).contains(id);
            }
          }
        }
      } catch (CorruptFileException | UnsupportedFormatException e) {
        assertThat(e).hasMessageContaining("songs.lance");
      }
    }
  }

  @Test
  void aPathOutOfTheDirectoryAndAnUnknownFormAreRefused() {
    IndexMetadata entry = example().write(table, 5, RoaringBitmap.bitmapOf(6));
    byte[] outside = Hex.array(Hex.bytes("1206 0a04 2e2e2f78"));

    assertThatThrownBy(() -> read(with(entry, outside, 0)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("'../x'");
    assertThatThrownBy(() -> read(with(entry, content(entry), 1)))
        .isInstanceOf(UnsupportedFormatException.class);
    assertThatThrownBy(() -> read(with(entry, new byte[0], 0)))
        .isInstanceOf(CorruptFileException.class);
  }

  private static IndexMetadata index(String name, String details, int... fragments) {
    return new IndexMetadata(
            UUID.randomUUID(),
            List.of(0),
            name,
            1,
            ByteString.EMPTY,
            Optional.of(new IndexDetails("/lance.table." + details, ByteString.EMPTY)),
            OptionalInt.of(0),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance())
        .withFragments(RoaringBitmap.bitmapOf(fragments));
  }

  @Test
  void segmentsFollowTheirFragmentsUnlessTheyCannot() {
    List<IndexMetadata> applied =
        example()
            .applyTo(
                List.of(
                    index("all", ADDRESSES, 0, 1, 2, 3, 9),
                    index("half", ADDRESSES, 0, 1),
                    index("split", ADDRESSES, 0, 2, 3),
                    index("zones", "ZoneMapIndexDetails", 0, 1, 2, 3, 9),
                    index("later", ADDRESSES, 6)));

    assertThat(applied)
        .extracting(index -> index.fragments().orElseThrow().toArray())
        .containsExactly(
            new int[] {6, 9}, new int[] {}, new int[] {}, new int[] {9}, new int[] {6});
  }

  private TableVersion create(int fragments) {
    List<FragmentMetadata> files = new ArrayList<>();
    for (int i = 0; i < fragments; i++) {
      files.add(Tables.fragment(i + ".lance", 10));
    }
    return committer.create(Transaction.of(0, new Operation.Overwrite(files, Tables.SCHEMA)));
  }

  private TableVersion commit(TableVersion read, Operation operation) {
    return committer.commit(read, Transaction.of(read.version(), operation));
  }

  /** A rewrite of one fragment whose rows all stay. */
  private Operation.Rewrite deferred(TableVersion read, long oldId, long newId) {
    FragmentMetadata old = read.manifest().fragment(oldId).orElseThrow();
    FragmentMetadata fresh = Tables.fragment("r" + newId + ".lance", 10).withId(newId);
    RowAddressSet.Builder rows = RowAddressSet.builder();
    rows.addOffsets(oldId, range(10));
    Group group = group(rows.build(), List.of(Digest.of(old)), Digest.of(fresh));
    FragmentReuse reuse =
        FragmentReuse.of(read)
            .orElse(new FragmentReuse(List.of()))
            .plus(new Version(read.version(), List.of(group)));
    return eager(old, fresh)
        .withFragmentReuse(reuse.write(table, read.version(), RoaringBitmap.bitmapOf((int) newId)));
  }

  private static Operation.Rewrite eager(FragmentMetadata old, FragmentMetadata fresh) {
    return new Operation.Rewrite(
        List.of(new Operation.RewriteGroup(List.of(old), List.of(fresh))), List.of());
  }

  private Operation.CreateIndex trim(TableVersion read, int keepFrom) {
    List<Version> versions = FragmentReuse.of(read).orElseThrow().versions();
    FragmentReuse left = new FragmentReuse(versions.subList(keepFrom, versions.size()));
    return new Operation.CreateIndex(
        List.of(left.write(table, read.version(), left.newFragments())),
        List.of(FragmentReuse.entry(read.indices()).orElseThrow()));
  }

  private static List<Long> versions(TableVersion version) {
    assertThat(version.indices().stream().filter(IndexMetadata::isSystem)).hasSize(1);
    return FragmentReuse.of(version).orElseThrow().versions().stream()
        .map(Version::datasetVersion)
        .toList();
  }

  private static void assertRetryable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CommitConflictException.class, e -> assertThat(e.isRetryable()).isTrue());
  }

  /** A table of whose four fragments two were rewritten, at versions 1 and 2. */
  private TableVersion twiceRewritten() {
    TableVersion first = create(4);
    TableVersion second = commit(first, deferred(first, 0, 10));
    return commit(second, deferred(second, 1, 11));
  }

  @Test
  void eachRewriteAddsAVersion() {
    TableVersion version = twiceRewritten();

    assertThat(versions(version)).containsExactly(1L, 2L);
    assertThat(version.manifest().fragments())
        .extracting(FragmentMetadata::id)
        .containsExactly(2L, 3L, 10L, 11L);
  }

  @Test
  void aRewriteForgetsWhatWasTrimmedMeanwhile() {
    TableVersion read = twiceRewritten();
    commit(read, trim(read, 1));

    TableVersion rewritten = commit(read, deferred(read, 2, 12));

    assertThat(versions(rewritten)).containsExactly(2L, 3L);
    IndexMetadata entry = FragmentReuse.entry(rewritten.indices()).orElseThrow();
    assertThat(entry.fragments()).contains(RoaringBitmap.bitmapOf(12));
  }

  @Test
  void aRewriteKeepsItsOwnVersionAfterAllWasTrimmed() {
    TableVersion read = twiceRewritten();
    TableVersion trimmed = commit(read, trim(read, 1));
    commit(trimmed, trim(trimmed, 1));

    assertThat(versions(commit(read, deferred(read, 2, 12)))).containsExactly(3L);
  }

  @Test
  void aRewriteIsTheFirstAfterTheEntryWasDropped() {
    TableVersion read = twiceRewritten();
    IndexMetadata entry = FragmentReuse.entry(read.indices()).orElseThrow();
    commit(read, new Operation.CreateIndex(List.of(), List.of(entry)));

    assertThat(versions(commit(read, deferred(read, 2, 12)))).containsExactly(3L);
  }

  @Test
  void aTrimKeepsWhatRewritesAddedMeanwhile() {
    TableVersion read = twiceRewritten();
    Operation.CreateIndex trim = trim(read, 2);
    TableVersion third = commit(read, deferred(read, 2, 12));
    commit(third, deferred(third, 3, 13));

    TableVersion trimmed = commit(read, trim);

    assertThat(versions(trimmed)).containsExactly(3L, 4L);
    IndexMetadata entry = FragmentReuse.entry(trimmed.indices()).orElseThrow();
    assertThat(entry.fragments()).contains(RoaringBitmap.bitmapOf(12, 13));
  }

  /** The real library loses the version of one of them. */
  @Test
  void rewritesOfOneVersionKeepWhatTheOtherAdded() {
    TableVersion read = twiceRewritten();
    Operation.Rewrite other = deferred(read, 3, 13);
    commit(read, deferred(read, 2, 12));

    TableVersion both = commit(read, other);

    assertThat(versions(both)).containsExactly(1L, 2L, 3L, 3L);
    assertThat(FragmentReuse.of(both).orElseThrow().versions())
        .flatExtracting(FragmentReuse.Version::groups)
        .flatExtracting(FragmentReuse.Group::newFragments)
        .extracting(FragmentReuse.Digest::id)
        .containsExactlyInAnyOrder(10L, 11L, 12L, 13L);
    IndexMetadata entry = FragmentReuse.entry(both.indices()).orElseThrow();
    assertThat(entry.fragments()).contains(RoaringBitmap.bitmapOf(13));
    assertRetryable(() -> commit(read, deferred(read, 3, 14)));
  }

  @Test
  void aRewriteKeepsWhatItAddsWhateverWasTrimmedMeanwhile() {
    TableVersion read = twiceRewritten();
    Operation.Rewrite ours = deferred(read, 3, 13);
    TableVersion third = commit(read, new Operation.ReserveFragments(1));
    TableVersion fourth = commit(third, deferred(third, 2, 12));
    commit(fourth, trim(fourth, 2));

    assertThat(versions(commit(read, ours))).containsExactly(3L, 4L);
  }

  @Test
  void trimsOfOneVersionExcludeEachOther() {
    TableVersion read = twiceRewritten();
    Operation.CreateIndex trim = trim(read, 1);

    commit(read, deferred(read, 2, 12));
    commit(read, trim);
    assertRetryable(() -> commit(read, trim(read, 2)));
  }

  @Test
  void aTrimThatDoesMoreIsIncompatibleWithARewrite() {
    TableVersion read = twiceRewritten();
    Operation.CreateIndex trim = trim(read, 1);
    List<IndexMetadata> more = List.of(trim.newIndices().get(0), index("i", ADDRESSES, 3));
    commit(read, deferred(read, 2, 12));

    assertThatThrownBy(() -> commit(read, new Operation.CreateIndex(more, trim.removedIndices())))
        .isInstanceOfSatisfying(
            CommitConflictException.class, e -> assertThat(e.isRetryable()).isFalse());
  }

  @Test
  void anIndexGoesWithADeferredRewriteOfWhatItCoversButNotWithAnEagerOne() {
    TableVersion read = create(4);
    Operation.CreateIndex addresses =
        new Operation.CreateIndex(List.of(index("a", ADDRESSES, 0, 1, 2, 3)), List.of());
    Operation.CreateIndex zones =
        new Operation.CreateIndex(List.of(index("z", "ZoneMapIndexDetails", 0, 1)), List.of());
    TableVersion rewritten = commit(read, deferred(read, 0, 10));

    TableVersion indexed = commit(read, addresses);
    assertRetryable(() -> commit(read, zones));

    assertThat(indexed.indices()).extracting(IndexMetadata::name).contains("a");
    commit(
        indexed,
        eager(
            indexed.manifest().fragment(2).orElseThrow(),
            Tables.fragment("e.lance", 10).withId(20)));
    assertRetryable(() -> commit(rewritten, addresses));
  }

  @Test
  void whatChangesRowsOfARewrittenFragmentStartsOver() {
    TableVersion read = create(2);
    FragmentMetadata fragment = read.manifest().fragment(0).orElseThrow();
    DeletionVector vector = DeletionVector.NONE.plus(RoaringBitmap.bitmapOf(1));
    FragmentMetadata without =
        fragment.withDeletionFile(
            Optional.of(DeletionFiles.write(table, fragment, read.version(), vector)));
    Operation.Rewrite rewrite = deferred(read, 0, 10);
    commit(read, rewrite);

    assertRetryable(
        () ->
            committer.commit(
                read,
                Transaction.of(
                    read.version(), new Operation.Delete(List.of(without), List.of(), "")),
                RowAddressSet.of(1)));
    assertRetryable(
        () ->
            committer.commit(
                read,
                Transaction.of(
                    read.version(),
                    Operation.Update.ofRows(
                        List.of(),
                        List.of(without),
                        List.of(Tables.fragment("m.lance", 1)),
                        List.of(1))),
                RowAddressSet.of(1)));
  }

  @Test
  void aRewriteStartsOverAfterItsRowsWereDeleted() {
    TableVersion read = create(2);
    Operation.Rewrite rewrite = deferred(read, 0, 10);
    commit(read, new Operation.Delete(List.of(), List.of(0L), ""));

    assertRetryable(() -> commit(read, rewrite));
  }

  @Test
  void theNextCommitKnowsWhichFragmentsAnIndexCovers() {
    TableVersion read = create(2);
    TableVersion indexed =
        commit(read, new Operation.CreateIndex(List.of(index("a", ADDRESSES, 0, 1)), List.of()));
    TableVersion rewritten = commit(indexed, deferred(indexed, 0, 10));
    TableVersion appended =
        commit(rewritten, new Operation.Append(List.of(Tables.fragment("b.lance", 1))));

    assertThat(fragments(rewritten, "a")).containsExactly(0, 1);
    assertThat(fragments(appended, "a")).containsExactly(1, 10);
  }

  private static int[] fragments(TableVersion version, String name) {
    return version.indices().stream()
        .filter(index -> index.name().equals(name))
        .findFirst()
        .flatMap(IndexMetadata::fragments)
        .orElseThrow()
        .toArray();
  }

  @Test
  void filesOfEntriesThatWereReplacedGo() {
    TableVersion read = twiceRewritten();
    Operation.Rewrite rewrite = deferred(read, 2, 12);
    IndexMetadata external =
        new FragmentReuse(
                List.of(
                    large().versions().get(0),
                    FragmentReuse.read(
                            table, read.manifest(), rewrite.fragmentReuse().orElseThrow())
                        .versions()
                        .get(2)))
            .write(table, 3, RoaringBitmap.bitmapOf(12));
    commit(read, trim(read, 2));

    TableVersion rewritten = commit(read, rewrite.withFragmentReuse(external));

    assertThat(versions(rewritten)).containsExactly(3L, 3L);
    List<String> files = new ArrayList<>();
    store.walk(table.path() + "/_indices", object -> files.add(object.path()));
    UUID kept = FragmentReuse.entry(rewritten.indices()).orElseThrow().uuid();
    assertThat(files).containsExactly(table.indexPath(kept) + "/details.binpb");
  }

  @Test
  void anEntryThatDoesNotFitIsRefused() {
    TableVersion read = create(2);
    Operation.Rewrite rewrite = deferred(read, 0, 10);
    Operation.RewrittenIndex index =
        new Operation.RewrittenIndex(
            UUID.randomUUID(),
            UUID.randomUUID(),
            new IndexDetails("/lance.table." + ADDRESSES, ByteString.EMPTY),
            0,
            List.of());

    assertThatThrownBy(() -> commit(read, rewrite.withFragmentReuse(index("i", ADDRESSES, 0))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'i'");
    assertThatThrownBy(
            () ->
                commit(
                    read,
                    new Operation.Rewrite(
                        rewrite.groups(), List.of(index), rewrite.fragmentReuse())))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void whatIsSentElsewhereKeepsTheEntry() throws Exception {
    TableVersion read = create(2);
    Transaction sent = Transaction.of(1, deferred(read, 0, 10));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sent);
    }

    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(sent);
    }
    assertThat(Transaction.fromJson(sent.toJson())).isEqualTo(sent);
    assertThatThrownBy(
            () ->
                Operation.fromJson(
                    "{\"restore\":{\"version\":1},\"fragment_reuse\":"
                        + index("i", ADDRESSES, 0).toJson()
                        + "}"))
        .isInstanceOf(LanceException.class);
  }
}
