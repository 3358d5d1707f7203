package dev.lance4j.interop.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed while they change a table: it opens at the old version or the new. */
@Tag("reliability")
class KilledWriterTest {
  private static final int KILLS = Integer.getInteger("lance4j.reliability.kills", 100);
  private static final int MOST_MILLIS = 400;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @Test
  void killedWritersLoseNoAcknowledgedRow() throws Exception {
    long seed = Long.getLong("lance4j.reliability.seed", System.nanoTime());
    Random random = new Random(seed);
    String uri = folder.resolve("killed.lance").toString();
    try (VectorSchemaRoot nothing = KeyedRows.batch(new TreeMap<>(), allocator)) {
      Dataset.write(uri).allocator(allocator).from(nothing).close();
    }
    Writers writers = new Writers(uri, folder, seed);
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        Writers.Writer writer = writers.start(Writers.LANCE4J, Integer.MAX_VALUE);
        while (!writer.log().exists()) {
          assertThat(writer.process().isAlive()).isTrue();
          TimeUnit.MILLISECONDS.sleep(1);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_MILLIS));
        writer.process().destroyForcibly().waitFor();
        check(uri, Outcome.of(writers), seed);
      }
      assertThat(Outcome.of(writers).changes()).isGreaterThan(KILLS / 10);
      cleanUpLeavesOnlyWhatTheNewestVersionNeeds(uri);
      check(uri, Outcome.of(writers), seed);
    } finally {
      writers.killAll();
    }
  }

  private void check(String uri, Outcome outcome, long seed) {
    assertThat(outcome.failures()).as("refused with seed %d", seed).isEmpty();
    try (Dataset dataset = open(uri)) {
      List<String> actual = KeyedRows.texts(dataset.scan().open());
      assertThat(actual).as("rows with seed %d", seed).isEqualTo(outcome.expected(actual));
    }
  }

  private void cleanUpLeavesOnlyWhatTheNewestVersionNeeds(String uri) throws IOException {
    try (Dataset dataset = open(uri)) {
      dataset.cleanup(CleanupPolicy.builder().keepLast(1).deleteUnverified(true).build());
      Set<String> needed = new TreeSet<>();
      for (FragmentMetadata fragment : dataset.fragments()) {
        fragment.files().forEach(file -> needed.add("data/" + file.path()));
        fragment
            .deletionFile()
            .ifPresent(file -> needed.add("_deletions/" + file.name(fragment.id())));
      }
      assertThat(filesIn(uri, "data", "_deletions")).isEqualTo(needed);
      assertThat(dataset.versions()).hasSize(1);
      assertThat(filesIn(uri, "_transactions")).hasSizeLessThanOrEqualTo(1);
    }
  }

  private static Set<String> filesIn(String uri, String... folders) throws IOException {
    Path root = Path.of(uri);
    Set<String> names = new TreeSet<>();
    for (String folder : folders) {
      if (Files.exists(root.resolve(folder))) {
        try (Stream<Path> files = Files.walk(root.resolve(folder))) {
          files
              .filter(Files::isRegularFile)
              .forEach(file -> names.add(root.relativize(file).toString()));
        }
      }
    }
    return names;
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }
}
