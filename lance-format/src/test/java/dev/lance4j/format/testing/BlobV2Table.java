package dev.lance4j.format.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Tables of the row's number, {@code k}, and a column {@code b} of the type lance.blob.v2. */
public final class BlobV2Table {
  private static final ArrowType UINT64 = new ArrowType.Int(64, false);

  private BlobV2Table() {}

  /** A blob in another object. */
  public record External(String uri, Long position, Long size) {
    /** A whole object. */
    public External(String uri) {
      this(uri, null, null);
    }
  }

  /** The blob field, whose metadata has more than the extension name. */
  public static Field field(Map<String, String> more) {
    Map<String, String> metadata = new HashMap<>(more);
    metadata.put("ARROW:extension:name", "lance.blob.v2");
    return new Field(
        "b",
        new FieldType(true, ArrowType.Struct.INSTANCE, null, metadata),
        List.of(
            Field.nullable("data", ArrowType.LargeBinary.INSTANCE),
            Field.nullable("uri", ArrowType.Utf8.INSTANCE),
            Field.nullable("position", UINT64),
            Field.nullable("size", UINT64)));
  }

  /**
   * A table.
   *
   * @param values bytes, {@link External} or null
   */
  public static ArrowTable of(List<?> values, Map<String, String> more, BufferAllocator allocator) {
    return of(IntStream.range(0, values.size()).toArray(), values, more, allocator);
  }

  /**
   * A table.
   *
   * @param keys the values of {@code k}
   * @param values bytes, {@link External} or null
   */
  public static ArrowTable of(
      int[] keys, List<?> values, Map<String, String> more, BufferAllocator allocator) {
    Schema schema = new Schema(List.of(SampleFields.int32("k"), field(more)));
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    root.allocateNew();
    StructVector blobs = (StructVector) root.getVector("b");
    for (int i = 0; i < values.size(); i++) {
      ((IntVector) root.getVector("k")).setSafe(i, keys[i]);
      if (values.get(i) == null) {
        blobs.setNull(i);
        continue;
      }
      blobs.setIndexDefined(i);
      if (values.get(i) instanceof External external) {
        set(blobs, i, external);
      } else {
        ((LargeVarBinaryVector) blobs.getChild("data")).setSafe(i, (byte[]) values.get(i));
      }
    }
    root.setRowCount(values.size());
    return ArrowTable.of(root);
  }

  private static void set(StructVector blobs, int i, External external) {
    ((VarCharVector) blobs.getChild("uri")).setSafe(i, external.uri().getBytes(UTF_8));
    if (external.position() != null) {
      ((UInt8Vector) blobs.getChild("position")).setSafe(i, external.position());
    }
    if (external.size() != null) {
      ((UInt8Vector) blobs.getChild("size")).setSafe(i, external.size());
    }
  }
}
