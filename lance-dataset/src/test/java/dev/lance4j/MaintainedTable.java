package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.MaintenancePolicy;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.IndexSpec;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.Session;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A table with an index of each kind that goes through a random history of changes and maintenance
 * by several writers, and beside it maps of what its rows must be in each version.
 */
final class MaintainedTable implements AutoCloseable {
  private static final String PATH = "table";
  static final List<String> COLUMNS = List.of("k", "m", "z", "f", "l", "p", "q");
  static final int KEYS = 120;

  /** What a row must be, and the versions in which it was made and last changed. */
  record Known(MaintainedRow row, long created, long updated) {}

  /** How to compact. */
  private record Compacting(int targetRows, float threshold, boolean deferred, int batchSize) {
    CompactionOptions options() {
      return CompactionOptions.builder()
          .targetRowsPerFragment(targetRows)
          .materializeDeletionsThreshold(threshold)
          .deferIndexRemap(deferred)
          .batchSize(batchSize)
          .build();
    }
  }

  private final Random random;
  private final BufferAllocator allocator;
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Session session = Session.create();
  private final boolean stable;
  private final VectorIndexType[] vectorTypes;
  private final NavigableMap<Long, Map<Integer, Known>> versions = new TreeMap<>();
  private final Map<Integer, Long> rowIds = new HashMap<>();
  private final Set<Long> usedRowIds = new HashSet<>();
  private final List<String> steps = new ArrayList<>();
  private final MaintainedAnswers answers;
  private Map<Integer, Known> now = new TreeMap<>();
  private long lastChange;

  MaintainedTable(Random random, BufferAllocator allocator) {
    this.random = random;
    this.allocator = allocator;
    this.stable = random.nextBoolean();
    this.answers = new MaintainedAnswers(random, allocator, stable, steps);
    VectorIndexType[] all = VectorIndexType.values();
    // Graphs take longer to build.
    VectorIndexType other = all[random.nextInt(all.length)];
    this.vectorTypes =
        new VectorIndexType[] {
          random.nextBoolean() ? VectorIndexType.IVF_FLAT : VectorIndexType.IVF_PQ,
          other.hasGraph() && random.nextBoolean() ? VectorIndexType.IVF_PQ : other
        };
    steps.add(stable ? "stable row ids" : "addresses");
    Map<Integer, MaintainedRow> rows = newRows(40 + random.nextInt(40));
    try (VectorSchemaRoot root = MaintainedRow.batch(rows.values(), allocator);
        Dataset created =
            Dataset.write(PATH)
                .store(store)
                .session(session)
                .allocator(allocator)
                .stableRowIds(stable)
                .maxRowsPerFile(2 + random.nextInt(20))
                .from(root)) {
      put(rows, created.version());
    }
    for (String column : COLUMNS) {
      try (Dataset dataset = open()) {
        index(dataset, column);
      }
    }
  }

  private Dataset open() {
    return Dataset.open(PATH, options().build());
  }

  private OpenOptions.Builder options() {
    return OpenOptions.builder().store(store).session(session).allocator(allocator);
  }

  /** One of the last versions, as somebody may hold it who opened the table a while ago. */
  private Dataset openOneSince(long oldest) {
    try (Dataset newest = open()) {
      long from = Math.max(Math.max(oldest, versions.firstKey()), newest.version() - 6);
      long version = newest.version() - random.nextInt((int) (newest.version() - from + 1));
      return Dataset.open(PATH, options().version(version).build());
    }
  }

  private boolean isNewest(Dataset dataset) {
    try (Dataset newest = open()) {
      return newest.version() == dataset.version();
    }
  }

  private void put(Map<Integer, MaintainedRow> rows, long version) {
    rows.forEach(
        (key, row) -> {
          Known old = now.get(key);
          now.put(key, new Known(row, old == null ? version : old.created(), version));
        });
    changed(version);
  }

  private void changed(long version) {
    rowIds.keySet().retainAll(now.keySet());
    versions.put(version, new TreeMap<>(now));
    lastChange = version;
  }

