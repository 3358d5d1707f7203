package dev.lance4j.interop.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.VersionSummary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many processes that change one table at once: each change is there once, or was refused. */
@Tag("reliability")
@WithOracle
class ManyWritersTest {
  // A run on request may be longer.
  private static final int CHANGES = Integer.getInteger("lance4j.reliability.changes", 200);
  private static final int WRITERS = 8;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @Test
  void eachAcknowledgedChangeOfEightProcessesIsThereOnce() throws Exception {
    check(false, CHANGES, 0);
  }

  @Test
  void tablesWithStableRowIdsLoseNothingEither() throws Exception {
    check(true, CHANGES / 4, 0);
  }

  @Test
  void theRealLibraryMayBeOneOfTheWriters() throws Exception {
    check(false, CHANGES / 8, 2);
  }

  private void check(boolean stableRowIds, int changes, int oracles) throws Exception {
    long seed = Long.getLong("lance4j.reliability.seed", System.nanoTime());
    String uri = folder.resolve("shared.lance").toString();
    try (VectorSchemaRoot nothing = KeyedRows.batch(new TreeMap<>(), allocator)) {
      Dataset.write(uri).allocator(allocator).stableRowIds(stableRowIds).from(nothing).close();
    }
    Writers writers = new Writers(uri, folder, seed);
    try {
      for (int i = 0; i < WRITERS; i++) {
        writers.start(i < oracles ? Writers.ORACLE : Writers.LANCE4J, changes);
      }
      writers.await();
    } finally {
      writers.killAll();
    }
    Outcome outcome = Outcome.of(writers);
    // Others may be faster again and again, which is an error that says so; hardly ever, though.
    assertThat(outcome.failures())
        .as("refused with seed %d", seed)
        .allMatch(error -> error.contains("TooMuchContention"))
        .hasSizeLessThanOrEqualTo(WRITERS * changes / 100);
    assertThat(outcome.changes() + outcome.failures().size()).isEqualTo(WRITERS * changes);
    List<String> actual = rows(uri);
    assertThat(actual).as("rows with seed %d", seed).isEqualTo(outcome.expected(actual));
    assertThat(oracleRows(uri)).as("rows for the real library").isEqualTo(actual);
    everyVersionOpens(uri);
  }

  private List<String> rows(String uri) {
    try (Dataset dataset = open(uri)) {
      return KeyedRows.texts(dataset.scan().open());
    }
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private List<String> oracleRows(String uri) {
    List<String> texts = new ArrayList<>();
    try (ArrowTable table = Oracle.shared().scan(uri, allocator)) {
      KeyedRows.addTexts(table.root(), texts);
    }
    texts.sort(null);
    return texts;
  }

  private void everyVersionOpens(String uri) throws Exception {
    try (Dataset dataset = open(uri)) {
      for (VersionSummary version : dataset.versions()) {
        try (Dataset old = dataset.checkout(version.id())) {
          assertThat(KeyedRows.texts(old.scan().open())).hasSize((int) old.countRows());
        }
      }
    }
  }
}
