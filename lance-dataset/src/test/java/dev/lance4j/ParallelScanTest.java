package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.Session;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ParallelScanTest {
  private static final int ROWS = 50_000;

  private final BufferAllocator allocator = new RootAllocator();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final FaultyObjectStore store = new FaultyObjectStore(new MemoryObjectStore());

  @BeforeEach
  void makeTable() {
    try (VectorSchemaRoot rows = Songs.rows(0, ROWS, allocator)) {
      Dataset.write("t").store(store).allocator(allocator).maxRowsPerFile(7_000).from(rows).close();
    }
  }

  @AfterEach
  void nothingIsLeaked() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    allocator.close();
  }

  private Dataset open(BufferAllocator memory) {
    return Dataset.open("t", OpenOptions.builder().store(store).allocator(memory).build());
  }

  private Scan scan(Dataset dataset) {
    return dataset.scan().executor(threads).batchSize(500);
  }

  private static List<Object> numbers(int count) {
    List<Object> numbers = new ArrayList<>();
    for (long k = 0; k < count; k++) {
      numbers.add(k);
    }
    return numbers;
  }

  @Test
  void keepsTheOrderOfTheTableWhateverRunsTheWork() throws Exception {
    Executor refusing =
        ignored -> {
          throw new RejectedExecutionException("full");
        };
    Executor forgetful = ignored -> {};
    try (Dataset dataset = open(allocator)) {
      for (Executor executor : List.of(threads, refusing, forgetful, Runnable::run)) {
        Scan scan = scan(dataset).executor(executor);
        assertThat(Songs.column(scan.open(), "k")).isEqualTo(numbers(ROWS));
        assertThat(Songs.column(scan.inOrder(false).open(), "k"))
            .containsExactlyInAnyOrderElementsOf(numbers(ROWS));
      }
    }
  }

  /** A scan that waits for its own thread's turn would never end. */
  @Test
  void scansInsideTheThreadsThatDoTheWork() throws Exception {
    ExecutorService single = Executors.newSingleThreadExecutor();
    try (Dataset dataset = open(allocator)) {
      Future<Long> count =
          single.submit(() -> Songs.count(dataset.scan().batchSize(500).executor(single).open()));
      assertThat(count.get(30, TimeUnit.SECONDS)).isEqualTo(ROWS);
    } finally {
      single.shutdownNow();
    }
  }

  @Test
  void closingAtAnyPointFreesAllMemory() throws Exception {
    Random random = new Random(11);
    for (int i = 0; i < 150; i++) {
      try (BufferAllocator own = allocator.newChildAllocator("own", 0, Long.MAX_VALUE);
          Dataset dataset = open(own)) {
        Scan scan = scan(dataset).inOrder(random.nextBoolean());
        scan = random.nextBoolean() ? scan : scan.where("k % 3 = 0");
        scan = random.nextInt(3) > 0 ? scan : scan.orderBy(Ordering.desc("s"));
        scan = random.nextInt(3) > 0 ? scan : scan.sortMemory(100_000, null);
        scan = random.nextInt(3) > 0 ? scan : scan.limit(1 + random.nextInt(9_000));
        try (ArrowReader reader = scan.open()) {
          int batches = random.nextInt(30);
          for (int batch = 0; batch < batches && reader.loadNextBatch(); batch++) {
            assertThat(reader.getVectorSchemaRoot().getRowCount()).isPositive();
          }
        }
      }
    }
  }

  @Test
  void readsNoFurtherAheadThanAskedFor() throws Exception {
    CountingObjectStore counting = new CountingObjectStore(store);
    OpenOptions options = OpenOptions.builder().store(counting).allocator(allocator).build();
    try (Dataset dataset = Dataset.open("t", options)) {
      long all = dataset.scan().batchSize(500).analyze().bytes();
      counting.reset();
      try (ArrowReader reader = scan(dataset).readAhead(0).open()) {
        for (int i = 0; i < 5; i++) {
          reader.loadNextBatch();
        }
        assertThat(counting.bytes(StoreCall.READ)).isLessThan(all / 8);
      }
      counting.reset();
      assertThat(Songs.count(dataset.scan().batchSize(500).where("k >= 0").limit(3).open()))
          .isEqualTo(3);
      assertThat(counting.bytes(StoreCall.READ)).isLessThan(all / 20);
    }
  }

  @Test
  void memoryStaysWithinWhatIsReadAhead() throws Exception {
    try (BufferAllocator own = allocator.newChildAllocator("own", 0, Long.MAX_VALUE);
        Dataset dataset = open(own);
        ArrowReader reader = scan(dataset).readAhead(200_000).open()) {
      while (reader.loadNextBatch()) {
        assertThat(reader.getVectorSchemaRoot().getRowCount()).isPositive();
      }
      assertThat(own.getPeakMemoryAllocation()).isLessThan(1_500_000);
    }
  }

  @Test
  void whatFailsInAnotherThreadFailsInTheReader() throws Exception {
    for (int n = 1; n < 60; n += 4) {
      try (BufferAllocator own = allocator.newChildAllocator("own", 0, Long.MAX_VALUE);
          Session session = Session.create(0);
          Dataset dataset =
              Dataset.open(
                  "t",
                  OpenOptions.builder().store(store).allocator(own).session(session).build())) {
        store.failNth(FaultyObjectStore.Fault.ERROR_BEFORE, StoreCall.READ, n);
        assertThatThrownBy(() -> Songs.count(scan(dataset).where("s != 'x'").open()))
            .isInstanceOf(UncheckedIOException.class);
      } finally {
        store.heal();
      }
    }
  }

  @Test
  void conditionsThatCannotBeComputedFailInTheReader() {
    try (Dataset dataset = open(allocator)) {
      assertThatThrownBy(() -> Songs.count(scan(dataset).where("1 / (k - 40000) > 0").open()))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  @Test
  void anInterruptStopsTheReader() throws Exception {
    store.slow(Duration.ofMillis(2));
    try (Dataset dataset = open(allocator)) {
      CountDownLatch started = new CountDownLatch(1);
      AtomicInteger batches = new AtomicInteger();
      List<Throwable> thrown = new ArrayList<>();
      List<Boolean> flags = new ArrayList<>();
      Thread thread =
          new Thread(
              () -> {
                try (ArrowReader reader = scan(dataset).batchSize(50).open()) {
                  while (reader.loadNextBatch()) {
                    batches.incrementAndGet();
                    started.countDown();
                  }
                } catch (Exception e) {
                  thrown.add(e);
                  flags.add(Thread.currentThread().isInterrupted());
                }
              });
      thread.start();
      assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
      thread.interrupt();
      thread.join(30_000);
      assertThat(thread.isAlive()).isFalse();
      assertThat(thrown).hasSize(1);
      assertThat(thrown.get(0))
          .isInstanceOf(LanceException.class)
          .hasMessageContaining("interrupted");
      assertThat(flags).containsExactly(true);
      assertThat(batches.get()).isLessThan(ROWS / 50);
    }
  }
}
