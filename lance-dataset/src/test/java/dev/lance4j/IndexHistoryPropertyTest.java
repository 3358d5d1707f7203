package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Random histories of a table of unique keys {@code k} and values {@code v} with indices on both:
 * after each step every look-up finds what a map in memory has, with the indices and without.
 */
class IndexHistoryPropertyTest {
  private static final String PATH = "table";
  private static final int KEYS = 60;
  private static final int VALUES = 8;
  private static final int STEPS = 14;

  private static final class History {
    private final Random random;
    private final OpenOptions options;
    private final BufferAllocator allocator;
    private final Map<Integer, Integer> twin = new TreeMap<>();
    private final List<String> steps = new ArrayList<>();

    History(Random random, OpenOptions options, BufferAllocator allocator) {
      this.random = random;
      this.options = options;
      this.allocator = allocator;
    }

    private Integer value() {
      return random.nextInt(5) == 0 ? null : random.nextInt(VALUES);
    }

    private VectorSchemaRoot rows(Map<Integer, Integer> values) {
      IntVector keys = new IntVector("k", allocator);
      IntVector numbers = new IntVector("v", allocator);
      IntVector others = new IntVector("w", allocator);
      int row = 0;
      for (Map.Entry<Integer, Integer> each : values.entrySet()) {
        keys.setSafe(row, each.getKey());
        if (each.getValue() != null) {
          numbers.setSafe(row, each.getValue());
        }
        others.setSafe(row++, each.getKey());
      }
      VectorSchemaRoot root = VectorSchemaRoot.of(keys, numbers, others);
      root.getFieldVectors().forEach(vector -> vector.setValueCount(values.size()));
      root.setRowCount(values.size());
      return root;
    }

    private Map<Integer, Integer> newRows(int most) {
      Map<Integer, Integer> rows = new TreeMap<>();
      for (int i = random.nextInt(most); i >= 0; i--) {
        int key = random.nextInt(KEYS);
        if (!twin.containsKey(key)) {
          rows.put(key, value());
        }
      }
      return rows;
    }

    void create(MemoryObjectStore store, boolean stable) {
      Map<Integer, Integer> rows = newRows(40);
      rows.putIfAbsent(0, 0);
      try (VectorSchemaRoot root = rows(rows)) {
        Dataset.write(PATH)
            .store(store)
            .allocator(allocator)
            .stableRowIds(stable)
            .maxRowsPerFile(1 + random.nextInt(20))
            .from(root)
            .close();
      }
      twin.putAll(rows);
    }

    void step() {
      try (Dataset dataset = Dataset.open(PATH, options)) {
        switch (random.nextInt(10)) {
          case 0 -> append(dataset);
          case 1 -> update(dataset);
          case 2 -> delete(dataset);
          case 3 -> merge(dataset, MergeOptions.Form.REWRITE_ROWS);
          case 4 -> merge(dataset, MergeOptions.Form.REWRITE_COLUMNS);
          case 5 -> {
            steps.add("compact");
            dataset.compact(CompactionOptions.builder().build()).dataset().close();
          }
          case 6 -> {
            steps.add("optimise");
            OptimizeOptions[] kinds = {
              OptimizeOptions.append(), OptimizeOptions.merge(1), OptimizeOptions.retrain()
            };
            dataset.optimizeIndices(kinds[random.nextInt(kinds.length)]).close();
          }
          case 7, 8 -> index(dataset, random.nextBoolean() ? "k" : "v");
          default -> drop(dataset);
        }
      }
    }

    private void append(Dataset dataset) {
      Map<Integer, Integer> rows = newRows(12);
      steps.add("append " + rows);
      try (VectorSchemaRoot root = rows(rows)) {
        dataset.append(root).close();
      }
      twin.putAll(rows);
    }

    private void update(Dataset dataset) {
      int old = random.nextInt(VALUES);
      int next = random.nextInt(VALUES);
      steps.add("update v = " + old + " to " + next);
      long updated =
          closed(dataset.update().where("v = " + old).set("v", String.valueOf(next)).execute());
      assertThat(updated).as("%s", steps).isEqualTo(count(old));
      twin.replaceAll((key, value) -> value != null && value == old ? (Integer) next : value);
    }

