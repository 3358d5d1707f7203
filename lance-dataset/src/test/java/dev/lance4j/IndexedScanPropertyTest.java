package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.testing.RandomConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Whatever the indices, the table and the filter: a scan gives what it gives without indices. */
class IndexedScanPropertyTest {
  private static final String PATH = "table";
  private static final List<String> COLUMNS = List.of("l", "i", "d", "s", "b");

  private static final AtomicInteger SCANS = new AtomicInteger();
  private static final AtomicInteger LOOK_UPS = new AtomicInteger();

  @AfterContainer
  static void manyScansUseIndices() {
    assertThat(LOOK_UPS.get()).isGreaterThan(SCANS.get() / 20);
  }

  @Property(tries = 120)
  void scansGiveTheSameRowsWithIndicesAndWithout(@ForAll Random random) {
    MemoryObjectStore store = new MemoryObjectStore();
    RandomConditions generator = new RandomConditions(random);
    try (BufferAllocator allocator = new RootAllocator()) {
      OpenOptions options = OpenOptions.builder().store(store).allocator(allocator).build();
      create(store, generator, random, allocator);
      changeSome(options, generator, random, allocator);
      try (Dataset dataset = Dataset.open(PATH, options)) {
        for (int i = 0; i < 30; i++) {
          Scan scan = scan(dataset, generator, random);
          SCANS.incrementAndGet();
          LOOK_UPS.addAndGet(scan.explain().contains("Look up") ? 1 : 0);
          IndexedScans.requireSame(scan, allocator);
        }
      }
    }
  }

  private static void create(
      MemoryObjectStore store,
      RandomConditions generator,
      Random random,
      BufferAllocator allocator) {
    int rows = 1 + random.nextInt(random.nextBoolean() ? 30 : 400);
    try (VectorSchemaRoot batch = RandomConditions.batch(generator.rows(rows), allocator)) {
      Dataset.write(PATH)
          .store(store)
          .allocator(allocator)
          .stableRowIds(random.nextBoolean())
          .maxRowsPerFile(1 + rows / (1 + random.nextInt(5)))
          .from(batch)
          .close();
    }
  }

  /** Builds indices before, between and after changes of the rows. */
  private static void changeSome(
      OpenOptions options, RandomConditions generator, Random random, BufferAllocator allocator) {
    for (String column : COLUMNS) {
      change(options, generator, random, allocator);
      for (int i = random.nextInt(3); i > 0; i--) {
        try (Dataset dataset = Dataset.open(PATH, options)) {
          List<ScalarIndexSpec> kinds = IndexKindsUnderTest.on(dataset.schema().findField(column));
          ScalarIndexSpec kind = kinds.get(random.nextInt(kinds.size()));
          IndexOptions.Builder index = IndexOptions.builder().name(column + i);
          if (random.nextInt(4) == 0) {
            index.fragmentIds(someFragments(dataset, random));
          }
          dataset.createIndex(column, kind, index.build()).close();
        }
      }
    }
  }

  private static List<Long> someFragments(Dataset dataset, Random random) {
    List<Long> chosen = new ArrayList<>();
    dataset.fragments().forEach(fragment -> chosen.add(fragment.id()));
    chosen.removeIf(id -> random.nextBoolean());
    return chosen;
  }

  private static void change(
      OpenOptions options, RandomConditions generator, Random random, BufferAllocator allocator) {
    try (Dataset dataset = Dataset.open(PATH, options)) {
      switch (random.nextInt(4)) {
        case 0 -> {
          try (VectorSchemaRoot batch =
              RandomConditions.batch(generator.rows(1 + random.nextInt(60)), allocator)) {
            dataset.append(batch).close();
          }
        }
        case 1 -> dataset.delete("l = " + random.nextInt(8) + " AND i >= 0").dataset().close();
        case 2 ->
            dataset
                .update()
                .where("i = " + random.nextInt(8))
                .set("i", "i + 1")
                .set("s", "'abc'")
                .execute()
                .dataset()
                .close();
        default -> {}
      }
    }
  }

  private static Scan scan(Dataset dataset, RandomConditions generator, Random random) {
    Scan scan = dataset.scan().where(generator.condition(random.nextInt(4)).text());
    scan =
        switch (random.nextInt(3)) {
          case 0 -> scan.select("s", "i").withRowId();
          case 1 -> scan.withRowAddress();
          default -> scan.select();
        };
    if (random.nextInt(4) == 0) {
      long[] ids = dataset.fragments().stream().mapToLong(fragment -> fragment.id()).toArray();
      long[] chosen = new long[ids.length == 0 ? 0 : 1 + random.nextInt(3)];
      for (int i = 0; i < chosen.length; i++) {
        chosen[i] = ids[random.nextInt(ids.length)];
      }
      scan = scan.fragments(chosen);
    }
    if (random.nextInt(4) == 0) {
      scan = scan.orderBy(Ordering.desc("i"), Ordering.asc("_rowaddr"));
    }
    if (random.nextInt(3) == 0) {
      scan = scan.offset(random.nextInt(10)).limit(random.nextInt(40));
    }
    if (random.nextInt(6) == 0) {
      scan = scan.withRowId().includeDeletedRows();
    }
    return scan.batchSize(1 + random.nextInt(random.nextBoolean() ? 10 : 1_000));
  }
}
