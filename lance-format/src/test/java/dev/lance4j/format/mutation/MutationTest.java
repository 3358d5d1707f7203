package dev.lance4j.format.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.lance4j.format.FileScan;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.TableBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Whatever happens to a file, reading it gives rows or a {@link LanceException}. */
class MutationTest {
  private static final String PATH = "damaged";
  private static final long MEMORY = 256L << 20;
  private static final int SECONDS = 30;

  /** Bytes of a value with which a batch may not fit in memory. */
  private static final int WIDE = 10_000;

  /** A damaged file may claim any number of rows. */
  private static final int MAX_BATCHES = 4;

  private static final List<MutationSeeds.Seed> SEEDS = MutationSeeds.all();
  private static final ExecutorService THREAD =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "mutation");
            thread.setDaemon(true);
            return thread;
          });

  /** A file and what decides how it is damaged. */
  record Damage(int file, long seed) {
    @Override
    public String toString() {
      return SEEDS.get(file).name() + " with seed " + seed;
    }
  }

  @AfterContainer
  static void stop() {
    THREAD.shutdownNow();
  }

  @Provide
  static Arbitrary<Damage> damages() {
    return Combinators.combine(
            Arbitraries.integers().between(0, SEEDS.size() - 1), Arbitraries.longs())
        .as(Damage::new);
  }

  @Property(
      tries = 6_000,
      seed = "42",
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.OFF)
  void aDamagedFileGivesRowsOrALanceException(@ForAll("damages") Damage damage) {
    SplittableRandom random = new SplittableRandom(damage.seed);
    byte[] bytes = new FileMutator(SEEDS.get(damage.file).bytes(), random).mutate();
    withinLimits(() -> read(bytes, random));
  }

  @Example
  void theFilesAreReadableAsLongAsTheyAreNotDamaged() {
    for (MutationSeeds.Seed seed : SEEDS) {
      MemoryObjectStore store = new MemoryObjectStore();
      store.putIfAbsent(PATH, ByteBuffer.wrap(seed.bytes()));
      try (BufferAllocator allocator = new RootAllocator(MEMORY);
          LanceFileReader reader = LanceFileReader.open(store, PATH)) {
        assertThat(reader.rowCount()).as(seed.name()).isPositive();
        scan(reader.scan(), reader.rowCount(), allocator);
      }
    }
  }

  private static void withinLimits(Runnable task) {
    try {
      long allocated = THREAD.submit(() -> allocatedBy(task)).get(SECONDS, TimeUnit.SECONDS);
      assertThat(allocated).as("bytes of heap").isLessThan(MEMORY);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("still reading after " + SECONDS + " seconds", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static long allocatedBy(Runnable task) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    task.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private static void read(byte[] bytes, SplittableRandom random) {
    MemoryObjectStore store = new MemoryObjectStore();
    store.putIfAbsent(PATH, ByteBuffer.wrap(bytes));
    try (BufferAllocator allocator = new RootAllocator(MEMORY);
        LanceFileReader reader = LanceFileReader.open(store, PATH)) {
      long rows = reader.rowCount();
      boolean wide = reader.schema().toArrow().getFields().stream().anyMatch(MutationTest::isWide);
      orError(wide, () -> scan(reader.scan(), rows, allocator));
      if (rows > 0) {
        long start = random.nextLong(rows);
        long end = start + Math.min(1 + random.nextInt(20), rows - start);
        orError(wide, () -> scan(reader.scan().range(start, end), end - start, allocator));
        long[] picks = random.longs(10, 0, rows).toArray();
        orError(wide, () -> scan(reader.scan().rows(picks), picks.length, allocator));
      }
    } catch (LanceException expected) {
      // What is wrong was noticed on opening.
    }
  }

  /**
   * Whether a single value takes so much memory that none may be left, since fixed-size lists have
   * it even for nulls.
   */
  private static boolean isWide(Field field) {
    return width(field) > WIDE;
  }

  private static double width(Field field) {
    if (field.getType() instanceof ArrowType.FixedSizeBinary binary) {
      return binary.getByteWidth();
    }
    double width = field.getChildren().stream().mapToDouble(MutationTest::width).sum();
    return field.getType() instanceof ArrowType.FixedSizeList list
        ? width * list.getListSize()
        : Math.max(width, Long.BYTES);
  }

  private static void orError(boolean wide, Runnable scan) {
    try {
      scan.run();
    } catch (LanceException expected) {
      if (!wide && expected.getCause() instanceof OutOfMemoryException) {
        throw expected;
      }
    }
  }

  /** Reads the first batches and looks at each value in them. */
  private static void scan(FileScan scan, long expectedRows, BufferAllocator allocator) {
    try (ArrowReader batches = scan.open(allocator)) {
      VectorSchemaRoot root = batches.getVectorSchemaRoot();
      long rows = 0;
      for (int i = 0; i < MAX_BATCHES && batches.loadNextBatch(); i++) {
        rows += root.getRowCount();
        for (FieldVector vector : root.getFieldVectors()) {
          VectorCheck.check(vector, root.getRowCount());
        }
        try (TableBuilder copy = new TableBuilder(allocator)) {
          copy.append(root, batches);
        }
      }
      long most = (long) MAX_BATCHES * FileScan.DEFAULT_BATCH_SIZE;
      assertThat(rows).as("rows").isEqualTo(Math.min(expectedRows, most));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