    private static long closed(UpdateResult result) {
      result.dataset().close();
      return result.rowsUpdated();
    }

    private long count(int value) {
      return twin.values().stream().filter(each -> each != null && each == value).count();
    }

    private void delete(Dataset dataset) {
      int key = random.nextInt(KEYS);
      int value = random.nextInt(VALUES);
      String filter = "k BETWEEN " + key + " AND " + (key + 3) + " OR v = " + value;
      steps.add("delete " + filter);
      DeleteResult result = dataset.delete(filter);
      result.dataset().close();
      int before = twin.size();
      twin.entrySet()
          .removeIf(
              row ->
                  (row.getKey() >= key && row.getKey() <= key + 3)
                      || (row.getValue() != null && row.getValue() == value));
      assertThat(result.rowsDeleted()).as("%s", steps).isEqualTo(before - twin.size());
    }

    private void merge(Dataset dataset, MergeOptions.Form form) {
      Map<Integer, Integer> rows = new TreeMap<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        rows.put(random.nextInt(KEYS), value());
      }
      steps.add("merge " + rows + " " + form);
      try (VectorSchemaRoot root = rows(rows)) {
        dataset
            .mergeInsert("k")
            .form(form)
            .whenMatched(WhenMatched.updateAll())
            .whenNotMatched(WhenNotMatched.insertAll())
            .execute(root)
            .dataset()
            .close();
      }
      twin.putAll(rows);
    }

    private void index(Dataset dataset, String column) {
      List<ScalarIndexSpec> kinds = IndexKindsUnderTest.ofValues();
      int kind = random.nextInt(kinds.size());
      String name = column + kind + random.nextInt(2);
      steps.add("index " + column + " by " + kinds.get(kind) + " as " + name);
      IndexOptions options =
          IndexOptions.builder().name(name).replace(true).train(random.nextInt(8) > 0).build();
      dataset.createIndex(column, kinds.get(kind), options).close();
    }

    private void drop(Dataset dataset) {
      List<IndexDescription> indices = dataset.describeIndices();
      if (!indices.isEmpty()) {
        String name = indices.get(random.nextInt(indices.size())).name();
        steps.add("drop " + name);
        dataset.dropIndex(name).close();
      }
    }

    void check() {
      try (Dataset dataset = Dataset.open(PATH, options)) {
        for (int value = 0; value < VALUES; value++) {
          String filter = "v = " + value;
          assertThat(dataset.countRows(filter))
              .as("%s after %s", filter, steps)
              .isEqualTo(count(value));
        }
        for (int i = 0; i < 10; i++) {
          int key = random.nextInt(KEYS);
          String filter = "k = " + key;
          assertThat(dataset.countRows(filter))
              .as("%s after %s", filter, steps)
              .isEqualTo(twin.containsKey(key) ? 1 : 0);
        }
        long nulls = twin.values().stream().filter(each -> each == null).count();
        assertThat(dataset.countRows("v IS NULL")).as("%s", steps).isEqualTo(nulls);
        for (String filter :
            List.of(
                "v != 3",
                "NOT (v IN (1, 2) OR k > 40)",
                "v >= 2 AND v < 6 AND w > 10",
                "k BETWEEN 10 AND 30 OR v = 5",
                "v IS NOT NULL AND k < 50")) {
          IndexedScans.requireSame(
              dataset.scan().withRowId().withRowAddress().where(filter), allocator);
        }
      }
    }
  }

  @Property(tries = 150)
  void everyLookUpFindsWhatIsThere(@ForAll Random random) {
    MemoryObjectStore store = new MemoryObjectStore();
    try (BufferAllocator allocator = new RootAllocator()) {
      OpenOptions options = OpenOptions.builder().store(store).allocator(allocator).build();
      History history = new History(random, options, allocator);
      history.create(store, random.nextBoolean());
      try (Dataset dataset = Dataset.open(PATH, options)) {
        history.index(dataset, "k");
      }
      try (Dataset dataset = Dataset.open(PATH, options)) {
        history.index(dataset, "v");
      }
      for (int i = 0; i < STEPS; i++) {
        history.step();
        history.check();
      }
    }
  }
}
