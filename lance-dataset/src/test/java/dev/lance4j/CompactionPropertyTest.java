package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Random tables hold the same rows before and after compactions, whatever others write between plan
 * and commit; and what others deleted or changed stays so.
 */
class CompactionPropertyTest {
  private static final String PATH = "table";
  private static final FileVersion[] FILES = {FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2};

  private static final List<NullPattern> NULLS = List.of(NullPattern.values());

  private BufferAllocator allocator;
  private ObjectStore store;
  private Random random;
  private boolean stable;
  private long nextKey;
  private List<Field> fields;

  @Property(tries = 60)
  void rowsOutliveCompactions(@ForAll Random seed) {
    random = seed;
    nextKey = 0;
    store = new MemoryObjectStore();
    try (BufferAllocator root = new RootAllocator()) {
      allocator = root;
      rowsOutliveCompactions();
    }
  }

  private void rowsOutliveCompactions() {
    stable = random.nextBoolean();
    FileVersion version = FILES[random.nextInt(FILES.length)];
    fields = new ArrayList<>(List.of(SampleFields.int64("k")));
    List<Field> samples = SampleFields.of(version);
    for (int i = 0; i < 3; i++) {
      Field sample = samples.get(random.nextInt(samples.size()));
      boolean known = fields.stream().anyMatch(field -> field.getName().equals(sample.getName()));
      if (!known && sample.getDictionary() == null) {
        fields.add(sample);
      }
    }
    try (ArrowTable rows = rows(1 + random.nextInt(60))) {
      Dataset.write(PATH)
          .store(store)
          .allocator(allocator)
          .fileVersion(version)
          .stableRowIds(stable)
          .maxRowsPerFile(1 + random.nextInt(20))
          .from(rows.root())
          .close();
    }
    for (int round = 0; round < 4; round++) {
      for (int i = random.nextInt(4); i > 0; i--) {
        change();
      }
      compact();
    }
  }

  private ArrowTable rows(int count) {
    NullPattern nulls = NULLS.get(random.nextInt(NULLS.size()));
    ArrowTable rows = RandomData.table(fields, nulls, count, random.nextLong(), allocator);
    BigIntVector keys = (BigIntVector) rows.column("k");
    for (int i = 0; i < count; i++) {
      keys.set(i, nextKey++);
    }
    return rows;
  }

  private Dataset open() {
    return Dataset.open(PATH, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  /** What somebody else might do. */
  private void change() {
    try (Dataset dataset = open()) {
      switch (random.nextInt(4)) {
        case 0 -> {
          try (ArrowTable rows = rows(1 + random.nextInt(15))) {
            dataset.append(rows.root()).close();
          }
        }
        case 1 -> dataset.delete(someKeys()).dataset().close();
        case 2 -> {
          // Keys stay apart from those of other rows.
          long moved = 1_000_000L * (1 + random.nextInt(1_000));
          dataset.update().where(someKeys()).set("k", "k + " + moved).execute().dataset().close();
        }
        default -> dataset.updateConfig(Map.of("setting", "" + random.nextInt())).close();
      }
    }
  }

  private String someKeys() {
    long from = random.nextInt((int) nextKey + 1);
    return "k % 1000000 BETWEEN " + from + " AND " + (from + random.nextInt(9));
  }

  private CompactionOptions options() {
    return CompactionOptions.builder()
        .targetRowsPerFragment(1 + random.nextInt(40))
        .materializeDeletionsThreshold(random.nextInt(4) / 10f)
        .batchSize(1 + random.nextInt(20))
        .build();
  }

  private void compact() {
    CompactionOptions options = options();
    try (Dataset planned = open()) {
      List<RewriteResult> results = new ArrayList<>();
      for (CompactionTask task : planned.planCompaction(options).tasks()) {
        results.add(task.execute(planned));
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        change();
      }
      List<RewriteResult> chosen =
          random.nextInt(3) == 0 ? results.subList(0, results.size() / 2) : results;
      Map<Object, Map<String, Object>> before;
      try (Dataset now = open()) {
        before = content(now);
      }
      try (Dataset committing = random.nextBoolean() ? open() : planned.latest()) {
        CompactionResult result = committing.commitCompaction(chosen, options);
        try (Dataset compacted = result.dataset()) {
          assertThat(content(compacted)).isEqualTo(before);
          assertThat(result.fragmentsRemoved() > 0).isEqualTo(!chosen.isEmpty());
        }
      } catch (CommitConflictException e) {
        assertThat(e.isRetryable()).isTrue();
      }
      try (Dataset now = open()) {
        assertThat(content(now)).isEqualTo(before);
      }
    }
    try (Dataset now = open();
        Dataset compacted = now.compact(options).dataset()) {
      assertThat(content(compacted)).isEqualTo(content(now));
      // What is left are rows that did not fill the last fragment of a task.
      assertThat(compacted.planCompaction(options).tasks().size())
          .isLessThanOrEqualTo(now.planCompaction(options).tasks().size());
    }
  }

  /** All that is known of rows, by key. */
  private Map<Object, Map<String, Object>> content(Dataset dataset) {
    List<String> columns = new ArrayList<>(fields.stream().map(Field::getName).toList());
    if (stable) {
      columns.addAll(List.of("_rowid", "_row_created_at_version", "_row_last_updated_at_version"));
    }
    List<Map<String, Object>> rows =
        Rows.drain(dataset.scan().select(columns.toArray(String[]::new)).open(), allocator);
    assertThat(dataset.countRows()).isEqualTo(rows.size());
    Map<Object, Map<String, Object>> byKey = new HashMap<>();
    rows.forEach(row -> assertThat(byKey.put(row.get("k"), row)).as("a second row").isNull());
    return byKey;
  }
}
