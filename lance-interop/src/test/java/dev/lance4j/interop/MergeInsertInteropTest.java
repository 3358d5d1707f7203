package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.MergeInsertBuilder;
import dev.lance4j.MergeResult;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
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
  private static final int CASES = 24;

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
    java.util.Collections.shuffle(keys, random);
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
            ((VarCharVector) vector)
                .setSafe(i, ("s" + value).getBytes(java.nio.charset.StandardCharsets.UTF_8));
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
    args.put("matched", matched).put("matchedIf", "source.v > target.v");
    args.put("insert", insert).put("bySource", bySource).put("bySourceIf", "v > 5");
    try (Dataset dataset = Dataset.open(ours, OpenOptions.builder().allocator(allocator).build());
        ArrowTable source = rows(columns, random.nextInt(30), random.nextInt(4) != 0, random)) {
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
        assertThatThrownBy(() -> merge.execute(source.root()))
            .as("%s refused: %s", args, e.getMessage())
            .isInstanceOf(LanceException.class);
        return;
      }
      MergeResult result = merge.execute(source.root());
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

  private static List<String> lines(ArrowTable table) {
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < table.rowCount(); row++) {
      List<String> values = new ArrayList<>();
      for (FieldVector vector : table.root().getFieldVectors()) {
        values.add(String.valueOf(vector.getObject(row)));
      }
      lines.add(String.join(":", values));
    }
    return lines;
  }
}
