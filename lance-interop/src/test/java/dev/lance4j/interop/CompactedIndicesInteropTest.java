package dev.lance4j.interop;

import static dev.lance4j.interop.StableTables.keys;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexFile;
import dev.lance4j.table.IndexMetadata;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each library compacts tables with indices, and the other uses the indices. */
@WithOracle
class CompactedIndicesInteropTest {
  private static final int ROWS = 60;
  private static final CompactionOptions DEFERRED =
      CompactionOptions.builder().deferIndexRemap(true).build();

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;
  private String uri;

  @BeforeEach
  void locate() {
    uri = folder.resolve("table.lance").toString();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset open() {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /** Three fragments, an index on k, and some rows deleted. */
  private void create(boolean stable) {
    ObjectNode args = Oracle.args(uri).put("stableRowIds", stable).put("maxRowsPerFile", 20);
    try (ArrowTable rows = StableTables.rows(keys(0, ROWS), 0, allocator)) {
      oracle.send("write", args, rows);
    }
    oracle.createScalarIndex(uri, "k", "BTREE", "btree");
    oracle.delete(uri, "k IN (1, 25, 59)");
  }

  private void append(int start, int end) {
    try (ArrowTable rows = StableTables.rows(keys(start, end), 0, allocator)) {
      oracle.append(uri, rows);
    }
  }

  private void compactOurs(CompactionOptions options) {
    try (Dataset dataset = open()) {
      dataset.compact(options).dataset().close();
    }
  }

  /** Both find each key, through the index where it covers the rows. */
  private void check(int end, List<Integer> gone) {
    List<Integer> missing = new ArrayList<>();
    List<Integer> missingForUs = new ArrayList<>();
    try (Dataset dataset = open()) {
      for (int key = 0; key < end; key++) {
        if (oracle.countRows(uri, "k = " + key) != 1) {
          missing.add(key);
        }
        if (dataset.countRows("k = " + key) != 1) {
          missingForUs.add(key);
        }
      }
    }
    assertThat(missing).as("keys that the real library does not find").isEqualTo(gone);
    assertThat(missingForUs).as("keys that we do not find").isEqualTo(gone);
  }

  private List<Integer> covered() {
    List<Integer> ids = new ArrayList<>();
    for (JsonNode segment : oracle.call("indexSegments", Oracle.args(uri))) {
      if (segment.get("name").asText().equals("k_idx")) {
        segment.get("fragmentIds").forEach(id -> ids.add(id.asInt()));
      }
    }
    return ids;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRealLibraryUsesIndicesThatWeTookAlong(boolean stable) {
    create(stable);
    append(ROWS, 70);

    compactOurs(CompactionOptions.defaults());

    assertThat(covered()).containsExactly(4);
    check(70, List.of(1, 25, 59));
    oracle.call("optimizeIndices", Oracle.args(uri));
    check(70, List.of(1, 25, 59));
  }

  @Test
  void theRealLibraryTranslatesWhatWeDeferred() {
    create(false);
    compactOurs(DEFERRED);
    check(ROWS, List.of(1, 25, 59));
    append(ROWS, 70);
    compactOurs(DEFERRED);
    check(70, List.of(1, 25, 59));

    try (Dataset dataset = open();
        Dataset remapped = dataset.remapIndices()) {
      assertThat(remapped.version()).isEqualTo(dataset.version() + 1);
    }
    check(70, List.of(1, 25, 59));
    try (Dataset dataset = open();
        Dataset trimmed = dataset.trimFragmentReuse()) {
      assertThat(FragmentReuse.of(trimmed.source().version()).orElseThrow().versions()).isEmpty();
    }
    check(70, List.of(1, 25, 59));
  }

  /** Every third of two million rows is deleted, so that much is to be said of where rows went. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLargeRecordOfADeferredCompactionLiesInAFileThatBothRead(boolean ours) {
    int rows = 2_000_000;
    try (ArrowTable table = StableTables.rows(keys(0, rows), 0, allocator)) {
      Dataset.write(uri).allocator(allocator).maxRowsPerFile(rows / 2).from(table.root()).close();
    }
    oracle.createScalarIndex(uri, "k", "BTREE", "btree");
    oracle.delete(uri, "k % 3 = 0");

    if (ours) {
      compactOurs(DEFERRED);
    } else {
      oracle.call("compact", Oracle.args(uri).put("deferIndexRemap", true));
    }

    UUID record =
        FragmentReuse.entry(StableTables.table(uri).latest().indices()).orElseThrow().uuid();
    assertThat(Path.of(uri, "_indices", record.toString(), "details.binpb")).exists();
    try (Dataset dataset = open()) {
      for (int key = 11; key < rows; key += 217_831) {
        int expected = key % 3 == 0 ? 0 : 1;
        assertThat(dataset.countRows("k = " + key)).as("key %d", key).isEqualTo(expected);
        assertThat(oracle.countRows(uri, "k = " + key)).as("key %d", key).isEqualTo(expected);
      }
      assertThat(dataset.countRows("k < 300000")).isEqualTo(200_000);
    }
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false"})
  void weUseIndicesThatTheRealLibraryTookAlongOrNot(boolean stable, boolean deferred) {
    create(stable);
    append(ROWS, 70);

    oracle.call("compact", Oracle.args(uri).put("deferIndexRemap", deferred));

    check(70, List.of(1, 25, 59));
    try (Dataset dataset = open()) {
      dataset.updateConfig(Map.of("a", "b")).close();
    }
    check(70, List.of(1, 25, 59));
  }

  /** The real library finds no key at all after it did the same, and none of these below. */
  @Test
  void weTranslateWhatTheRealLibraryDeferredBeforeIndicesAreWrittenAnew() {
    create(false);
    oracle.call("compact", Oracle.args(uri).put("deferIndexRemap", true));
    oracle.delete(uri, "k < 10");
    compactOurs(CompactionOptions.defaults());
    List<Integer> gone = List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 25, 59);
    check(ROWS, gone);

    oracle.call("compact", Oracle.args(uri).put("deferIndexRemap", true));
    append(ROWS, 70);
    try (Dataset dataset = open()) {
      dataset.optimizeIndices(OptimizeOptions.merge(1)).close();
    }
    check(70, gone);
  }

  /** What the real library does, so that the difference stays true. */
  @Test
  void theRealLibraryLosesKeysAfterItsOwnDeferredCompaction() {
    create(false);
    oracle.call("compact", Oracle.args(uri).put("deferIndexRemap", true));
    append(ROWS, 70);
    oracle.call("optimizeIndices", Oracle.args(uri));

    assertThat(oracle.countRows(uri, "k = 5")).isZero();
    assertThat(oracle.countRows(uri, "k = 65")).isEqualTo(1);
  }

  @Test
  void bothRecordTheSameOfADeferredCompaction() throws Exception {
    create(false);
    long read = StableTables.table(uri).latest().version();
    compactOurs(DEFERRED);
    FragmentReuse ours = FragmentReuse.of(StableTables.table(uri).latest()).orElseThrow();
    try (Dataset dataset = open();
        Dataset before = dataset.checkout(read)) {
      before.restore().close();
    }
    oracle.call("compact", Oracle.args(uri).put("deferIndexRemap", true));
    FragmentReuse theirs = FragmentReuse.of(StableTables.table(uri).latest()).orElseThrow();

    FragmentReuse.Group our = ours.versions().get(0).groups().get(0);
    FragmentReuse.Group their = theirs.versions().get(0).groups().get(0);
    assertThat(our.rows()).isEqualTo(their.rows());
    assertThat(our.oldFragments()).isEqualTo(their.oldFragments());
    assertThat(our.newFragments())
        .extracting(FragmentReuse.Digest::physicalRows)
        .isEqualTo(their.newFragments().stream().map(FragmentReuse.Digest::physicalRows).toList());
  }

  @Test
  void segmentsThatBothWroteAnewAreDescribedAlike() {
    create(false);
    IndexMetadata before = segment();
    oracle.call("compact", Oracle.args(uri));
    IndexMetadata theirs = segment();
    try (Dataset dataset = open();
        Dataset original = dataset.checkout(3)) {
      original.restore().close();
    }
    assertThat(segment()).isEqualTo(before);
    compactOurs(CompactionOptions.defaults());
    IndexMetadata ours = segment();

    assertThat(ours)
        .usingRecursiveComparison()
        .ignoringFields("uuid", "fragmentBytes", "files")
        .isEqualTo(theirs);
    assertThat(ours.files())
        .extracting(IndexFile::path)
        .hasSameElementsAs(theirs.files().stream().map(IndexFile::path).toList());
  }

  private IndexMetadata segment() {
    return StableTables.table(uri).latest().indices().stream()
        .filter(index -> !index.isSystem())
        .findFirst()
        .orElseThrow();
  }
}
