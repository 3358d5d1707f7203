package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.MergeTwin.Row;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
            .form(random.nextInt(3) == 0 ? MergeOptions.Form.REWRITE_ROWS : MergeOptions.Form.AUTO);
    if (random.nextBoolean()) {
      merge.memoryBudget(8L * (500 + random.nextInt(5000)));
    }
    Map<String, Long> idsBefore = stable ? ids(dataset, twin) : Map.of();
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
        assertThat(rows(after, twin))
            .as("%s", job)
            .containsExactlyInAnyOrderElementsOf(twin.rows().stream().map(Row::toString).toList());
        assertThat(
                new MergeTwin.Outcome(
                    result.rowsInserted(), result.rowsUpdated(), result.rowsDeleted()))
            .as("%s", job)
            .isEqualTo(expected);
        assertThat(after.countRows()).isEqualTo(twin.rows().size());
        checkIds(after, twin, idsBefore, stable);
      }
    } finally {
      batches.forEach(VectorSchemaRoot::close);
    }
  }

  /** Rows are told apart by a number that no merge changes; see {@link MergeTwin}. */
  private static void checkIds(
      Dataset after, MergeTwin twin, Map<String, Long> before, boolean stable) throws Exception {
    if (!stable) {
      return;
    }
    Map<String, Long> now = ids(after, twin);
    assertThat(now.values()).doesNotHaveDuplicates();
    before.forEach(
        (mark, id) -> {
          if (now.containsKey(mark)) {
            assertThat(now.get(mark)).as("row id of %s", mark).isEqualTo(id);
          }
        });
    long highest = before.values().stream().mapToLong(Long::longValue).max().orElse(-1);
    now.forEach(
        (mark, id) -> {
          if (!before.containsKey(mark)) {
            assertThat(id).as("row id of the new %s", mark).isGreaterThan(highest);
          }
        });
  }

  private static Map<String, Long> ids(Dataset dataset, MergeTwin twin) throws Exception {
    Map<String, Long> ids = new HashMap<>();
    List<Object> marks = Songs.column(dataset.scan().select("mark").open(), "mark");
    List<Object> rowIds = Songs.column(dataset.scan().select("_rowid").open(), "_rowid");
    for (int i = 0; i < marks.size(); i++) {
      if (marks.get(i) != null) {
        ids.put(marks.get(i).toString(), (Long) rowIds.get(i));
      }
    }
    return ids;
  }

  private static List<String> rows(Dataset dataset, MergeTwin twin) throws Exception {
    List<String> rows = new ArrayList<>();
    try (ArrowReader reader = dataset.scan().open()) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int i = 0; i < root.getRowCount(); i++) {
          Map<String, Object> values = new HashMap<>();
          for (FieldVector vector : root.getFieldVectors()) {
            values.put(vector.getName(), MergeTwin.read(vector, i));
          }
          rows.add(new Row(values).toString());
        }
      }
    }
    return rows;
  }
}
