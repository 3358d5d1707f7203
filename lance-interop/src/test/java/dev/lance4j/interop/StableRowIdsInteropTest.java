package dev.lance4j.interop;

import static dev.lance4j.interop.StableTables.keys;
import static dev.lance4j.interop.StableTables.offsets;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.StableRows;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** Rows keep the same identity whichever of the two libraries changes the table. */
@WithOracle
class StableRowIdsInteropTest {
  private static final String[] COLUMNS = {
    "k", "v", "_rowid", "_rowaddr", "_row_created_at_version", "_row_last_updated_at_version"
  };

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri(String name) {
    return folder.resolve(name + ".lance").toString();
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void createTheirs(String uri) {
    ObjectNode args = Oracle.args(uri).put("fileVersion", "2.1").put("stableRowIds", true);
    try (ArrowTable rows = StableTables.rows(keys(0, 25), 0, allocator)) {
      oracle.send("write", args.put("maxRowsPerFile", 10), rows);
    }
  }

  private void createOurs(String uri) {
    try (ArrowTable rows = StableTables.rows(keys(0, 25), 0, allocator)) {
      Dataset.write(uri)
          .allocator(allocator)
          .stableRowIds(true)
          .maxRowsPerFile(10)
          .from(rows.root())
          .close();
    }
  }

  private void appendTheirs(String uri, int from, int to) {
    try (ArrowTable rows = StableTables.rows(keys(from, to), 0, allocator)) {
      oracle.append(uri, rows);
    }
  }

  private void appendOurs(String uri, int from, int to) {
    try (ArrowTable rows = StableTables.rows(keys(from, to), 0, allocator);
        Dataset dataset = open(uri)) {
      dataset.append(rows.root()).close();
    }
  }

  private void merge(String uri, long... keys) {
    ObjectNode args = Oracle.args(uri).put("matched", "updateAll");
    args.putArray("on").add("k");
    try (ArrowTable rows = StableTables.rows(keys, 1_000, allocator)) {
      oracle.send("mergeInsert", args, rows);
    }
  }

  /** Compares all rows, and the bytes that the fragments keep. */
  private void check(String uri) {
    try (Dataset dataset = open(uri);
        ArrowTable ours = Tables.drain(dataset.scan().select(COLUMNS).open(), allocator);
        ArrowTable theirs = oracle.scan(uri, allocator, COLUMNS)) {
      TableAssert.assertEqual(theirs, ours);
      checkTakes(uri, dataset, ours);
      JsonNode fragments = oracle.call("fragments", Oracle.args(uri));
      assertThat(fragments).hasSameSizeAs(dataset.fragments());
      for (int i = 0; i < fragments.size(); i++) {
        checkBytes(fragments.get(i), dataset.fragments().get(i));
      }
    }
  }

  private static void checkBytes(JsonNode theirs, FragmentMetadata ours) {
    assertThat(StableTables.inline(theirs.get("rowIds").asText()))
        .isEqualTo(StableTables.inline(ours.rowIds()));
    assertThat(StableTables.inline(theirs.get("created").asText()))
        .isEqualTo(StableTables.inline(ours.createdVersions()));
    assertThat(StableTables.inline(theirs.get("lastUpdated").asText()))
        .isEqualTo(StableTables.inline(ours.lastUpdatedVersions()));
  }

  private void checkTakes(String uri, Dataset dataset, ArrowTable all) {
    UInt8Vector ids = (UInt8Vector) all.column("_rowid");
    Random random = new Random(all.rowCount());
    List<Long> wanted = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      wanted.add(ids.get(random.nextInt(all.rowCount())));
    }
    wanted.add(5, 3L);
    wanted.add(7, 999_999L);
    long[] asked = wanted.stream().mapToLong(Long::longValue).toArray();
    try (ArrowTable ours = Tables.drain(dataset.takeRows(asked), allocator);
        ArrowTable theirs = oracle.takeRows(uri, wanted, allocator)) {
      TableAssert.assertEqual(theirs, ours);
    }
  }

  @Test
  void everyStepOfTheirHistoryReadsTheSame() {
    String uri = uri("theirs");
    createTheirs(uri);
    check(uri);
    appendTheirs(uri, 25, 40);
    check(uri);
    oracle.delete(uri, "k in (3, 12, 39)");
    check(uri);
    merge(uri, 5, 7, 21, 100, 101);
    check(uri);
    merge(uri, 21, 7, 30, 102);
    check(uri);
    oracle.delete(uri, "k = 7 or k = 31");
    check(uri);
    List<RowIdSequence> before = liveSequences(uri);
    oracle.call("compact", Oracle.args(uri));
    check(uri);
    checkCompacted(uri, before);
    merge(uri, 0, 100, 200);
    check(uri);
    oracle.call("addColumns", computed(uri));
    check(uri);
    oracle.call("restore", Oracle.args(uri).put("version", 2));
    check(uri);
    ObjectNode args = Oracle.args(uri).put("mode", "OVERWRITE");
    try (ArrowTable rows = StableTables.rows(keys(0, 4), 0, allocator)) {
      oracle.send("write", args, rows);
    }
    appendTheirs(uri, 4, 30);
    check(uri);
  }

