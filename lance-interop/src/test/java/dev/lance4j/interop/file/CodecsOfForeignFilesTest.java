package dev.lance4j.interop.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableBuilder;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data that make the real library use each of its encodings read as written. */
@WithOracle
class CodecsOfForeignFilesTest {
  private static final String COMPRESSION = "lance-encoding:compression";
  private static final String STRUCTURE = "lance-encoding:structural-encoding";

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();
  private final SplittableRandom random = new SplittableRandom(7);

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Writes one column with the real library and checks what it used and how it reads. */
  private void check(String version, FieldVector column, String... features) throws IOException {
    Path file = folder.resolve("a.lance");
    try (ArrowTable written = ArrowTable.of(column)) {
      oracle.writeFile(file, version, written);
      assertThat(PageFeatures.of(file, 0)).contains(features);
      FileChecks.check(file, written, column.getName(), allocator);
    }
  }

  private static FieldType type(ArrowType type, String... metadata) {
    Map<String, String> map = new java.util.TreeMap<>();
    for (int i = 0; i < metadata.length; i += 2) {
      map.put(metadata[i], metadata[i + 1]);
    }
    return new FieldType(true, type, null, map);
  }

  private IntVector ints(int rows, IntToLongFunction values, String... metadata) {
    IntVector vector = new IntVector("c", type(new ArrowType.Int(32, true), metadata), allocator);
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      vector.set(i, (int) values.applyAsLong(i));
    }
    vector.setValueCount(rows);
    return vector;
  }

  private BigIntVector longs(int rows, IntToLongFunction values, String... metadata) {
    BigIntVector vector =
        new BigIntVector("c", type(new ArrowType.Int(64, true), metadata), allocator);
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      vector.set(i, values.applyAsLong(i));
    }
    vector.setValueCount(rows);
    return vector;
  }

  private Float4Vector floats(int rows, IntToDoubleFunction values, String... metadata) {
    Float4Vector vector =
        new Float4Vector("c", type(SampleFields.float32("c").getType(), metadata), allocator);
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      vector.set(i, (float) values.applyAsDouble(i));
    }
    vector.setValueCount(rows);
    return vector;
  }

  private Float8Vector doubles(int rows, IntToDoubleFunction values, String... metadata) {
    Float8Vector vector =
        new Float8Vector("c", type(SampleFields.float64("c").getType(), metadata), allocator);
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      vector.set(i, values.applyAsDouble(i));
    }
    vector.setValueCount(rows);
    return vector;
  }

  /** Strings; null where the function gives null. */
  private VarCharVector strings(int rows, IntFunction<String> values, String... metadata) {
    VarCharVector vector =
        new VarCharVector("c", type(ArrowType.Utf8.INSTANCE, metadata), allocator);
    for (int i = 0; i < rows; i++) {
      String value = values.apply(i);
      if (value != null) {
        vector.setSafe(i, value.getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(rows);
    return vector;
  }

  private static String url(int i) {
    return i % 13 == 0
        ? null
        : "https://www.example.com/products/" + i * 7919L % 9973 + "/index.html";
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append((char) ('a' + random.nextInt(26)));
      text.append(" the quick brown fox".substring(random.nextInt(20)));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void bitPackedIntegers(String version) throws IOException {
    check(version, ints(5000, i -> 37L * i % 1000), "inline_bitpacking");
    check(version, longs(5000, i -> random.nextInt(1 << 20)), "inline_bitpacking");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void runs(String version) throws IOException {
    check(version, ints(9000, i -> i / 300 * 1_000_003L), "rle");
    check(version, longs(9000, i -> i / 700 * 1_000_003L), "rle");
  }

  @ParameterizedTest
  @CsvSource({"2.1,zstd", "2.1,lz4", "2.2,zstd", "2.2,lz4"})
  void generalCompression(String version, String scheme) throws IOException {
    check(version, longs(5000, i -> i * (1L << 40) + i, COMPRESSION, scheme), "general");
    check(version, floats(5000, i -> 1 + i / 1e6, COMPRESSION, scheme), "byte_stream_split");
    check(version, doubles(5000, i -> 1 + i / 1e6, COMPRESSION, scheme), "byte_stream_split");
    check(version, strings(5000, i -> url(i), COMPRESSION, scheme), "general", "variable");
    check(
        version,
        strings(50, i -> i % 5 == 0 ? null : text(6000), COMPRESSION, scheme),
        "full_zip_layout",
        "general");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void symbolTables(String version) throws IOException {
    check(version, strings(3000, i -> url(i)), "mini_block_layout", "fsst");
    check(version, strings(300, i -> url(i), COMPRESSION, "fsst"), "fsst");
    check(version, strings(300, i -> i % 7 == 0 ? null : text(300)), "full_zip_layout", "fsst");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void dictionaries(String version) throws IOException {
    check(
        version,
        strings(3000, i -> i % 11 == 0 ? null : "value number " + i % 17),
        "num_dictionary_items");
    check(version, strings(3000, i -> i % 11 == 0 ? null : "v" + i % 17), "mini_block_layout");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void dictionariesOfIntegers(String scheme) throws IOException {
    check(
        "2.2",
        longs(
            3000,
            i -> (i * 31 % 97) * 1_000_000_007L,
            "lance-encoding:dict-values-compression",
            scheme),
        "num_dictionary_items");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void longStrings(String version) throws IOException {
    check(
        version,
        strings(200, i -> i % 9 == 0 ? null : text(400), COMPRESSION, "none"),
        "full_zip_layout",
        "variable");
    check(version, strings(40, i -> i % 9 == 0 ? "" : text(40_000)), "full_zip_layout", "general");
  }

  @Test
  void largeChunks() throws IOException {
    check(
        "2.2",
        strings(6000, i -> url(i), "lance-encoding:minichunk-size", "200000", COMPRESSION, "none"),
        "has_large_chunk");
  }

  @Test
  void constants() throws IOException {
    check("2.2", ints(3000, i -> 42), "constant_layout", "inline_value");
    check("2.2", strings(3000, i -> "hello"), "constant_layout");
    check("2.2", strings(3000, i -> i % 3 == 0 ? null : "hello"), "constant_layout");
    check("2.2", strings(3000, i -> ""), "constant_layout");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void severalPagesOfDifferentKinds(String version) throws IOException {
    int rows = 40_000;
    int width = 250;
    List<FixedSizeBinaryVector> batches = new ArrayList<>();
    byte[] value = new byte[width];
    for (int batch = 0; batch < 3; batch++) {
      FixedSizeBinaryVector column =
          new FixedSizeBinaryVector("c", type(new ArrowType.FixedSizeBinary(width)), allocator);
      column.allocateNew(rows);
      for (int i = 0; i < rows; i++) {
        if (batch == 2 || (batch == 1 && i % 3 > 0)) {
          random.nextBytes(value);
          column.set(i, value);
        }
      }
      column.setValueCount(rows);
      batches.add(column);
    }
    Path file = folder.resolve("a.lance");
    try (ArrowTable written = writeBatches(file, version, batches)) {
      assertThat(PageFeatures.pages(file, 0)).hasSize(3);
      assertThat(PageFeatures.of(file, 0)).contains("mini_block_layout", "constant_layout");
      FileChecks.check(file, written, "c", allocator);
    }
  }

  /** Writes batches, which it takes over, and returns all their rows. */
  private ArrowTable writeBatches(Path file, String version, List<? extends FieldVector> batches)
      throws IOException {
    Path data = folder.resolve("data.arrows");
    VectorSchemaRoot root = VectorSchemaRoot.of(batches.get(0).getField().createVector(allocator));
    try (root;
        OutputStream out = Files.newOutputStream(data);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out);
        TableBuilder all = new TableBuilder(allocator)) {
      for (FieldVector batch : batches) {
        try (VectorSchemaRoot rows = VectorSchemaRoot.of(batch);
            ArrowRecordBatch message = new VectorUnloader(rows).getRecordBatch()) {
          new VectorLoader(root).load(message);
          writer.writeBatch();
          all.append(root, null);
        }
      }
      writer.end();
      ObjectNode args = Oracle.args().put("path", file.toString()).put("version", version);
      oracle.call("writeFile", args.put("data", data.toString()));
      return all.build();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void rowsThatSpanChunks(String version) throws IOException {
    for (String structure : List.of("miniblock", "fullzip")) {
      ListVector lists =
          new ListVector("c", allocator, type(ArrowType.List.INSTANCE, STRUCTURE, structure), null);
      IntVector items =
          (IntVector)
              lists.addOrGetVector(FieldType.nullable(new ArrowType.Int(32, true))).getVector();
      int count = 0;
      for (int i = 0; i < 60; i++) {
        int length = i % 3 == 0 ? random.nextInt(20_000) : random.nextInt(3);
        if (i % 10 == 7) {
          continue;
        }
        lists.startNewValue(i);
        for (int j = 0; j < length; j++) {
          if (random.nextInt(5) > 0) {
            items.setSafe(count, random.nextInt());
          }
          count++;
        }
        lists.endValue(i, length);
      }
      items.setValueCount(count);
      lists.setValueCount(60);
      check(version, lists, structure.equals("fullzip") ? "full_zip_layout" : "mini_block_layout");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void packedStructs(String version) throws IOException {
    StructVector structs =
        new StructVector(
            "c", allocator, type(ArrowType.Struct.INSTANCE, "lance-encoding:packed", "true"), null);
    IntVector a = structs.addOrGet("a", SampleFields.int32("a").getFieldType(), IntVector.class);
    BigIntVector b =
        structs.addOrGet("b", SampleFields.int64("b").getFieldType(), BigIntVector.class);
    for (int i = 0; i < 3000; i++) {
      a.setSafe(i, random.nextInt());
      b.setSafe(i, random.nextLong());
      structs.setIndexDefined(i);
      if (i % 10 == 3) {
        structs.setNull(i);
      }
    }
    a.setValueCount(3000);
    b.setValueCount(3000);
    structs.setValueCount(3000);
    check(version, structs, "packed_struct");
  }

  @Test
  void packedStructsWithStrings() throws IOException {
    StructVector structs =
        new StructVector(
            "c", allocator, type(ArrowType.Struct.INSTANCE, "lance-encoding:packed", "true"), null);
    IntVector a = structs.addOrGet("a", SampleFields.int32("a").getFieldType(), IntVector.class);
    VarCharVector b =
        structs.addOrGet("b", SampleFields.utf8("b").getFieldType(), VarCharVector.class);
    for (int i = 0; i < 3000; i++) {
      a.setSafe(i, random.nextInt());
      b.setSafe(i, text(i % 40).getBytes(StandardCharsets.UTF_8));
      structs.setIndexDefined(i);
      if (i % 10 == 3) {
        structs.setNull(i);
      }
    }
    a.setValueCount(3000);
    b.setValueCount(3000);
    structs.setValueCount(3000);
    check("2.2", structs, "variable_packed_struct");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void blobs(String version) throws IOException {
    LargeVarBinaryVector blobs =
        new LargeVarBinaryVector(
            "c", type(ArrowType.LargeBinary.INSTANCE, "lance-encoding:blob", "true"), allocator);
    for (int i = 0; i < 500; i++) {
      if (i % 7 != 2) {
        byte[] value = new byte[i % 5 == 0 ? 0 : random.nextInt(5000)];
        random.nextBytes(value);
        blobs.setSafe(i, value);
      }
    }
    blobs.setValueCount(500);
    check(version, blobs, "blob_layout");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.1", "2.2"})
  void wideVectors(String version) throws IOException {
    for (boolean nulls : new boolean[] {false, true}) {
      Field field =
          new Field(
              "c",
              FieldType.nullable(new ArrowType.FixedSizeList(128)),
              List.of(SampleFields.float32("item")));
      org.apache.arrow.vector.complex.FixedSizeListVector vectors =
          (org.apache.arrow.vector.complex.FixedSizeListVector) field.createVector(allocator);
      Float4Vector items = (Float4Vector) vectors.getDataVector();
      vectors.setInitialCapacity(500);
      vectors.allocateNew();
      for (int i = 0; i < 500; i++) {
        if (!nulls || i % 6 != 1) {
          vectors.setNotNull(i);
        }
        for (int j = 0; j < 128; j++) {
          if (!nulls || (i + j) % 9 != 4) {
            items.setSafe(i * 128 + j, random.nextInt() / 1e3f);
          }
        }
      }
      items.setValueCount(500 * 128);
      vectors.setValueCount(500);
      check(version, vectors, "full_zip_layout", "fixed_size_list");
    }
  }
}
