package dev.lance4j.interop.history;

import dev.lance4j.format.FileVersion;
import dev.lance4j.interop.history.Content.Variant;
import dev.lance4j.interop.history.History.Writers;
import dev.lance4j.interop.history.Step.Kind;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables that go through random histories hold what lists in memory hold. A failure says its seed,
 * and a history as short as could be found. More histories than usual with {@code
 * -Dlance4j.histories=5000}, a single one with {@code -Dlance4j.history=seed}.
 */
@WithOracle
class HistoriesTest {
  private static final int STEPS = 30;
  private static final FileVersion[] FILES = {FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2};

  @TempDir private Path folder;
  private int tables;

  @Test
  void tablesHoldWhatTheirHistoriesMadeThem() throws Exception {
    check(Writers.US, 500, EnumSet.noneOf(Kind.class));
  }

  @Test
  void tablesOfBothLibrariesAreAlike() throws Exception {
    check(Writers.EACH, 40, EnumSet.of(Kind.UPDATE, Kind.CLEAN_UP, Kind.ADD_ROWS));
  }

  @Test
  void bothLibrariesWriteOneTable() throws Exception {
    check(Writers.BOTH, 40, EnumSet.noneOf(Kind.class));
  }

  private void check(Writers writers, int count, Set<Kind> without) throws Exception {
    Long single = Long.getLong("lance4j.history");
    int histories = Integer.getInteger("lance4j.histories", count);
    for (long i = 0; i < histories; i++) {
      long seed = single == null ? i : single;
      List<Step> steps = Step.random(new Random(seed), STEPS, without);
      Failure failure = run(writers, seed, steps);
      if (failure != null) {
        failure = shrunk(writers, seed, steps, failure);
        throw new AssertionError(
            "History "
                + seed
                + " of "
                + writers
                + " and "
                + variant(seed)
                + ":\n"
                + String.join("\n", failure.done),
            failure.cause);
      }
      if (single != null) {
        return;
      }
    }
  }

  /** What went wrong after which changes. */
  private record Failure(List<String> done, Throwable cause) {}

  private static Variant variant(long seed) {
    return new Variant(FILES[(int) Math.floorMod(seed, 3L)], Math.floorMod(seed, 2L) == 1);
  }

  private Failure run(Writers writers, long seed, List<Step> steps) throws IOException {
    Path table = Files.createDirectory(folder.resolve("history-" + tables++));
    List<String> done = List.of();
    try (BufferAllocator allocator = new RootAllocator();
        History history = new History(variant(seed), writers, seed, table, allocator)) {
      done = history.done();
      history.run(steps);
      return null;
    } catch (RuntimeException | AssertionError e) {
      return new Failure(done, e);
    } finally {
      delete(table);
    }
  }

  /** Leaves out steps, many at once first, as long as there is a failure. */
  private Failure shrunk(Writers writers, long seed, List<Step> all, Failure first)
      throws IOException {
    List<Step> steps = all;
    Failure failure = first;
    for (int size = steps.size() / 2; size > 0; size /= 2) {
      for (int from = 0; from < steps.size(); ) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.subList(from, Math.min(from + size, fewer.size())).clear();
        Failure still = run(writers, seed, fewer);
        if (still == null) {
          from += size;
        } else {
          steps = fewer;
          failure = still;
        }
      }
    }
    return failure;
  }

  private static void delete(Path table) throws IOException {
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
