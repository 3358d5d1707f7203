package dev.lance4j.index.vector;

import dev.lance4j.format.SchemaMismatchException;
import java.util.Optional;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** What the components of a vector are. */
public enum VectorElement {
  FLOAT16(2),
  BFLOAT16(2),
  FLOAT32(4),
  FLOAT64(8),
  /** Eight bits of a vector of bits. */
  UINT8(1),
  INT8(1);

  private static final String EXTENSION_KEY = "ARROW:extension:name";
  private static final String BFLOAT16_EXTENSION = "lance.bfloat16";

  private final int bytes;

  VectorElement(int bytes) {
    this.bytes = bytes;
  }

  /** The width of a component in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Whether vectors of these are vectors of bits. */
  public boolean isBits() {
    return this == UINT8;
  }

  /**
   * The kind of the items of a vector column.
   *
   * @param item the child of the fixed-size list
   * @throws SchemaMismatchException if vectors cannot consist of such values
   */
  public static VectorElement of(Field item) {
    return find(item)
        .orElseThrow(
            () ->
                new SchemaMismatchException(
                    String.format(
                        "Vectors cannot consist of %s: use float16, float32, float64, int8, or"
                            + " uint8 for vectors of bits",
                        item.getType())));
  }

  /** The kind of the items of a vector column, if vectors can consist of such values. */
  static Optional<VectorElement> find(Field item) {
    ArrowType type = item.getType();
    if (type instanceof ArrowType.FloatingPoint floating) {
      FloatingPointPrecision precision = floating.getPrecision();
      return Optional.of(
          switch (precision) {
            case HALF -> FLOAT16;
            case SINGLE -> FLOAT32;
            case DOUBLE -> FLOAT64;
          });
    }
    if (type instanceof ArrowType.Int integer && integer.getBitWidth() == Byte.SIZE) {
      return Optional.of(integer.getIsSigned() ? INT8 : UINT8);
    }
    boolean brain =
        BFLOAT16_EXTENSION.equals(item.getMetadata().get(EXTENSION_KEY))
            && type instanceof ArrowType.FixedSizeBinary binary
            && binary.getByteWidth() == 2;
    return brain ? Optional.of(BFLOAT16) : Optional.empty();
  }
}
