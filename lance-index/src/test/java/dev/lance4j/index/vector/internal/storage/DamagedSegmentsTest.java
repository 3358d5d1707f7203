package dev.lance4j.index.vector.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.index.IndexProto.IVF;
import dev.lance4j.format.proto.index.IndexProto.Tensor;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.table.Session;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of segments that no writer produces are refused when the segment is opened or searched. */
class DamagedSegmentsTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Map<String, String> index = new HashMap<>();
  private final Map<String, String> codes = new HashMap<>();
  private IVF ivf = partitions(2, 2).setCentroidsTensor(tensor(2, 2)).build();
  private IVF ranges = partitions(2, 1).build();

  DamagedSegmentsTest() {
    index.put("lance:index", "{\"type\":\"IVF_SQ\",\"distance_type\":\"l2\"}");
    index.put("lance:flat", "[\"\",\"\"]");
    index.put("lance:ivf", "1");
    codes.put("distance_type", "l2");
    codes.put("lance:ivf", "1");
    codes.put(
        "storage_metadata",
        "[\"{\\\"dim\\\":2,\\\"num_bits\\\":8,\\\"bounds\\\":{\\\"start\\\":-1,\\\"end\\\":1}}\"]");
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static IVF.Builder partitions(int count, int rows) {
    IVF.Builder message = IVF.newBuilder();
    for (int p = 0; p < count; p++) {
      message.addLengths(rows == 2 ? 0 : rows).addOffsets(rows == 2 ? 0 : p);
    }
    return message;
  }

  private static Tensor tensor(int rows, int columns) {
    return Tensors.message(VectorElement.FLOAT32, rows, columns, new float[rows * columns]);
  }

  private void write() {
    Field marker =
        new Field("__flat_marker", FieldType.notNullable(new ArrowType.Int(64, false)), null);
    try (LanceFileWriter file = writer("s/index.idx", new Schema(List.of(marker)))) {
      file.addGlobalBuffer(ByteBuffer.wrap(ivf.toByteArray()));
      index.forEach(file::addMetadata);
      file.finish();
    }
    Field rowId = Field.nullable("_rowid", new ArrowType.Int(64, false));
    Field code =
        new Field(
            "__sq_code",
            FieldType.nullable(new ArrowType.FixedSizeList(2)),
            List.of(Field.nullable("item", new ArrowType.Int(8, false))));
    Schema schema = new Schema(List.of(rowId, code));
    try (VectorSchemaRoot rows = VectorSchemaRoot.create(schema, allocator);
        LanceFileWriter file = writer("s/auxiliary.idx", schema)) {
      for (int r = 0; r < 2; r++) {
        ((UInt8Vector) rows.getVector(0)).setSafe(r, r);
        FixedSizeListVector list = (FixedSizeListVector) rows.getVector(1);
        list.startNewValue(r);
        ((UInt1Vector) list.getDataVector()).setSafe(2 * r, r);
        ((UInt1Vector) list.getDataVector()).setSafe(2 * r + 1, 3 * r);
      }
      rows.setRowCount(2);
      file.write(rows);
      file.addGlobalBuffer(ByteBuffer.wrap(ranges.toByteArray()));
      codes.forEach(file::addMetadata);
      file.finish();
    }
  }

  private LanceFileWriter writer(String path, Schema schema) {
    return LanceFileWriter.create(
        store, path, LanceSchema.fromArrow(schema), FileVersion.V2_1, allocator);
  }

  private int search() {
    try (Session session = Session.create();
        VectorSegment segment = VectorSegment.open(store, "s", session, allocator)) {
      VectorSearch search = VectorSearch.of(5).probes(2);
      return segment.search(QueryVector.of(new float[] {0, 1}), search, null).size();
    }
  }

  private void assertCorrupt(String message) {
    write();
    assertThatThrownBy(this::search)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aSoundSegmentIsSearched() {
    write();
    assertThat(search()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lance:index | | not found",
        "lance:index | {} | has no 'type'",
        "lance:index | {\"type\":\"IVF_XX\",\"distance_type\":\"l2\"} | no kind of vector index",
        "lance:index | {\"type\":\"IVF_SQ\",\"distance_type\":\"far\"} | no metric",
        "lance:index | {\"type\":\"IVF_SQ\",\"distance_type\":\"hamming\"} | does not fit",
        "lance:index | {\"type\":\"IVF_HNSW_SQ\",\"distance_type\":\"l2\"} | lance:hnsw not found",
        "lance:index | nonsense | is no JSON",
        "lance:flat | | not found",
        "lance:flat | [\"\"] | 1 entries for 2 partitions",
        "lance:flat | {} | array of strings",
        "lance:ivf | 0 | global buffer 0",
        "lance:ivf | 7 | global buffer 7",
        "lance:ivf | one | is no number"
      })
  void damagedMetadataOfTheIndexIsRefused(String key, String value, String message) {
    if (value == null) {
      index.remove(key);
    } else {
      index.put(key, value);
    }
    assertCorrupt(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "distance_type | | not found",
        "lance:ivf | | not found",
        "storage_metadata | | not found",
        "storage_metadata | [] | 0 entries",
        "storage_metadata | [\"{}\"] | has no",
        "storage_metadata | [\"{\\\"dim\\\":-2,\\\"num_bits\\\":8,\\\"bounds\\\":{\\\"start\\\":0,\\\"end\\\":1}}\"] | whole number",
        "storage_metadata | [\"{\\\"dim\\\":3,\\\"num_bits\\\":8,\\\"bounds\\\":{\\\"start\\\":0,\\\"end\\\":1}}\"] | codes of 3 bytes",
        "storage_metadata | [\"{\\\"dim\\\":2,\\\"num_bits\\\":8,\\\"bounds\\\":{\\\"start\\\":\\\"x\\\",\\\"end\\\":1}}\"] | must be a number"
      })
  void damagedMetadataOfTheCodesIsRefused(String key, String value, String message) {
    if (value == null) {
      codes.remove(key);
    } else {
      codes.put(key, value);
    }
    assertCorrupt(message);
  }

  @Test
  void partitionsOutsideTheFileAreRefused() {
    ranges = IVF.newBuilder().addLengths(1).addLengths(2).addOffsets(0).addOffsets(1).build();
    assertCorrupt("partition 1 has rows 1 to 3, but the file has 2");
    ranges = IVF.newBuilder().addLengths(1).addLengths(-1).build();
    assertCorrupt("more than 2^31 rows");
    ranges = IVF.newBuilder().addLengths(1).addLengths(1).addOffsets(0).build();
    assertCorrupt("2 partitions have 1 offsets");
    ranges = IVF.newBuilder().addLengths(2).build();
    assertCorrupt("the file has 1 partitions, but there are 2 centroids");
  }

  @Test
  void centroidsThatDoNotFitAreRefused() {
    ivf = partitions(2, 2).setCentroidsTensor(tensor(3, 2)).build();
    assertCorrupt("3 centroids of dimension 2 for 2 partitions");
    ivf = partitions(2, 2).setCentroidsTensor(tensor(2, 4)).build();
    assertCorrupt("dimension 2, but the centroids of 4");
    ivf = partitions(2, 2).setCentroidsTensor(tensor(2, 2).toBuilder().addShape(1)).build();
    assertCorrupt("3 dimensions instead of 2");
    Tensor small = tensor(2, 2).toBuilder().clearShape().addShape(2).addShape(1 << 30).build();
    ivf = partitions(2, 2).setCentroidsTensor(small).build();
    assertCorrupt("has 16 bytes");
    Tensor wide = tensor(2, 2).toBuilder().setDataTypeValue(7).build();
    ivf = partitions(2, 2).setCentroidsTensor(wide).build();
    assertCorrupt("data type 7");
    ivf = partitions(2, 2).build();
    assertCorrupt("2 centroids of dimension 0");
  }

  @Test
  void otherLayoutsAreRefusedByName() {
    ByteBuffer footer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    footer
        .putShort((short) 0)
        .putShort((short) 2)
        .put("LANC".getBytes(StandardCharsets.US_ASCII))
        .flip();
    store.put("s/index.idx", footer.duplicate());
    assertThatThrownBy(this::search)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("version 0.2");
    store.put("s/index.idx", ByteBuffer.wrap(new byte[20]));
    assertThatThrownBy(this::search).isInstanceOf(CorruptFileException.class);
    store.put("s/index.idx", ByteBuffer.wrap(new byte[3]));
    assertThatThrownBy(this::search).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void anyChangedByteIsSurvived() {
    write();
    SplittableRandom random = new SplittableRandom(9);
    for (String path : List.of("s/index.idx", "s/auxiliary.idx")) {
      byte[] sound = bytes(path);
      for (int i = 0; i < 1_500; i++) {
        byte[] damaged = sound.clone();
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        store.put(path, ByteBuffer.wrap(damaged));
        try {
          assertThat(search()).isLessThanOrEqualTo(2);
        } catch (LanceException e) {
          assertThat(e).hasMessageNotContaining("null");
        }
      }
      store.put(path, ByteBuffer.wrap(sound));
    }
  }

  private byte[] bytes(String path) {
    try (ObjectReader reader = store.open(path)) {
      byte[] bytes = new byte[(int) reader.size()];
      reader.read(0, bytes.length).get(bytes);
      return bytes;
    }
  }
}
