package dev.lance4j.benchmarks;

import dev.lance4j.rowid.FragmentRowIds;
import dev.lance4j.rowid.RowIdIndex;
import dev.lance4j.rowid.RowIdSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.roaringbitmap.RoaringBitmap;

/**
 * Builds the index of stable row ids of ten million rows, a fifth of which were moved, and looks
 * all of them up in random order. The goals are a second and 100 ns for a look-up. From the root of
 * the project:
 *
 * <pre>{@code
 * mvn -B -q -Pbenchmarks -DskipTests package -pl lance-benchmarks -am \
 *     -Dbenchmarks.main=dev.lance4j.benchmarks.RowIdIndexBenchmark
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class RowIdIndexBenchmark {
  private static final int FRAGMENT_ROWS = 1_000_000;
  private static final int FRAGMENTS = 10;
  private static final int ROWS = FRAGMENT_ROWS * FRAGMENTS;
  private static final double MOVED = 0.2;

  /** How the moved rows lie in their new fragments: as they were, or in any order. */
  @Param({"ordered", "shuffled"})
  public String moves;

  private final List<FragmentRowIds> fragments = new ArrayList<>();
  private final long[] rowIds = new long[ROWS];
  private RowIdIndex index;

  /** Runs these benchmarks alone. */
  public static void main(String[] args) throws RunnerException {
    new Runner(
            new OptionsBuilder()
                .include("\\b" + RowIdIndexBenchmark.class.getSimpleName() + "\\b")
                .shouldFailOnError(true)
                .build())
        .run();
  }

  @Setup
  public void prepare() {
    Random random = new Random(7);
    long[] moved = new long[ROWS];
    int count = 0;
    for (int fragment = 0; fragment < FRAGMENTS; fragment++) {
      long first = (long) fragment * FRAGMENT_ROWS;
      RoaringBitmap deleted = new RoaringBitmap();
      for (int offset = 0; offset < FRAGMENT_ROWS; offset++) {
        rowIds[(int) first + offset] = first + offset;
        if (random.nextDouble() < MOVED) {
          deleted.add(offset);
          moved[count++] = first + offset;
        }
      }
      RowIdSequence sequence = RowIdSequence.range(first, first + FRAGMENT_ROWS);
      fragments.add(new FragmentRowIds(fragment, sequence, deleted));
    }
    if (moves.equals("shuffled")) {
      shuffle(moved, count, random);
    }
    for (int from = 0; from < count; from += FRAGMENT_ROWS) {
      int to = Math.min(from + FRAGMENT_ROWS, count);
      RowIdSequence sequence = RowIdSequence.builder().append(moved, from, to).build();
      fragments.add(new FragmentRowIds(fragments.size(), sequence, null));
    }
    shuffle(rowIds, ROWS, random);
    index = RowIdIndex.build("table", fragments);
  }

  private static void shuffle(long[] values, int count, Random random) {
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }

  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public RowIdIndex build() {
    return RowIdIndex.build("table", fragments);
  }

  @Benchmark
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  @OperationsPerInvocation(ROWS)
  public long lookUp() {
    long missing = 0;
    long sum = 0;
    for (long rowId : rowIds) {
      long rowAddress = index.rowAddress(rowId);
      missing += rowAddress < 0 ? 1 : 0;
      sum += rowAddress;
    }
    TableBenchmark.check("the number of ids that were not found", 0, missing);
    return sum;
  }
}
