package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Scans with random options give what the same options make of the rows in memory. */
class ScanPropertyTest {
  private static final ExecutorService THREADS = Executors.newFixedThreadPool(3);

  private static final List<Field> FIELDS =
      List.of(
          SampleFields.int32("n"),
          SampleFields.float64("f"),
          SampleFields.utf8("s"),
          SampleFields.bool("b"),
          SampleFields.scalar("u", new ArrowType.Int(64, false)),
          SampleFields.scalar("dec", new ArrowType.Decimal(38, 4, 128)),
          SampleFields.struct(
              "st",
              SampleFields.int32("x"),
              SampleFields.struct("in", SampleFields.utf8("z"), SampleFields.int64("w"))),
          SampleFields.list("li", SampleFields.int32("item")),
          SampleFields.dictionary("d", 7, 16, true));

  /** A table and its rows, the deleted ones included, with where they are. */
  private record Twin(List<Map<String, Object>> rows, List<Field> fields) {}

  /** A column to select: how, and what it is of a row. */
  private record Column(
      String name, Function<Scan, Scan> select, Function<Map<String, Object>, Object> value) {}

  private record Condition(String text, Predicate<Map<String, Object>> test) {}

  @AfterContainer
  static void stopThreads() {
    THREADS.shutdownNow();
  }