  private Map<Integer, MaintainedRow> newRows(int most) {
    Map<Integer, MaintainedRow> rows = new TreeMap<>();
    for (int i = most; i > 0; i--) {
      int key = random.nextInt(KEYS);
      if (!now.containsKey(key)) {
        rows.put(key, MaintainedRow.random(key, random));
      }
    }
    return rows;
  }

  /** One thing that a writer or a keeper of the table does. */
  void step() {
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5 -> change();
      case 6, 7, 8, 9, 10, 11, 12 -> maintain();
      case 13 -> cleanUp();
      default -> compactAmongOthers();
    }
  }

  /** Changes rows, starting from a version that has the rows of the newest one. */
  private void change() {
    try (Dataset dataset = openOneSince(lastChange)) {
      switch (random.nextInt(5)) {
        case 0 -> append(dataset);
        case 1 -> delete(dataset);
        case 2 -> update(dataset);
        default -> merge(dataset);
      }
    }
  }

  private void append(Dataset dataset) {
    Map<Integer, MaintainedRow> rows = newRows(1 + random.nextInt(15));
    steps.add("append " + rows.keySet());
    try (VectorSchemaRoot root = MaintainedRow.batch(rows.values(), allocator);
        Dataset appended = dataset.append(root)) {
      put(rows, appended.version());
    }
  }

  private void delete(Dataset dataset) {
    MaintainedCondition condition =
        random.nextInt(3) == 0
            ? MaintainedCondition.random(random, KEYS)
            : MaintainedCondition.onKey(random.nextInt(KEYS), random.nextInt(9));
    steps.add("delete " + condition.text());
    Predicate<Known> isGone = known -> condition.holds().test(known.row());
    long gone = now.values().stream().filter(isGone).count();
    DeleteResult result = dataset.delete(condition.text());
    try (Dataset deleted = result.dataset()) {
      assertThat(result.rowsDeleted()).as("%s", steps).isEqualTo(gone);
      now.values().removeIf(isGone);
      changed(deleted.version());
    }
  }

  private void update(Dataset dataset) {
    MaintainedCondition condition = MaintainedCondition.simple(random, KEYS);
    int shift = random.nextInt(MaintainedRow.VALUES);
    String value = "(k + " + shift + ") % " + MaintainedRow.VALUES;
    steps.add("update z to " + value + " where " + condition.text());
    Map<Integer, MaintainedRow> rows = new TreeMap<>();
    now.forEach(
        (key, known) -> {
          if (condition.holds().test(known.row())) {
            rows.put(key, known.row().withZone((key + shift) % MaintainedRow.VALUES));
          }
        });
    UpdateResult result = dataset.update().where(condition.text()).set("z", value).execute();
    try (Dataset updated = result.dataset()) {
      assertThat(result.rowsUpdated()).as("%s", steps).isEqualTo(rows.size());
      put(rows, updated.version());
    }
  }

  private void merge(Dataset dataset) {
    Map<Integer, MaintainedRow> rows = new TreeMap<>();
    for (int i = random.nextInt(12); i >= 0; i--) {
      int key = random.nextInt(KEYS);
      rows.put(key, MaintainedRow.random(key, random));
    }
    MergeOptions.Form form =
        random.nextBoolean() ? MergeOptions.Form.REWRITE_ROWS : MergeOptions.Form.REWRITE_COLUMNS;
    steps.add("merge " + rows.keySet() + " by " + form);
    try (VectorSchemaRoot root = MaintainedRow.batch(rows.values(), allocator);
        Dataset merged =
            dataset
                .mergeInsert("k")
                .form(form)
                .whenMatched(WhenMatched.updateAll())
                .whenNotMatched(WhenNotMatched.insertAll())
                .execute(root)
                .dataset()) {
      put(rows, merged.version());
    }
  }

  /** Does something to the table that leaves its rows as they are. */
  private void maintain() {
    try (Dataset dataset = random.nextInt(3) == 0 ? openOneSince(1) : open()) {
      String from = " of version " + dataset.version();
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> {
          OptimizeOptions options = optimization();
          attempt("optimise by " + options + from, dataset, () -> optimize(dataset, options));
        }
        case 4, 5 -> attempt("remap" + from, dataset, () -> doOnce(dataset, Dataset::remapIndices));
        case 6, 7 ->
            attempt("trim" + from, dataset, () -> doOnce(dataset, Dataset::trimFragmentReuse));
        case 8 -> {
          String column = toIndex();
          attempt("index " + column + from, dataset, () -> index(dataset, column));
        }
        case 9 -> {
          Compacting how = compacting();
          attempt(how + from, dataset, () -> dataset.compact(how.options()).dataset().close());
        }
        case 10 ->
            attempt(
                "maintenance" + from,
                dataset,
                () -> dataset.maintenance().run(MaintenancePolicy.DEFAULT).dataset().close());
        default ->
            attempt(
                "settings" + from,
                dataset,
                () -> dataset.updateConfig(Map.of("a" + random.nextLong(), "b")).close());
      }
    }
  }

  private OptimizeOptions optimization() {
    return switch (random.nextInt(5)) {
      case 0, 1 -> OptimizeOptions.append();
      case 2 -> OptimizeOptions.merge(1 + random.nextInt(4));
      case 3 -> OptimizeOptions.retrain();
      default -> OptimizeOptions.defaults();
    };
  }

  private void optimize(Dataset dataset, OptimizeOptions options) {
    if (options.retrained() || options.merged().orElse(0) > 1) {
      dataset.optimizeIndices(options).close();
    } else {
      doOnce(dataset, each -> each.optimizeIndices(options));
    }
  }

  /** Does something that leaves nothing to do, unless others changed the table meanwhile. */
  private void doOnce(Dataset dataset, Function<Dataset, Dataset> action) {
    boolean alone = isNewest(dataset);
    try (Dataset done = action.apply(dataset);
        Dataset same = action.apply(done)) {
      assertThat(!alone || same.version() == done.version()).as("%s", steps).isTrue();
    }
  }

  /** Does something which only the work of others may keep from being done. */
  private void attempt(String what, Dataset dataset, Runnable action) {
    steps.add(what);
    boolean alone = isNewest(dataset);
    try {
      action.run();
    } catch (CommitConflictException e) {
      assertThat(alone).as("%s: %s", steps, e).isFalse();
      assertThat(e.isRetryable()).as("%s: %s", steps, e).isTrue();
      steps.add("which failed");
    } catch (InvalidInputException e) {
      // A codebook cannot be learnt from a handful of vectors.
      assertThat(e).as("%s", steps).hasMessageContaining("Not enough rows to train PQ");
      assertThat(Math.min(fewestVectors(MaintainedRow::p), fewestVectors(MaintainedRow::q)))
          .isLessThan(16);
      steps.add("which failed");
    }
  }

  /** The fewest vectors in a column of one of the versions. */
  private int fewestVectors(Function<MaintainedRow, List<Integer>> column) {
    int least = Integer.MAX_VALUE;
    for (Map<Integer, Known> rows : versions.values()) {
      long vectors = rows.values().stream().filter(k -> column.apply(k.row()) != null).count();
      least = (int) Math.min(least, vectors);
    }
    return least;
  }

  /** A column whose index vanished, as one of vectors does when it covers no row, or any. */
  private String toIndex() {
    try (Dataset dataset = open()) {
      List<String> indices =
          dataset.describeIndices().stream().map(IndexDescription::name).toList();
      return COLUMNS.stream()
          .filter(column -> !indices.contains(column + "_idx"))
          .findFirst()
          .orElse(COLUMNS.get(random.nextInt(COLUMNS.size())));
    }
  }

  private void index(Dataset dataset, String column) {
    IndexOptions options = IndexOptions.builder().replace(true).build();
    dataset.createIndex(column, spec(column), options).close();
  }

  private IndexSpec spec(String column) {
    return switch (column) {
      case "k" -> new ScalarIndexSpec.BTree(5);
      case "m" -> ScalarIndexSpec.bitmap();
      case "z" -> new ScalarIndexSpec.ZoneMap(4);
      case "f" -> new ScalarIndexSpec.BloomFilter(4, 0.01);
      case "l" -> ScalarIndexSpec.labelList();
      case "p" -> vectors(vectorTypes[0]);
      default -> vectors(vectorTypes[1]);
    };
  }

  private VectorIndexSpec vectors(VectorIndexType type) {
    VectorIndexSpec spec =
        VectorIndexSpec.of(type).partitions(1 + random.nextInt(3)).sampleRate(60);
    return type.quantization() == VectorIndexType.Quantization.PRODUCT
        ? spec.subVectors(4).bits(4)
        : spec;
  }

  private Compacting compacting() {
    return new Compacting(
        1 + random.nextInt(50),
        random.nextInt(4) / 10f,
        !stable && random.nextBoolean(),
        1 + random.nextInt(30));
  }

  /** Compacts in steps, while others go on writing. */
  private void compactAmongOthers() {
    Compacting how = compacting();
    CompactionOptions options = how.options();
    try (Dataset planned = random.nextInt(3) == 0 ? openOneSince(1) : open()) {
      steps.add("plan " + how + " of version " + planned.version());
      List<CompactionTask> tasks = planned.planCompaction(options).tasks();
      others();
      List<RewriteResult> results = new ArrayList<>();
      try (Dataset executing = open()) {
        for (CompactionTask task : tasks) {
          CompactionTask sent = CompactionTask.fromJson(task.toJson());
          results.add(sent.execute(executing));
        }
      }
      others();
      int split = random.nextInt(results.size() + 1);
      commit(planned, results.subList(0, split), options);
      if (random.nextBoolean()) {
        others();
      }
      commit(planned, results.subList(split, results.size()), options);
    }
  }

  private void others() {
    for (int i = random.nextInt(3); i > 0; i--) {
      if (random.nextInt(3) == 0) {
        maintain();
      } else {
        change();
      }
    }
  }

  private void commit(Dataset planned, List<RewriteResult> results, CompactionOptions options) {
    try (Dataset committing = random.nextBoolean() ? open() : planned.latest()) {
      String what = "commit " + results.size() + " rewrites";
      attempt(what, planned, () -> committing.commitCompaction(results, options).dataset().close());
    }
  }

  private void cleanUp() {
    steps.add("clean up");
    try (Dataset dataset = open()) {
      dataset.cleanup(CleanupPolicy.builder().beforeVersion(dataset.version()).build());
      versions.clear();
      versions.put(dataset.version(), new TreeMap<>(now));
    }
  }

  /** Compares the newest version, and an earlier one, with what they must be. */
  void check() {
    try (Dataset dataset = open()) {
      checkIdentity(dataset);
      answers.check(dataset, now);
      assertThat(dataset.maintenance().report().liveRows()).isEqualTo(now.size());
      long oldest = versions.firstKey();
      long version = oldest + random.nextInt((int) (dataset.version() - oldest + 1));
      try (Dataset earlier = dataset.checkout(version)) {
        answers.check(earlier, versions.floorEntry(version).getValue());
      }
    }
  }

  private void checkIdentity(Dataset dataset) {
    for (Map<String, Object> row :
        Rows.drain(dataset.scan().select("k", "_rowid", "_rowaddr").open(), allocator)) {
      Long id = (Long) row.get("_rowid");
      if (!stable) {
        assertThat(id).isEqualTo(row.get("_rowaddr"));
        continue;
      }
      Long known = rowIds.putIfAbsent((Integer) row.get("k"), id);
      if (known == null) {
        assertThat(usedRowIds.add(id)).as("row id %d is new after %s", id, steps).isTrue();
      } else {
        assertThat(id).as("row id after %s", steps).isEqualTo(known);
      }
    }
  }

  MaintainedAnswers answers() {
    return answers;
  }

  @Override
  public void close() {
    session.close();
  }

  @Override
  public String toString() {
    return steps.toString();
  }
}
