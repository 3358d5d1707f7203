package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.MergeTwin.Row;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenNotMatched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Random merges leave what a merge of lists in memory leaves. */
class MergePropertyTest {
  private static final String PATH = "table";
  private static final int MERGES = 4;

  @Property(tries = 120)
  void mergesLikeListsInMemory(@ForAll Random random) throws Exception {
    MemoryObjectStore store = new MemoryObjectStore();
    FileVersion[] versions = {FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2};
    FileVersion version = versions[random.nextInt(versions.length)];
    MergeTwin twin = new MergeTwin(random, version != FileVersion.V2_0);
    boolean stable = random.nextBoolean();
    try (BufferAllocator allocator = new RootAllocator()) {
      OpenOptions options = OpenOptions.builder().store(store).allocator(allocator).build();
      create(twin, store, version, stable, random, allocator);
      for (int i = 0; i < MERGES; i++) {
        try (Dataset dataset = Dataset.open(PATH, options)) {
          if (random.nextInt(3) == 0) {
            long bound = random.nextInt(MergeTwin.KEYS);
            twin.deleteWhere(row -> row.value("v") != null && (Long) row.value("v") > bound);
            dataset.delete("v > " + bound).dataset().close();
          }
        }
        try (Dataset dataset = Dataset.open(PATH, options)) {
          merge(dataset, twin, stable, random, allocator);
        }
      }
    }
  }

  private static void create(
      MergeTwin twin,
      MemoryObjectStore store,
      FileVersion version,
      boolean stable,
      Random random,
      BufferAllocator allocator) {
    try (VectorSchemaRoot root = twin.root(twin.schema(), twin.rows(), allocator)) {
      Dataset.write(PATH)
          .store(store)
          .allocator(allocator)
          .fileVersion(version)
          .stableRowIds(stable)
          .maxRowsPerFile(1 + random.nextInt(12))
          .from(root)
          .close();
    }
  }

  private static void merge(
      Dataset dataset, MergeTwin twin, boolean stable, Random random, BufferAllocator allocator)
      throws Exception {
    MergeTwin.Job job = twin.randomJob(random);
    MergeInsertBuilder merge =
        dataset
            .mergeInsert(twin.keys().toArray(String[]::new))
            .whenMatched(job.matched())
            .whenNotMatched(job.inserts() ? WhenNotMatched.insertAll() : WhenNotMatched.doNothing())
            .whenNotMatchedBySource(job.bySource())
            .duplicates(job.duplicates())
            .maxRowsPerFile(1 + random.nextInt(15))
            .form(random.nextInt(3) == 0 ? MergeOptions.Form.REWRITE_ROWS : MergeOptions.Form.AUTO);
    if (random.nextBoolean()) {
      merge.memoryBudget(8L * (40 + random.nextInt(400)));
    }
    long firstNewId = twin.rows().stream().mapToLong(Row::id).max().orElse(-1) + 1;
    List<VectorSchemaRoot> batches = twin.batches(job, random, allocator);
    try {
      BatchSource source = BatchSource.of(twin.schema(job.columns()), batches.iterator(), null);
      MergeTwin.Outcome expected = twin.merge(job);
      if (expected == null) {
        assertThatThrownBy(() -> merge.execute(source)).isInstanceOf(InvalidInputException.class);
        return;
      }
      MergeResult result = merge.execute(source);
      try (Dataset after = result.dataset()) {
        List<Row> actual = rows(after, stable);
        assertThat(
                actual.stream()
                    .map(row -> asNew(row, stable ? firstNewId : Long.MAX_VALUE).toString()))
            .as("%s", job)
            .containsExactlyInAnyOrderElementsOf(
                twin.rows().stream()
                    .map(row -> stable ? row : row.withId(0))
                    .map(Row::toString)
                    .toList());
        assertThat(actual.stream().map(Row::id).distinct())
            .hasSize(stable ? actual.size() : Math.min(1, actual.size()));
        assertThat(
                new MergeTwin.Outcome(
                    result.rowsInserted(), result.rowsUpdated(), result.rowsDeleted()))
            .as("%s", job)
            .isEqualTo(expected);
        assertThat(after.countRows()).isEqualTo(twin.rows().size());
        twin.setRows(actual);
      }
    } finally {
      batches.forEach(VectorSchemaRoot::close);
    }
  }

  private static Row asNew(Row row, long firstNewId) {
    return row.id() >= firstNewId ? row.withId(Row.NEW) : row;
  }

  /** All rows, with the id 0 where ids are not stable. */
  private static List<Row> rows(Dataset dataset, boolean stable) throws Exception {
    List<Row> rows = new ArrayList<>();
    try (ArrowReader reader = dataset.scan().withRowId().open()) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int i = 0; i < root.getRowCount(); i++) {
          Map<String, Object> values = new HashMap<>();
          for (FieldVector vector : root.getFieldVectors()) {
            values.put(vector.getName(), MergeTwin.read(vector, i));
          }
          // Files of version 2.0 do not tell a null struct from one of nulls.
          if (values.get("st") instanceof Map<?, ?> struct
              && struct.values().stream().allMatch(Objects::isNull)) {
            values.put("st", null);
          }
          Object id = values.remove("_rowid");
          rows.add(new Row(values, stable ? (Long) id : 0));
        }
      }
    }
    return rows;
  }
}
