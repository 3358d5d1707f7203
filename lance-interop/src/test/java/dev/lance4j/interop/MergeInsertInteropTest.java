package dev.lance4j.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.MergeInsertBuilder;
import dev.lance4j.MergeResult;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.KeyFilter;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same merge by both libraries, each on a copy of the same table, has the same outcome. */
@WithOracle
class MergeInsertInteropTest {
  private static final List<Field> FIELDS =
      List.of(
          Field.nullable("k", new ArrowType.Int(32, true)),
          Field.nullable("v", new ArrowType.Int(32, true)),
          Field.nullable("s", ArrowType.Utf8.INSTANCE));
  private static final int CASES = 30;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  static Stream<Integer> seeds() {
    return IntStream.range(0, CASES).boxed();
  }

  private ArrowTable rows(List<String> columns, int count, boolean distinct, Random random) {
    List<Field> fields =
        FIELDS.stream().filter(field -> columns.contains(field.getName())).toList();
    VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
    List<Integer> keys = new ArrayList<>(IntStream.range(0, 60).boxed().toList());
    Collections.shuffle(keys, random);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(15) != 0) {
        int key = distinct ? keys.get(i) : random.nextInt(60);
        ((IntVector) root.getVector("k")).setSafe(i, key);
      }
      for (FieldVector vector : root.getFieldVectors()) {
        if (!vector.getName().equals("k") && random.nextInt(8) != 0) {
          int value = random.nextInt(10);
          if (vector instanceof IntVector numbers) {
            numbers.setSafe(i, value);
          } else {
            ((VarCharVector) vector).setSafe(i, ("s" + value).getBytes(UTF_8));
          }
        }
      }
    }
    root.getFieldVectors().forEach(vector -> vector.setValueCount(count));
    root.setRowCount(count);
    return ArrowTable.of(root);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void bothLibrariesMergeAlike(int seed) {
    Random random = new Random(seed);
    boolean stable = random.nextBoolean();
    String ours = folder.resolve("ours.lance").toString();
    String theirs = folder.resolve("theirs.lance").toString();
    try (ArrowTable table = rows(List.of("k", "v", "s"), 40, random.nextBoolean(), random)) {
      for (String uri : List.of(ours, theirs)) {
        ObjectNode args =
            Oracle.args(uri)
                .put("fileVersion", random.nextBoolean() ? "2.0" : "2.1")
                .put("stableRowIds", stable)
                .put("maxRowsPerFile", 15);
        oracle.send("write", args, table);
        oracle.delete(uri, "v = 3");
      }
    }
    for (int round = 0; round < 3; round++) {
      mergeBoth(ours, theirs, random);
      compare(ours, theirs);
    }
  }

  private void mergeBoth(String ours, String theirs, Random random) {
    List<String> columns =
        switch (random.nextInt(4)) {
          case 0 -> List.of("k", "v");
          case 1 -> List.of("k", "s");
          default -> List.of("k", "v", "s");
        };
    ObjectNode args = Oracle.args(theirs);
    args.putArray("on").add("k");
    String matched =
        List.of("updateAll", "updateIf", "doNothing", "delete", "fail").get(random.nextInt(5));
    if (matched.equals("updateIf") && !columns.contains("v")) {
      matched = "updateAll";
    }
    String bySource = List.of("keep", "keep", "delete", "deleteIf").get(random.nextInt(4));
    boolean insert =
        random.nextInt(4) != 0 || (matched.equals("doNothing") && bySource.equals("keep"));
    // See below for what the real library does with the other deletes.
    boolean distinct = matched.equals("delete") || random.nextInt(4) != 0;
    if (matched.equals("delete") && !insert) {
      bySource = "keep";
    }
    args.put("matched", matched).put("matchedIf", "source.v > target.v");
    args.put("insert", insert).put("bySource", bySource).put("bySourceIf", "v > 5");
    try (Dataset dataset = Dataset.open(ours, OpenOptions.builder().allocator(allocator).build());
        ArrowTable source = rows(columns, random.nextInt(30), distinct, random)) {
      MergeInsertBuilder merge =
          dataset
              .mergeInsert("k")
              .whenMatched(matched(matched))
              .whenNotMatched(insert ? WhenNotMatched.insertAll() : WhenNotMatched.doNothing())
              .whenNotMatchedBySource(
                  switch (bySource) {
                    case "keep" -> WhenNotMatchedBySource.keep();
                    case "delete" -> WhenNotMatchedBySource.delete();
                    default -> WhenNotMatchedBySource.deleteIf("v > 5");
                  });
      JsonNode answer;
      try {
        answer = oracle.send("mergeInsert", args, source);
      } catch (OracleError e) {
        Throwable refusal = catchThrowable(() -> merge.execute(source.root()).dataset().close());
        assertThat(refusal)
            .as("%s refused: %s", args, e.getMessage())
            .isInstanceOf(LanceException.class);
        return;
      }
      MergeResult result;
      try {
        result = merge.execute(source.root());
      } catch (LanceException e) {
        throw new AssertionError(args + " gave " + answer, e);
      }
      try (Dataset after = result.dataset()) {
        assertThat(
                List.of(
                    after.version(),
                    result.rowsInserted(),
                    result.rowsUpdated(),
                    result.rowsDeleted()))
            .as("%s", args)
            .isEqualTo(
                List.of(
                    answer.get("version").asLong(),
                    answer.get("inserted").asLong(),
                    answer.get("updated").asLong(),
                    answer.get("deleted").asLong()));
      }
    }
  }

  /** Where the real library fails, or counts what it does not do. */
  @Test
  void deletesOnBothSidesAndWithDuplicates() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable table = rows(List.of("k", "v", "s"), 40, true, new Random(1));
        ArrowTable keys = Tables.slice(table, 0, 10, allocator)) {
      oracle.create(uri, "2.1", table);
      long nulls = nulls(keys.column("k"));
      try (ArrowTable twice = Tables.concat(keys, keys, allocator)) {
        ObjectNode args = Oracle.args(uri).put("matched", "delete").put("insert", false);
        args.put("bySource", "deleteIf").put("bySourceIf", "v > 100").putArray("on").add("k");
        assertThatThrownBy(() -> oracle.send("mergeInsert", args, twice))
            .isInstanceOf(OracleError.class)
            .hasMessageContaining("logical plan pruning bug");
        try (Dataset dataset = open(uri)) {
          MergeResult result =
              dataset
                  .mergeInsert("k")
                  .whenMatched(WhenMatched.delete())
                  .whenNotMatched(WhenNotMatched.doNothing())
                  .whenNotMatchedBySource(WhenNotMatchedBySource.deleteIf("v > 100"))
                  .execute(twice.root());
          result.dataset().close();
          assertThat(result.rowsDeleted()).isEqualTo(10 - nulls);
        }
        assertThat(oracle.countRows(uri)).isEqualTo(30 + nulls);
        String theirs = folder.resolve("theirs.lance").toString();
        oracle.create(theirs, "2.1", table);
        ObjectNode counted = Oracle.args(theirs).put("matched", "delete");
        counted.putArray("on").add("k");
        JsonNode answer = oracle.send("mergeInsert", counted, twice);
        assertThat(answer.get("deleted").asLong()).isEqualTo(2 * (10 - nulls));
        assertThat(oracle.countRows(theirs)).isEqualTo(30 + 3 * nulls);
      }
    }
  }

  /** Where a key has an index, the real library drops null keys and does not delete (M19, M41). */
  @Test
  void mergesOfIndexedTablesLeaveTheIndicesRight() {
    for (boolean stable : new boolean[] {false, true}) {
      String uri = folder.resolve("indexed" + stable).toString();
      try (ArrowTable table = numbers(0, 100);
          ArrowTable none = numbers(100, 101)) {
        ObjectNode args = Oracle.args(uri).put("fileVersion", "2.1").put("stableRowIds", stable);
        oracle.send("write", args.put("maxRowsPerFile", 30), table);
        oracle.createScalarIndex(uri, "k", "BTREE", "btree");
        oracle.createScalarIndex(uri, "v", "BTREE", "btree");
        none.column("k").setNull(0);
        assertThat(merge(uri, MergeInsertInteropTest::upsert, none, "k", "v", "s").rowsInserted())
            .isOne();
      }
      checkCounts(uri, 101, "k IS NULL", 1, "v = 100", 1);
      try (ArrowTable one = numbers(0, 1)) {
        ((IntVector) one.column("v")).set(0, 1000);
        assertThat(merge(uri, MergeInsertInteropTest::upsert, one, "k", "v").rowsUpdated()).isOne();
        checkCounts(uri, 101, "v = 1000", 1, "v = 0", 0, "k = 0", 1, "s = 's0'", 1);
        ((IntVector) one.column("v")).set(0, 2000);
        assertThat(merge(uri, MergeInsertInteropTest::upsert, one, "k", "v", "s").rowsUpdated())
            .isOne();
        checkCounts(uri, 101, "v = 2000", 1, "v = 1000", 0, "k = 0", 1);
        assertThat(merge(uri, MergeInsertInteropTest::deleteOnly, one, "k").rowsDeleted()).isOne();
        checkCounts(uri, 100, "v = 2000", 0, "k = 0", 0, "k = 1", 1);
      }
    }
  }

  private static MergeInsertBuilder upsert(MergeInsertBuilder merge) {
    return merge.whenMatched(WhenMatched.updateAll());
  }

  private static MergeInsertBuilder deleteOnly(MergeInsertBuilder merge) {
    return merge.whenMatched(WhenMatched.delete()).whenNotMatched(WhenNotMatched.doNothing());
  }

  private MergeResult merge(
      String uri, UnaryOperator<MergeInsertBuilder> options, ArrowTable source, String... columns) {
    try (Dataset dataset = open(uri)) {
      MergeResult result =
          options.apply(dataset.mergeInsert("k")).execute(Tables.select(source, columns).root());
      result.dataset().close();
      return result;
    }
  }

  /** The number of rows, and of those that conditions choose, as both libraries see them. */
  private void checkCounts(String uri, long rows, Object... conditionsAndCounts) {
    assertThat(oracle.countRows(uri)).isEqualTo(rows);
    try (Dataset dataset = open(uri)) {
      assertThat(dataset.countRows()).isEqualTo(rows);
      for (int i = 0; i < conditionsAndCounts.length; i += 2) {
        String condition = (String) conditionsAndCounts[i];
        long count = (Integer) conditionsAndCounts[i + 1];
        assertThat(dataset.countRows(condition)).as(condition).isEqualTo(count);
        assertThat(oracle.countRows(uri, condition)).as(condition).isEqualTo(count);
      }
    }
  }

  /** Rows whose three columns are made of consecutive numbers. */
  private ArrowTable numbers(int from, int to) {
    VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(FIELDS), allocator);
    for (int i = 0; i < to - from; i++) {
      ((IntVector) root.getVector("k")).setSafe(i, from + i);
      ((IntVector) root.getVector("v")).setSafe(i, from + i);
      ((VarCharVector) root.getVector("s")).setSafe(i, ("s" + (from + i)).getBytes(UTF_8));
    }
    root.setRowCount(to - from);
    return ArrowTable.of(root);
  }

  private static long nulls(FieldVector vector) {
    long nulls = 0;
    for (int i = 0; i < vector.getValueCount(); i++) {
      nulls += vector.isNull(i) ? 1 : 0;
    }
    return nulls;
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private static KeyFilter insertedKeys(String uri) {
    Operation operation =
        Table.at(ObjectStores.resolve(uri)).latest().transaction().orElseThrow().operation();
    return ((Operation.Update) operation).insertedKeys().orElseThrow();
  }

  private static Field primary(String name, ArrowType type) {
    return new Field(
        name,
        new FieldType(false, type, null, Map.of("lance-schema:unenforced-primary-key", "true")),
        null);
  }

  static Stream<List<Field>> primaryKeys() {
    return Stream.of(
        List.of(primary("i", new ArrowType.Int(32, true))),
        List.of(primary("l", new ArrowType.Int(64, true))),
        List.of(primary("s", ArrowType.Utf8.INSTANCE)),
        List.of(primary("b", ArrowType.Binary.INSTANCE)),
        List.of(primary("i", new ArrowType.Int(32, true)), primary("s", ArrowType.Utf8.INSTANCE)));
  }

  /** So that merges of the two libraries at the same time see each other's keys. */
  @ParameterizedTest
  @MethodSource("primaryKeys")
  void bothLibrariesRecordInsertedKeysAlike(List<Field> key) {
    List<Field> fields = new ArrayList<>(key);
    fields.add(Field.nullable("v", new ArrowType.Int(32, true)));
    List<String> on = key.stream().map(Field::getName).toList();
    String ours = folder.resolve("ours.lance").toString();
    String theirs = folder.resolve("theirs.lance").toString();
    try (ArrowTable table = RandomData.table(fields, NullPattern.NONE, 5, 1, allocator);
        ArrowTable source = RandomData.table(fields, NullPattern.NONE, 60, 2, allocator);
        ArrowTable distinct = withoutRepeats(source, on)) {
      oracle.create(ours, "2.1", table);
      oracle.create(theirs, "2.1", table);
      ObjectNode args = Oracle.args(theirs).put("matched", "updateAll");
      on.forEach(args.putArray("on")::add);
      oracle.send("mergeInsert", args, distinct);
      try (Dataset dataset = open(ours)) {
        MergeResult result =
            dataset.mergeInsert().whenMatched(WhenMatched.updateAll()).execute(distinct.root());
        result.dataset().close();
      }
      assertThat(insertedKeys(ours)).isEqualTo(insertedKeys(theirs));
      compare(ours, theirs);
    }
  }

  private ArrowTable withoutRepeats(ArrowTable table, List<String> on) {
    Set<String> seen = new HashSet<>();
    int[] rows =
        IntStream.range(0, table.rowCount())
            .filter(
                row -> {
                  StringBuilder key = new StringBuilder();
                  for (String column : on) {
                    key.append(text(table.column(column), row)).append('|');
                  }
                  return seen.add(key.toString());
                })
            .toArray();
    return Tables.gather(table, rows, allocator);
  }

  private static WhenMatched matched(String name) {
    return switch (name) {
      case "updateAll" -> WhenMatched.updateAll();
      case "updateIf" -> WhenMatched.updateIf("source.v > target.v");
      case "doNothing" -> WhenMatched.doNothing();
      case "delete" -> WhenMatched.delete();
      default -> WhenMatched.fail();
    };
  }

  /** Each table, read by both libraries, and both tables without regard to the order of rows. */
  private void compare(String ours, String theirs) {
    try (ArrowTable oursByUs = scan(ours);
        ArrowTable oursByThem = oracle.scan(ours, allocator);
        ArrowTable theirsByUs = scan(theirs)) {
      TableAssert.assertEqual(oursByUs, oursByThem);
      assertThat(lines(oursByUs)).containsExactlyInAnyOrderElementsOf(lines(theirsByUs));
    }
  }

  private ArrowTable scan(String uri) {
    try (Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build())) {
      return Tables.drain(dataset.scan().open(), allocator);
    }
  }

  private static String text(FieldVector vector, int row) {
    Object value = vector.getObject(row);
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
  }

  private static List<String> lines(ArrowTable table) {
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < table.rowCount(); row++) {
      List<String> values = new ArrayList<>();
      for (FieldVector vector : table.root().getFieldVectors()) {
        values.add(text(vector, row));
      }
      lines.add(String.join(":", values));
    }
    return lines;
  }
}