  private static ObjectNode computed(String uri) {
    ObjectNode args = Oracle.args(uri);
    args.putObject("sql").put("w", "k + 1");
    return args;
  }

  private List<RowIdSequence> liveSequences(String uri) {
    TableVersion version = StableTables.table(uri).latest();
    List<RowIdSequence> live = new ArrayList<>();
    try (Session session = Session.create()) {
      StableRows rows = new StableRows(version, session);
      for (FragmentMetadata fragment : version.manifest().fragments()) {
        RoaringBitmap deleted = DeletionFiles.read(version, fragment).offsets();
        live.add(rows.rowIds(fragment).mask(deleted));
      }
    }
    return live;
  }

  /** Our way of joining what is left of fragments gives the bytes of theirs. */
  private void checkCompacted(String uri, List<RowIdSequence> before) {
    List<FragmentMetadata> fragments = StableTables.table(uri).latest().manifest().fragments();
    long[] lengths = fragments.stream().mapToLong(FragmentMetadata::physicalRows).toArray();
    List<RowIdSequence> pieces = RowIdSequence.rechunk(before, lengths, false);
    for (int i = 0; i < lengths.length; i++) {
      assertThat(pieces.get(i).toByteString())
          .isEqualTo(StableTables.inline(fragments.get(i).rowIds()));
    }
  }

  @Test
  void theSameHistoryLeavesTheSameBytes() {
    String ours = uri("ours");
    String theirs = uri("theirs");
    createOurs(ours);
    createTheirs(theirs);
    checkSame(ours, theirs);
    appendOurs(ours, 25, 37);
    appendTheirs(theirs, 25, 37);
    checkSame(ours, theirs);
    Table table = StableTables.table(ours);
    StableTables.delete(table, offsets(0, 3));
    oracle.delete(theirs, "k = 3");
    checkSame(ours, theirs);
    SortedMap<Long, RoaringBitmap> moved = offsets(0, 5, 7);
    moved.putAll(offsets(2, 1));
    try (ArrowTable rows = StableTables.rows(new long[] {5, 7, 21, 100, 101}, 1_000, allocator)) {
      StableTables.update(table, moved, new long[] {5, 7, 21}, rows, allocator);
    }
    merge(theirs, 5, 7, 21, 100, 101);
    checkSame(ours, theirs);
    appendOurs(ours, 200, 203);
    appendTheirs(theirs, 200, 203);
    checkSame(ours, theirs);
  }

  private void checkSame(String ours, String theirs) {
    check(ours);
    check(theirs);
    var a = StableTables.table(ours).latest().manifest();
    var b = StableTables.table(theirs).latest().manifest();
    assertThat(a.nextRowId()).isEqualTo(b.nextRowId());
    assertThat(a.readerFlags()).isEqualTo(b.readerFlags());
    assertThat(a.writerFlags()).isEqualTo(b.writerFlags());
    assertThat(a.maxFragmentId()).isEqualTo(b.maxFragmentId());
    assertThat(identities(a.fragments())).isEqualTo(identities(b.fragments()));
    try (ArrowTable left = oracle.scan(ours, allocator, COLUMNS);
        ArrowTable right = oracle.scan(theirs, allocator, COLUMNS)) {
      TableAssert.assertEqual(left, right);
    }
  }

  private static List<List<ByteString>> identities(List<FragmentMetadata> fragments) {
    List<List<ByteString>> all = new ArrayList<>();
    for (FragmentMetadata fragment : fragments) {
      all.add(
          List.of(
              StableTables.inline(fragment.rowIds()),
              StableTables.inline(fragment.createdVersions()),
              StableTables.inline(fragment.lastUpdatedVersions())));
    }
    return all;
  }