  @Property(tries = 25)
  void scansAgreeWithTheirTwin(@ForAll Random random) throws IOException {
    Path folder = Files.createTempDirectory("scan-property");
    try (BufferAllocator allocator = new RootAllocator()) {
      String uri = folder.resolve("t.lance").toString();
      Twin twin = create(uri, random, allocator);
      try (Dataset dataset =
          Dataset.open(uri, OpenOptions.builder().allocator(allocator).build())) {
        for (int i = 0; i < 40; i++) {
          check(dataset, twin, random, allocator, folder);
        }
      }
      try (Stream<Path> left = Files.list(folder)) {
        assertThat(left).as("no temporary files are left").hasSize(1);
      }
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> content = Files.walk(folder)) {
      content
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  private static Twin create(String uri, Random random, BufferAllocator allocator) {
    int count = 1 + random.nextInt(random.nextBoolean() ? 40 : 3_000);
    int perFile = 1 + count / (1 + random.nextInt(6));
    boolean stable = random.nextBoolean();
    NullPattern[] patterns = NullPattern.values();
    NullPattern nulls = patterns[random.nextInt(patterns.length)];
    try (ArrowTable data = RandomData.table(FIELDS, nulls, count, random.nextLong(), allocator);
        BigIntVector ids = new BigIntVector("id", allocator)) {
      for (int i = 0; i < count; i++) {
        ids.setSafe(i, i);
      }
      ids.setValueCount(count);
      List<FieldVector> vectors = new ArrayList<>(data.root().getFieldVectors());
      vectors.add(0, ids);
      VectorSchemaRoot root = new VectorSchemaRoot(vectors);
      Dataset.write(uri)
          .allocator(allocator)
          .maxRowsPerFile(perFile)
          .stableRowIds(stable)
          .from(root, data.dictionaries())
          .close();
      List<Map<String, Object>> rows;
      try (ArrowTable decoded =
          Tables.decoded(new ArrowTable(root, data.dictionaries()), allocator)) {
        rows = Rows.of(decoded.root());
      }
      place(rows, perFile, stable);
      deleteSome(uri, rows, perFile, random);
      return new Twin(rows, root.getSchema().getFields());
    }
  }

  private static void place(List<Map<String, Object>> rows, int perFile, boolean stable) {
    for (int i = 0; i < rows.size(); i++) {
      rows.get(i).put("fragment", (long) (i / perFile));
      long address = ((long) (i / perFile) << 32) | (i % perFile);
      rows.get(i).put("_rowaddr", address);
      rows.get(i).put("_rowid", stable ? i : address);
    }
  }

  private static void deleteSome(
      String uri, List<Map<String, Object>> rows, int perFile, Random random) {
    Set<Integer> deleted = new TreeSet<>();
    for (int i = random.nextInt(3) * rows.size() / 8; i > 0; i--) {
      deleted.add(random.nextInt(rows.size()));
    }
    for (int fragment = 0; fragment * perFile < rows.size(); fragment++) {
      int first = fragment * perFile;
      int end = Math.min(rows.size(), first + perFile);
      int[] offsets =
          deleted.stream()
              .filter(row -> row >= first && row < end)
              .mapToInt(row -> row - first)
              .toArray();
      if (offsets.length > 0 && offsets.length < end - first) {
        Deletions.delete(uri, fragment, offsets);
      } else {
        deleted.removeIf(row -> row >= first && row < end);
      }
    }
    long position = 0;
    for (int i = 0; i < rows.size(); i++) {
      boolean gone = deleted.contains(i);
      rows.get(i).put("deleted", gone);
      rows.get(i).put("_rowoffset", gone ? null : position++);
    }
  }

  private static void check(
      Dataset dataset, Twin twin, Random random, BufferAllocator allocator, Path folder) {
    Scan scan = dataset.scan();
    List<Map<String, Object>> rows = new ArrayList<>(twin.rows());
    if (random.nextInt(4) == 0 && !rows.isEmpty()) {
      long[] chosen = random.longs(1 + random.nextInt(3), 0, dataset.fragments().size()).toArray();
      scan = scan.fragments(chosen);
      List<Map<String, Object>> all = rows;
      rows = new ArrayList<>();
      for (long fragment : chosen) {
        all.stream().filter(row -> row.get("fragment").equals(fragment)).forEach(rows::add);
      }
    }
    boolean deletedToo = random.nextInt(6) == 0;
    if (deletedToo) {
      scan = scan.includeDeletedRows();
    } else {
      rows.removeIf(row -> (boolean) row.get("deleted"));
    }
    if (random.nextInt(3) > 0) {
      Condition condition = condition(random, twin.rows().size());
      scan = scan.where(condition.text());
      rows.removeIf(condition.test().negate());
    }
    boolean ordered = random.nextBoolean();
    if (ordered) {
      scan = order(scan, rows, twin, random);
    }
    boolean anyOrder = !ordered && random.nextInt(4) == 0;
    if (!anyOrder && random.nextBoolean()) {
      long offset = random.nextInt(3) == 0 ? random.nextInt(rows.size() + 2) : 0;
      long limit = random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextInt(rows.size() + 2);
      scan = scan.offset(offset).limit(limit);
      rows = rows.stream().skip(offset).limit(limit).toList();
    }
    int batchRows = 1 + random.nextInt(random.nextBoolean() ? 50 : 3_000);
    scan = scan.batchSize(batchRows).inOrder(!anyOrder).readAhead(random.nextInt(200_000));
    scan = scan.sortMemory(1 + random.nextInt(400_000), folder);
    scan =
        random.nextInt(3) == 0
            ? scan
            : scan.executor(random.nextBoolean() ? THREADS : Runnable::run);
    long batchBytes = random.nextInt(4) == 0 ? 1 + random.nextInt(100_000) : Long.MAX_VALUE;
    scan = scan.batchBytes(batchBytes);
    List<Column> columns = columns(random, deletedToo);
    scan = scan.select();
    for (Column column : columns) {
      scan = column.select().apply(scan);
    }
    List<Map<String, Object>> expected = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      Map<String, Object> values = new LinkedHashMap<>();
      columns.forEach(column -> values.put(column.name(), column.value().apply(row)));
      expected.add(values);
    }
    String plan = scan.explain();
    assertThat(scan.count()).as(plan).isEqualTo(expected.size());
    checkBatches(scan, batchRows, batchBytes, expected.size());
    List<Map<String, Object>> actual =
        columns.isEmpty() ? expected : Rows.drain(scan.open(), allocator);
    if (anyOrder) {
      assertThat(actual).as(plan).containsExactlyInAnyOrderElementsOf(expected);
    } else {
      assertThat(actual).as(plan).isEqualTo(expected);
    }
  }

  private static void checkBatches(Scan scan, int maxRows, long maxBytes, long expectedRows) {
    long rows = 0;
    try (ArrowReader reader = scan.open()) {
      long before = 0;
      while (reader.loadNextBatch()) {
        int count = reader.getVectorSchemaRoot().getRowCount();
        assertThat(count).isBetween(1, maxRows);
        if (count > 1) {
          assertThat(reader.bytesRead() - before).isLessThanOrEqualTo(maxBytes);
        }
        before = reader.bytesRead();
        rows += count;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(rows).as(scan.explain()).isEqualTo(expectedRows);
  }

  private static Condition condition(Random random, int rows) {
    int bound = random.nextInt(rows + 1);
    List<Condition> conditions =
        List.of(
            new Condition("id < " + bound, row -> (long) row.get("id") < bound),
            new Condition("id % 7 = 3", row -> (long) row.get("id") % 7 == 3),
            new Condition("n IS NOT NULL", row -> row.get("n") != null),
            new Condition("b", row -> Boolean.TRUE.equals(row.get("b"))),
            new Condition("st.x IS NULL", row -> below(row, "st", "x") == null),
            new Condition("st.`in`.z IS NOT NULL", row -> below(row, "st", "in", "z") != null),
            new Condition("s >= 'b'", row -> row.get("s") != null && order(row, "s", "b") >= 0),
            new Condition("d IS NOT NULL", row -> row.get("d") != null),
            new Condition(
                "_rowoffset >= " + bound,
                row -> row.get("_rowoffset") != null && (long) row.get("_rowoffset") >= bound),
            new Condition("_rowaddr % 2 = 0", row -> (long) row.get("_rowaddr") % 2 == 0),
            new Condition(
                "_rowid != 1 AND id >= 0",
                row -> !(boolean) row.get("deleted") && (long) row.get("_rowid") != 1),
            new Condition("true", row -> true),
            new Condition("id = " + bound, row -> (long) row.get("id") == bound));
    return conditions.get(random.nextInt(conditions.size()));
  }

  private static int order(Map<String, Object> row, String column, String text) {
    return NaiveOrder.of(SampleFields.utf8(column), Ordering.asc(column))
        .compare(row.get(column), text);
  }

  private static Object below(Map<String, Object> row, String... path) {
    Object value = row;
    for (String name : path) {
      value = value == null ? null : ((Map<?, ?>) value).get(name);
    }
    return value;
  }

  private static List<Column> columns(Random random, boolean rowIdNeeded) {
    List<Column> columns = new ArrayList<>();
    for (String name : List.of("id", "n", "f", "s", "b", "u", "dec", "st", "li", "d")) {
      columns.add(new Column(name, scan -> scan.select(name), row -> row.get(name)));
    }
    columns.add(path("st.x", "st", "x"));
    columns.add(path("st.in.z", "st", "in", "z"));
    columns.add(path("st.in", "st", "in"));
    columns.add(path("`st`.`in`.w", "st", "in", "w"));
    columns.add(virtual("_rowaddr"));
    columns.add(
        new Column(
            "twice", scan -> scan.select("twice", "id * 2"), row -> (long) row.get("id") * 2));
    columns.add(
        new Column(
            "both",
            scan -> scan.selectAs("both", "st.x IS NULL AND s IS NULL"),
            row -> below(row, "st", "x") == null && row.get("s") == null));
    columns.add(new Column("renamed", scan -> scan.selectAs("renamed", "s"), row -> row.get("s")));
    columns.add(new Column("one", scan -> scan.selectAs("one", "1"), row -> 1L));
    columns.add(virtual("_rowoffset"));
    Collections.shuffle(columns, random);
    List<Column> chosen = new ArrayList<>(columns.subList(0, random.nextInt(columns.size())));
    if (rowIdNeeded || random.nextInt(4) == 0) {
      chosen.add(
          new Column(
              "_rowid",
              Scan::withRowId,
              row -> (boolean) row.get("deleted") ? null : row.get("_rowid")));
    }
    return chosen;
  }

  private static Column path(String name, String... path) {
    return new Column(name, scan -> scan.select(name), row -> below(row, path));
  }

  private static Column virtual(String name) {
    return new Column(name, scan -> scan.select(name), row -> row.get(name));
  }

  /** Orders rows by some columns and at last by the only one without equal values. */
  private static Scan order(Scan scan, List<Map<String, Object>> rows, Twin twin, Random random) {
    List<String> names = new ArrayList<>(List.of("n", "f", "s", "b", "u", "dec", "st", "li", "d"));
    Collections.shuffle(names, random);
    List<Ordering> orderings = new ArrayList<>();
    for (String name : names.subList(0, random.nextInt(3))) {
      orderings.add(new Ordering(name, random.nextBoolean(), random.nextBoolean()));
    }
    orderings.add(new Ordering("id", random.nextBoolean(), true));
    Comparator<Map<String, Object>> comparator = null;
    for (Ordering ordering : orderings) {
      Field field =
          twin.fields().stream()
              .filter(each -> each.getName().equals(ordering.column()))
              .findFirst()
              .orElseThrow();
      Field plain = field.getName().equals("d") ? SampleFields.utf8("d") : field;
      Comparator<Object> values = NaiveOrder.of(plain, ordering);
      Comparator<Map<String, Object>> next =
          (left, right) ->
              values.compare(left.get(ordering.column()), right.get(ordering.column()));
      comparator = comparator == null ? next : comparator.thenComparing(next);
    }
    rows.sort(comparator);
    return scan.orderBy(orderings.toArray(Ordering[]::new));
  }
}
