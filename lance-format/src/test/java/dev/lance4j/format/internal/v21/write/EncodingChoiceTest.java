package dev.lance4j.format.internal.v21.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.proto.encodings21.CompressionScheme;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding.CompressionCase;
import dev.lance4j.format.proto.encodings21.ConstantLayout;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages take the encoding that suits their data, or the one that the field asks for. */
class EncodingChoiceTest {
  private static final ArrowType INT = new ArrowType.Int(32, true);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static Field field(ArrowType type, String... metadata) {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < metadata.length; i += 2) {
      entries.put("lance-encoding:" + metadata[i], metadata[i + 1]);
    }
    return new Field("x", new FieldType(true, type, null, entries), null);
  }

  private static String hex(String spaced) {
    return spaced.replaceAll("[ |]", "");
  }

  private VectorSchemaRoot ints(Field field, int count, IntUnaryOperator values) {
    IntVector vector = (IntVector) field.createVector(allocator);
    vector.allocateNew(count);
    for (int i = 0; i < count; i++) {
      vector.set(i, values.applyAsInt(i));
    }
    vector.setValueCount(count);
    return VectorSchemaRoot.of(vector);
  }

  /** Nulls stand for null. */
  private VectorSchemaRoot strings(Field field, int count, IntFunction<String> values) {
    VarCharVector vector = (VarCharVector) field.createVector(allocator);
    vector.allocateNew();
    for (int i = 0; i < count; i++) {
      String value = values.apply(i);
      if (value != null) {
        vector.setSafe(i, value.getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(count);
    return VectorSchemaRoot.of(vector);
  }

  /** The only page, after a check that the rows come back from a file. */
  private WrittenColumn.Page page(VectorSchemaRoot root, FileVersion version) {
    try (ArrowTable table = ArrowTable.of(root)) {
      RoundTrip.check(table, version, allocator);
      return WrittenColumn.write(
              allocator,
              root.getSchema().getFields().get(0),
              version,
              ArrayDataVectors.of(root.getVector(0), root.getRowCount(), "x", null))
          .get(0)
          .page();
    }
  }

  private CompressiveEncoding values(VectorSchemaRoot root) {
    return page(root, FileVersion.V2_1).layout().getMiniBlockLayout().getValueCompression();
  }

  @Test
  void smallNumbersArePacked() {
    WrittenColumn.Page page = page(ints(field(INT), 3000, i -> 37 * i % 1000), FileVersion.V2_1);
    assertThat(page.layout().getMiniBlockLayout().getValueCompression().getCompressionCase())
        .isEqualTo(CompressionCase.INLINE_BITPACKING);
    assertThat(page.hex(0)).startsWith("1a0a");
    assertThat(page.hex(1))
        .startsWith(hex("00 00 | 04 05 | fe fe fe fe | 0a 00 00 00 | 00 80 8b 1d | 25 14 dc 5f"));
  }

  @Test
  void longRunsAreCounted() {
    WrittenColumn.Page page = page(ints(field(INT), 3000, i -> i / 300), FileVersion.V2_1);
    assertThat(page.layout().getMiniBlockLayout().getNumBuffers()).isEqualTo(2);
    StringBuilder runs = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      String value = HexFormat.of().toHexDigits(Integer.reverseBytes(i));
      runs.append(value).append(value);
    }
    assertThat(page.hex(0)).isEqualTo("d000");
    assertThat(page.hex(1))
        .isEqualTo(hex("00 00 | 50 00 | 14 00 | fe fe") + runs + "ff2d".repeat(10) + "fefefefe");
  }

  @Test
  void chunksOfRunsEndAtAPowerOfTwo() {
    // Three runs for each four values.
    WrittenColumn.Page page =
        page(
            ints(field(INT), 3000, i -> (i / 4 * 3 + Math.min(i % 4, 2)) * 1_000_003),
            FileVersion.V2_1);
    ByteBuffer words = ByteBuffer.wrap(page.buffers().get(0)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(page.layout().getMiniBlockLayout().getValueCompression().hasRle()).isTrue();
    assertThat(words.capacity()).isEqualTo(4);
    assertThat(((words.getShort(0) >> 4) + 1) * 8).isEqualTo(7688);
    assertThat(words.getShort(0) & 15).isEqualTo(11);
  }

  @Test
  void randomNumbersStayAsTheyAre() {
    int[] random = new SplittableRandom(1).ints(3000).toArray();
    assertThat(values(ints(field(INT), 3000, i -> random[i])).hasFlat()).isTrue();
  }

  @Test
  void metadataDecidesForNumbers() {
    int[] random = new SplittableRandom(1).ints(3000, 0, 1000).toArray();
    Field plain = field(INT, "compression", "none");
    assertThat(values(ints(plain, 3000, i -> random[i])).hasFlat()).isTrue();
    Field split = field(INT, "compression", "zstd", "compression-level", "7", "bss", "on");
    CompressiveEncoding zstd = values(ints(split, 3000, i -> random[i]));
    assertThat(zstd.getGeneral().getCompression().getLevel()).isEqualTo(7);
    assertThat(zstd.getGeneral().getValues().hasByteStreamSplit()).isTrue();
    Field fewRuns = field(INT, "rle-threshold", "0.001");
    assertThat(values(ints(fewRuns, 3000, i -> i / 37)).hasRle()).isFalse();
    Field zipped = field(INT, "structural-encoding", "FullZip");
    assertThat(page(ints(zipped, 300, i -> i), FileVersion.V2_1).layout().hasFullZipLayout())
        .isTrue();
  }

  @Test
  void metadataDecidesForStrings() {
    Field field = field(ArrowType.Utf8.INSTANCE, "compression", "lz4");
    CompressiveEncoding values = values(strings(field, 2000, EncodingChoiceTest::url));
    assertThat(values.getGeneral().getCompression().getScheme())
        .isEqualTo(CompressionScheme.COMPRESSION_ALGORITHM_LZ4);
    assertThat(values.getGeneral().getValues().hasVariable()).isTrue();
    Field plain = field(ArrowType.Utf8.INSTANCE, "compression", "none");
    assertThat(values(strings(plain, 2000, EncodingChoiceTest::url)).hasVariable()).isTrue();
  }

  @Test
  void compressionThatDoesNotPayIsLeftOut() {
    Field field = field(INT, "compression", "zstd", "bss", "off");
    int[] random = new SplittableRandom(1).ints(3000).toArray();
    assertThat(values(ints(field, 3000, i -> random[i])).hasFlat()).isTrue();
    assertThat(values(ints(field, 300, i -> random[i] & 7)).hasGeneral()).isFalse();
  }

  @Test
  void fewStringsBecomeADictionary() {
    VectorSchemaRoot root =
        strings(field(ArrowType.Utf8.INSTANCE), 3000, i -> i % 5 == 0 ? null : "category-" + i % 7);
    MiniBlockLayout layout = page(root, FileVersion.V2_1).layout().getMiniBlockLayout();
    assertThat(layout.getNumDictionaryItems()).isEqualTo(7);
    assertThat(layout.getDictionary().hasVariable()).isTrue();
  }

  @Test
  void version22CompressesTheDictionary() {
    VectorSchemaRoot root =
        strings(field(ArrowType.Utf8.INSTANCE), 3000, i -> "a-rather-long-category-" + i % 200);
    MiniBlockLayout layout = page(root, FileVersion.V2_2).layout().getMiniBlockLayout();
    assertThat(layout.getDictionary().getGeneral().getCompression().getScheme())
        .isEqualTo(CompressionScheme.COMPRESSION_ALGORITHM_LZ4);
    Field plain = field(ArrowType.Utf8.INSTANCE, "dict-values-compression", "none");
    root = strings(plain, 3000, i -> "a-rather-long-category-" + i % 200);
    layout = page(root, FileVersion.V2_2).layout().getMiniBlockLayout();
    assertThat(layout.getDictionary().hasVariable()).isTrue();
  }

  @Test
  void aDictionaryNeedsRepetition() {
    Field field = field(ArrowType.Utf8.INSTANCE, "dict-divisor", "10");
    VectorSchemaRoot root = strings(field, 1000, i -> "category-" + i % 200);
    assertThat(page(root, FileVersion.V2_1).layout().getMiniBlockLayout().hasDictionary())
        .isFalse();
    root = strings(field, 99, i -> "category-" + i % 2);
    assertThat(page(root, FileVersion.V2_1).layout().getMiniBlockLayout().hasDictionary())
        .isFalse();
  }

  private static String url(int i) {
    return "https://www.example.com/products/" + i * 7919L % 100_003 + "/index.html";
  }

  @Test
  void manyStringsAreCodedWithASharedTable() {
    WrittenColumn.Page page =
        page(
            strings(field(ArrowType.Utf8.INSTANCE), 2000, EncodingChoiceTest::url),
            FileVersion.V2_1);
    CompressiveEncoding values = page.layout().getMiniBlockLayout().getValueCompression();
    assertThat(values.getFsst().getSymbolTable().size()).isEqualTo(2312);
    assertThat(page.buffers().get(1).length).isLessThan(2000 * url(1).length() / 2);
  }

  @Test
  void largeValuesAreCompressedOneByOne() {
    Field field = field(ArrowType.Utf8.INSTANCE, "compression", "zstd");
    VectorSchemaRoot root = strings(field, 100, i -> url(i).repeat(20));
    PageLayout layout = page(root, FileVersion.V2_1).layout();
    assertThat(layout.getFullZipLayout().getValueCompression().getGeneral().getCompression())
        .satisfies(
            compression -> {
              assertThat(compression.getScheme())
                  .isEqualTo(CompressionScheme.COMPRESSION_ALGORITHM_ZSTD);
              assertThat(compression.hasLevel()).isTrue();
            });
  }

  @Test
  void chunksOfStringsHaveTheSizeAskedFor() {
    Field field = field(ArrowType.Utf8.INSTANCE, "minichunk-size", "16384", "compression", "none");
    WrittenColumn.Page page = page(strings(field, 2000, EncodingChoiceTest::url), FileVersion.V2_1);
    assertThat(page.buffers().get(0)[0] & 15).isEqualTo(8);
  }

  @Test
  void equalValuesAreStoredOnceFromVersion22() {
    ConstantLayout layout =
        page(ints(field(INT), 500, i -> 7), FileVersion.V2_2).layout().getConstantLayout();
    assertThat(layout.getInlineValue()).isEqualTo(ByteString.copyFrom(new byte[] {7, 0, 0, 0}));
    assertThat(page(ints(field(INT), 500, i -> 7), FileVersion.V2_1).layout().hasConstantLayout())
        .isFalse();
    WrittenColumn.Page page =
        page(
            strings(field(ArrowType.Utf8.INSTANCE), 50, i -> i % 3 == 0 ? "hello" : null),
            FileVersion.V2_2);
    assertThat(page.layout().getConstantLayout().hasInlineValue()).isFalse();
    assertThat(page.hex(0))
        .isEqualTo(
            hex("02 00 00 00 | 08 00 00 00 | 05 00 00 00 | 00 00 00 00 05 00 00 00")
                + HexFormat.of().formatHex("hello".getBytes(StandardCharsets.UTF_8)));
    assertThat(page.buffers()).hasSize(3);
  }

  @Test
  void packedStructsLieRowByRow() {
    Field a = SampleFields.int32("a");
    Field b = SampleFields.utf8("b");
    Map<String, String> metadata = Map.of("lance-encoding:packed", "true");
    FieldType type = new FieldType(true, ArrowType.Struct.INSTANCE, null, metadata);
    TestArrays arrays = new TestArrays(allocator);
    WrittenColumn.Page fixed =
        WrittenColumn.write(
                allocator,
                new Field("p", type, List.of(a, SampleFields.int32("c"))),
                FileVersion.V2_1,
                arrays.structs(2, i -> i != 1, arrays.ints(1, 9), arrays.ints(2, 9)))
            .get(0)
            .page();
    assertThat(fixed.hex(1)).endsWith("01000000020000000000000000000000");
    WrittenColumn.Page variable =
        WrittenColumn.write(
                allocator,
                new Field("p", type, List.of(a, b)),
                FileVersion.V2_2,
                arrays.structs(2, i -> i >= 0, arrays.ints(100, 101), arrays.strings("", "zz")))
            .get(0)
            .page();
    assertThat(variable.hex(0))
        .isEqualTo(
            hex(
                "08 00 00 00 | 64 00 00 00 | 00 00 00 00"
                    + "0a 00 00 00 | 65 00 00 00 | 02 00 00 00 7a 7a"));
    assertThat(variable.hex(1)).isEqualTo("000c1a");
  }

  @Test
  void levelsArePackedToThePagesWidth() {
    short[] rep = new short[1112];
    short[] def = new short[1112];
    for (int i = 0; i < rep.length; i++) {
      rep[i] = (short) (i % 3 == 0 ? 1 : 0);
      def[i] = (short) (i % 4 == 0 ? 2 : 0);
    }
    // A tail of 88 is packed when that takes less than 176 bytes.
    assertThat(LevelCodecs.choose(rep, false).maxBytes(0, 1112)).isEqualTo(256);
    assertThat(LevelCodecs.choose(def, false).maxBytes(0, 1112)).isEqualTo(432);
    short[] short900 = new short[900];
    short900[7] = 1;
    LevelCodec inline = LevelCodecs.choose(short900, false);
    ByteBuffer out = ByteBuffer.allocate(130).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(inline.write(0, 900, out, 0)).isEqualTo(130);
    assertThat(out.getShort(0)).isEqualTo((short) 1);
  }

  @Test
  void runsOfLevelsAreCountedFromVersion22() {
    LevelCodec runs = LevelCodecs.choose(new short[] {1, 1, 1, 1}, true);
    ByteBuffer out = ByteBuffer.allocate(11).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(runs.write(0, 4, out, 0)).isEqualTo(11);
    assertThat(HexFormat.of().formatHex(out.array()))
        .isEqualTo(hex("02 00 00 00 00 00 00 00 | 01 00 | 04"));
    assertThat(LevelCodecs.choose(new short[] {1, 1, 1, 1}, false)).isInstanceOf(FlatLevels.class);
  }
}
