package dev.lance4j.format.internal.data;

import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** How the values of an Arrow type lie in memory. */
public final class StorageTypes {
  private StorageTypes() {}

  /** The type of a field's values, extension types replaced by what stores them. */
  public static ArrowType of(Field field) {
    ArrowType type = field.getType();
    return type instanceof ArrowType.ExtensionType extension ? extension.storageType() : type;
  }

  /** The bits of one value of a fixed-width type, or -1 for other types. */
  public static int bits(ArrowType type) {
    if (type instanceof ArrowType.Bool) {
      return 1;
    } else if (type instanceof ArrowType.Int number) {
      return number.getBitWidth();
    } else if (type instanceof ArrowType.FloatingPoint number) {
      FloatingPointPrecision precision = number.getPrecision();
      return precision == FloatingPointPrecision.HALF
          ? 16
          : precision == FloatingPointPrecision.SINGLE ? 32 : 64;
    } else if (type instanceof ArrowType.Decimal decimal) {
      return decimal.getBitWidth();
    } else if (type instanceof ArrowType.Date date) {
      return date.getUnit() == DateUnit.DAY ? 32 : 64;
    } else if (type instanceof ArrowType.Time time) {
      return time.getUnit() == TimeUnit.SECOND || time.getUnit() == TimeUnit.MILLISECOND ? 32 : 64;
    } else if (type instanceof ArrowType.Timestamp || type instanceof ArrowType.Duration) {
      return 64;
    } else if (type instanceof ArrowType.FixedSizeBinary binary && binary.getByteWidth() > 0) {
      return Math.multiplyExact(binary.getByteWidth(), 8);
    }
    return -1;
  }

  /** Whether values are strings or bytes of any length. */
  public static boolean isBinary(ArrowType type) {
    return type instanceof ArrowType.Utf8
        || type instanceof ArrowType.Binary
        || type instanceof ArrowType.LargeUtf8
        || type instanceof ArrowType.LargeBinary;
  }

  /** Whether offsets of strings, bytes or lists of this type have 64 bits. */
  public static boolean hasLongOffsets(ArrowType type) {
    return type instanceof ArrowType.LargeUtf8
        || type instanceof ArrowType.LargeBinary
        || type instanceof ArrowType.LargeList;
  }

  /** The field of a dictionary field's values. */
  public static Field dictionaryValues(Field field) {
    FieldType type = new FieldType(true, field.getType(), null);
    return new Field(field.getName(), type, field.getChildren());
  }

  /** The field of a dictionary field's keys. */
  public static Field dictionaryKeys(Field field) {
    FieldType type = new FieldType(true, field.getDictionary().getIndexType(), null);
    return new Field(field.getName(), type, null);
  }
}
