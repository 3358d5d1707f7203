package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.scan.Blob;
import dev.lance4j.write.BatchSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an update does to columns of all types. */
class UpdateTypesTest {
  private static final String PATH = "table";

  private final BufferAllocator allocator = new RootAllocator();
  private final ObjectStore store = new MemoryObjectStore();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private WriteBuilder write(FileVersion version) {
    return Dataset.write(PATH).store(store).allocator(allocator).fileVersion(version);
  }

  private Dataset open() {
    return Dataset.open(PATH, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  private static void update(UpdateBuilder update) {
    update.execute().dataset().close();
  }

  /** A table of all types and a column {@code k} of consecutive numbers. */
  private ArrowTable sample(FileVersion version, int rows) {
    ArrowTable random =
        RandomData.table(SampleFields.of(version), NullPattern.SOME, rows, 42, allocator);
    BigIntVector k = new BigIntVector("k", allocator);
    for (int i = 0; i < rows; i++) {
      k.setSafe(i, i);
    }
    k.setValueCount(rows);
    List<FieldVector> vectors = new ArrayList<>(random.root().getFieldVectors());
    vectors.add(k);
    return new ArrowTable(new VectorSchemaRoot(vectors), random.dictionaries());
  }

  @ParameterizedTest
  @CsvSource({"2.0,false", "2.1,false", "2.1,true", "2.2,true"})
  void theOtherColumnsStayAsTheyAre(String version, boolean stable) throws Exception {
    int rows = 500;
    int[] order =
        IntStream.concat(
                IntStream.range(0, rows).filter(k -> k % 3 != 1 && k % 10 != 0),
                IntStream.range(0, rows).filter(k -> k % 3 == 1 && k % 10 != 0))
            .toArray();
    FileVersion file = FileVersion.parse(version);
    try (ArrowTable sample = sample(file, rows)) {
      BatchSource source = BatchSource.of(sample.root(), sample.dictionaries());
      write(file).stableRowIds(stable).maxRowsPerFile(200).from(source).close();
      try (Dataset before = open();
          Dataset deleted = before.delete("k % 10 = 0").dataset();
          ArrowTable stored = Tables.drain(before.scan().open(), allocator)) {
        update(deleted.update().where("k % 3 = 1").set("k", "-k"));
        try (Dataset after = open();
            ArrowTable expected = Tables.gather(stored, order, allocator);
            ArrowTable actual = Tables.drain(after.scan().open(), allocator)) {
          BigIntVector k = (BigIntVector) expected.column("k");
          for (int i = 0; i < order.length; i++) {
            k.set(i, order[i] % 3 == 1 ? -order[i] : order[i]);
          }
          TableAssert.assertEqual(expected, actual);
        }
      }
    }
  }

  /** Case U5 of the specification, and more. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "int32 ; k + 1000000 ; int32 = 1000007",
        "int8 ; k ; int8 = 7",
        "float32 ; 2.5 ; float32 = 2.5",
        "float64 ; k ; float64 = 7.0",
        "utf8 ; k ; utf8 = '7'",
        "bool ; k > 3 ; bool",
        "date ; date '2021-02-03' ; date = date '2021-02-03'",
        "date ; '2021-02-04' ; date = date '2021-02-04'",
        "time ; timestamp '2021-02-03 04:05:06' ; time = timestamp '2021-02-03 04:05:06'",
        "binary ; X'616263' ; binary = X'616263'",
        "decimal ; 12.34 ; decimal = cast(12.34 AS decimal(10, 2))",
        "vector ; [3.0, 4.0] ; vector[1] = 3.0 AND vector[2] = 4.0",
        "vector ; NULL ; vector IS NULL",
        "items ; [1, 2, 3] ; array_length(items) = 3",
        "pair ; named_struct('a', k, 'b', 'x') ; pair.a = 7 AND pair.b = 'x'",
        "utf8 ; NULL ; utf8 IS NULL",
        "word ; 'new ' || k ; coalesce(word, '') = 'new 7'",
        "word ; coalesce(utf8, 'none') ; word = coalesce(utf8, 'none')",
        "word ; NULL ; word IS NULL"
      })
  void valuesAreConvertedToTheColumnsType(String column, String expression, String check)
      throws Exception {
    List<Field> fields =
        List.of(
            SampleFields.int64("k"),
            SampleFields.int32("int32"),
            SampleFields.scalar("int8", new ArrowType.Int(8, true)),
            SampleFields.float32("float32"),
            SampleFields.float64("float64"),
            SampleFields.utf8("utf8"),
            SampleFields.bool("bool"),
            SampleFields.scalar(
                "date", new ArrowType.Date(org.apache.arrow.vector.types.DateUnit.DAY)),
            SampleFields.scalar(
                "time",
                new ArrowType.Timestamp(org.apache.arrow.vector.types.TimeUnit.MICROSECOND, null)),
            SampleFields.scalar("binary", ArrowType.Binary.INSTANCE),
            SampleFields.scalar("decimal", new ArrowType.Decimal(10, 2, 128)),
            SampleFields.fixedSizeList("vector", 2, SampleFields.float32("item")),
            SampleFields.list("items", SampleFields.int32("item")),
            SampleFields.struct("pair", SampleFields.int32("a"), SampleFields.utf8("b")),
            SampleFields.dictionary("word", 1, 8, true));
    try (ArrowTable rows = RandomData.table(fields, NullPattern.SOME, 20, 3, allocator)) {
      BigIntVector k = (BigIntVector) rows.column("k");
      for (int i = 0; i < 20; i++) {
        k.setSafe(i, i);
      }
      BatchSource source = BatchSource.of(rows.root(), rows.dictionaries());
      write(FileVersion.V2_1).from(source).close();
    }
    try (Dataset dataset = open()) {
      update(dataset.update().where("k = 7").set(column, expression));
      try (Dataset after = dataset.latest()) {
        assertThat(after.schema()).isEqualTo(dataset.schema());
        assertThat(after.countRows("k = 7 AND " + check))
            .as("k = 7 AND %s in %s", check, valueOf(after, column))
            .isEqualTo(1);
        assertThat(after.countRows()).isEqualTo(20);
      }
    }
  }

  private static List<Object> valueOf(Dataset dataset, String column) throws Exception {
    return Songs.column(dataset.scan().select(column).where("k = 7").open(), column);
  }

  @Test
  void valuesThatDoNotFitAreErrorsThatNameTheColumn() {
    List<Field> fields =
        List.of(
            SampleFields.int64("k"),
            SampleFields.fixedSizeList("vector", 2, SampleFields.float32("item")),
            SampleFields.struct("pair", SampleFields.int32("a"), SampleFields.utf8("b")),
            new Field("must", FieldType.notNullable(new ArrowType.Int(32, true)), null));
    try (ArrowTable rows = RandomData.table(fields, NullPattern.NONE, 20, 3, allocator);
        Dataset dataset = write(FileVersion.V2_1).from(rows.root())) {
      Map<String, String> wrong =
          Map.of("vector", "[1.0, 2.0, 3.0]", "k", "[1]", "pair", "'text'", "must", "'x'");
      wrong.forEach(
          (column, expression) ->
              assertThatThrownBy(() -> dataset.update().set(column, expression).execute())
                  .isInstanceOf(InvalidInputException.class)
                  .hasMessageContaining("'" + column + "'"));
      assertThatThrownBy(() -> dataset.update().set("must", "NULL").execute())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("must");
      assertThatThrownBy(() -> dataset.update().set("pair", "NULL").set("pair.a", "1").execute())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'pair.a'");
      assertThat(dataset.versions()).hasSize(1);
    }
    List<String> files = new ArrayList<>();
    store.list(PATH + "/data", files::add);
    assertThat(files).hasSize(1);
  }

  /** A null struct becomes one in which only the field that was set is not null. */
  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void oneFieldOfAStructIsSet(String version) throws Exception {
    Field inner = SampleFields.struct("inner", SampleFields.int32("x"), SampleFields.utf8("y"));
    Field outer = SampleFields.struct("outer", SampleFields.utf8("a"), inner);
    List<Field> fields = List.of(SampleFields.int64("k"), outer);
    try (ArrowTable rows = RandomData.table(fields, NullPattern.SOME, 200, 5, allocator)) {
      BigIntVector k = (BigIntVector) rows.column("k");
      for (int i = 0; i < 200; i++) {
        k.setSafe(i, i);
      }
      write(FileVersion.parse(version)).from(rows.root()).close();
      StructVector before = (StructVector) rows.column("outer");
      try (Dataset dataset = open()) {
        update(
            dataset
                .update()
                .where("k >= 100")
                .set("outer.inner.x", "k")
                .set("outer.a", "outer.inner.y"));
        try (Dataset after = dataset.latest();
            ArrowTable actual = Tables.drain(after.scan().open(), allocator)) {
          for (int i = 0; i < 200; i++) {
            Object expected = i < 100 ? map(before, i) : changed(before, i);
            assertThat(map((StructVector) actual.column("outer"), i)).isEqualTo(expected);
          }
        }
      }
    }
  }

  private static String map(StructVector outer, int row) {
    if (outer.isNull(row)) {
      return "null";
    }
    StructVector inner = (StructVector) outer.getChild("inner");
    return outer.getChild("a").getObject(row)
        + "/"
        + (inner.isNull(row)
            ? "null"
            : inner.getChild("x").getObject(row) + "," + inner.getChild("y").getObject(row));
  }

  private static String changed(StructVector outer, int row) {
    StructVector inner = (StructVector) outer.getChild("inner");
    boolean absent = outer.isNull(row) || inner.isNull(row);
    Object y = absent ? null : inner.getChild("y").getObject(row);
    return y + "/" + row + "," + y;
  }

  private static Field json() {
    return new Field(
        "j",
        new FieldType(
            true, ArrowType.Utf8.INSTANCE, null, Map.of("ARROW:extension:name", "arrow.json")),
        null);
  }

  @Test
  void jsonIsSetAsTextAndOtherwiseStaysAsItIs() throws Exception {
    Schema schema = new Schema(List.of(SampleFields.int64("k"), json()));
    try (VectorSchemaRoot rows = VectorSchemaRoot.create(schema, allocator)) {
      String[] texts = {"{\"a\":[1,2.5]}", null, "7"};
      for (int i = 0; i < texts.length; i++) {
        ((BigIntVector) rows.getVector("k")).setSafe(i, i);
        if (texts[i] != null) {
          ((VarCharVector) rows.getVector("j")).setSafe(i, texts[i].getBytes(UTF_8));
        }
      }
      rows.setRowCount(texts.length);
      write(FileVersion.V2_1).from(rows).close();
    }
    try (Dataset first = open()) {
      update(first.update().where("k < 2").set("k", "k + 10"));
      try (Dataset second = first.latest()) {
        update(second.update().where("k = 11").set("j", "'{\"k\":' || k || '}'"));
      }
      try (Dataset third = first.latest()) {
        assertThat(Songs.column(third.scan().open(), "j"))
            .containsExactlyInAnyOrder("7", "{\"a\":[1,2.5]}", "{\"k\":11}");
        update(third.update().where("k = 2").set("j", "j"));
        for (String wrong : List.of("'{'", "k")) {
          assertThatThrownBy(() -> third.update().set("j", wrong).execute())
              .isInstanceOf(InvalidInputException.class)
              .hasMessageContaining("'j'");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1"})
  void blobsMoveWithTheirRows(String version) throws Exception {
    Field blob =
        new Field(
            "b",
            new FieldType(
                true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
            null);
    byte[] large = new byte[100_000];
    Arrays.fill(large, (byte) 7);
    List<byte[]> values = Arrays.asList("one".getBytes(UTF_8), null, new byte[0], large);
    try (VectorSchemaRoot rows =
        VectorSchemaRoot.create(new Schema(List.of(SampleFields.int64("k"), blob)), allocator)) {
      LargeVarBinaryVector vector = (LargeVarBinaryVector) rows.getVector("b");
      for (int i = 0; i < values.size(); i++) {
        ((BigIntVector) rows.getVector("k")).setSafe(i, i);
        if (values.get(i) != null) {
          vector.setSafe(i, values.get(i));
        }
      }
      rows.setRowCount(values.size());
      write(FileVersion.parse(version)).stableRowIds(true).from(rows).close();
    }
    try (Dataset first = open()) {
      update(first.update().where("k != 0").set("k", "k + 10"));
      try (Dataset second = first.latest()) {
        update(second.update().where("k = 12").set("b", "X'0102'"));
      }
      try (Dataset third = first.latest()) {
        List<Blob> blobs = third.takeBlobs(new long[] {0, 1, 2, 3}, "b");
        assertThat(bytes(blobs.get(0))).isEqualTo(values.get(0));
        assertThat(blobs.get(1)).isNull();
        assertThat(bytes(blobs.get(2))).isEqualTo(new byte[] {1, 2});
        assertThat(bytes(blobs.get(3))).isEqualTo(large);
        blobs.stream().filter(each -> each != null).forEach(Blob::close);
      }
    }
  }

  private static byte[] bytes(Blob blob) {
    return blob.read();
  }

  /** The table is many times larger than the memory that the update may take. */
  @Test
  void anUpdateOfManyRowsTakesLittleMemory() {
    int rows = 4_000;
    int batches = 25;
    Schema schema =
        new Schema(
            List.of(
                SampleFields.int64("k"),
                SampleFields.fixedSizeList("v", 256, SampleFields.float32("item"))));
    try (ArrowTable batch =
        RandomData.table(schema.getFields(), NullPattern.NONE, rows, 1, allocator)) {
      BigIntVector k = (BigIntVector) batch.column("k");
      List<VectorSchemaRoot> same = new ArrayList<>();
      for (int b = 0; b < batches; b++) {
        same.add(batch.root());
      }
      for (int i = 0; i < rows; i++) {
        k.setSafe(i, i);
      }
      write(FileVersion.V2_1).maxRowsPerFile(50_000).from(schema, same).close();
    }
    try (BufferAllocator limited = allocator.newChildAllocator("limited", 0, 80 << 20);
        Dataset dataset =
            Dataset.open(PATH, OpenOptions.builder().store(store).allocator(limited).build())) {
      UpdateResult result = dataset.update().set("k", "k + 1").execute();
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsUpdated()).isEqualTo((long) rows * batches);
        assertThat(after.countRows("k = " + rows)).isEqualTo(batches);
        assertThat(new TreeSet<>(after.fragments().stream().map(f -> f.physicalRows()).toList()))
            .containsExactly((long) rows * batches);
      }
    }
  }
}