  @Test
  void theyGoOnWithOurHistory() {
    String uri = uri("ours");
    createOurs(uri);
    Table table = StableTables.table(uri);
    SortedMap<Long, RoaringBitmap> moved = offsets(0, 5, 7);
    moved.putAll(offsets(1, 1));
    // In any order, as an update may find them.
    try (ArrowTable rows = StableTables.rows(new long[] {11, 5, 7}, 1_000, allocator)) {
      StableTables.update(table, moved, new long[] {11, 5, 7}, rows, allocator);
    }
    check(uri);
    StableTables.delete(table, offsets(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    check(uri);
    appendTheirs(uri, 50, 60);
    oracle.delete(uri, "k = 15");
    merge(uri, 11, 16, 300);
    check(uri);
    oracle.call("compact", Oracle.args(uri));
    check(uri);
    appendOurs(uri, 400, 405);
    check(uri);
  }

  /** The real library gives the ids of later rows out again after a restore (F13). */
  @Test
  void idsAreNotReusedAfterARestoreOfOurs() {
    String uri = uri("ours");
    createOurs(uri);
    appendOurs(uri, 25, 30);
    try (Dataset dataset = open(uri);
        Dataset first = dataset.checkout(1)) {
      first.restore().close();
    }
    appendTheirs(uri, 25, 28);
    check(uri);
    try (ArrowTable rows = oracle.scan(uri, allocator, "_rowid")) {
      UInt8Vector ids = (UInt8Vector) rows.column("_rowid");
      assertThat(List.of(ids.get(25), ids.get(26), ids.get(27))).containsExactly(30L, 31L, 32L);
    }
  }

  @Test
  void anySequenceIsWrittenAsTheyWriteIt() {
    Random random = new Random(30);
    List<long[]> lists = new ArrayList<>();
    ObjectNode args = Oracle.args();
    ArrayNode array = args.putArray("lists");
    for (int i = 0; i < 3_000; i++) {
      long[] rowIds = RandomRowIds.next(random, i);
      ArrayNode list = array.addArray();
      for (long rowId : rowIds) {
        list.add(rowId);
      }
      lists.add(rowIds);
    }
    JsonNode encoded = oracle.call("encodeRowIds", args);
    for (int i = 0; i < lists.size(); i++) {
      assertThat(RowIdSequence.of(lists.get(i)).toByteString())
          .as("%s", lists.get(i))
          .isEqualTo(StableTables.inline(encoded.get(i).asText()));
    }
  }

  /** Around the size at which deletions become a bitmap. */
  @ParameterizedTest
  @ValueSource(ints = {4_998, 4_999, 5_000, 5_001})
  void ourDeletionFilesAreReadInBothForms(int deleted) {
    String uri = uri("ours");
    try (ArrowTable rows = StableTables.rows(keys(0, 12_000), 0, allocator)) {
      Dataset.write(uri).allocator(allocator).stableRowIds(true).from(rows.root()).close();
    }
    // Every other row, then a row between them.
    int[] offsets = new int[deleted];
    for (int i = 0; i < deleted; i++) {
      offsets[i] = 2 * i;
    }
    Table table = StableTables.table(uri);
    StableTables.delete(table, offsets(0, offsets));
    checkForm(uri, deleted < 5_000 ? DeletionFile.Form.ARROW_ARRAY : DeletionFile.Form.BITMAP);
    check(uri);
    assertThat(oracle.countRows(uri)).isEqualTo(12_000 - deleted);
    StableTables.delete(table, offsets(0, 1));
    checkForm(
        uri,
        deleted + 1 <= 5_000 && deleted < 5_000
            ? DeletionFile.Form.ARROW_ARRAY
            : DeletionFile.Form.BITMAP);
    check(uri);
  }

  @ParameterizedTest
  @ValueSource(ints = {4_998, 4_999, 5_000, 5_001})
  void theirDeletionFilesAreReadInBothForms(int deleted) {
    String uri = uri("theirs");
    ObjectNode args = Oracle.args(uri).put("fileVersion", "2.1").put("stableRowIds", true);
    try (ArrowTable rows = StableTables.rows(keys(0, 12_000), 0, allocator)) {
      oracle.send("write", args, rows);
    }
    oracle.delete(uri, "k % 2 = 0 and k < " + 2 * deleted);
    checkForm(uri, deleted < 5_000 ? DeletionFile.Form.ARROW_ARRAY : DeletionFile.Form.BITMAP);
    check(uri);
    oracle.delete(uri, "k = 1");
    checkForm(
        uri,
        deleted + 1 <= 5_000 && deleted < 5_000
            ? DeletionFile.Form.ARROW_ARRAY
            : DeletionFile.Form.BITMAP);
    check(uri);
  }

  private static void checkForm(String uri, DeletionFile.Form form) {
    TableVersion version = StableTables.table(uri).latest();
    FragmentMetadata fragment = version.manifest().fragments().get(0);
    assertThat(fragment.deletionFile().orElseThrow().form()).isEqualTo(form);
    DeletionVector vector = DeletionFiles.read(version, fragment);
    assertThat(fragment.deletedRows()).isEqualTo(vector.cardinality());
  }
}
