package dev.lance4j.format.testing;

import dev.lance4j.format.FileVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A nullable field of each type that a table may have. */
public final class SampleFields {
  private SampleFields() {}

  /** The fields that a file of the version can hold. */
  public static List<Field> of(FileVersion version) {
    List<Field> fields = new ArrayList<>();
    numbers(fields);
    times(fields);
    bytes(fields);
    fixedSizeLists(fields);
    lists(fields);
    structs(fields);
    dictionaries(fields);
    fields.add(scalar("null", ArrowType.Null.INSTANCE));
    if (version.atLeast(FileVersion.V2_2)) {
      fields.add(map("map_utf8_int", utf8("key"), int32("value")));
      fields.add(fixedSizeList("fsl_struct", 3, struct("item", int32("a"), utf8("b"))));
    }
    return fields;
  }

  private static void numbers(List<Field> fields) {
    for (int bits : new int[] {8, 16, 32, 64}) {
      fields.add(scalar("int" + bits, new ArrowType.Int(bits, true)));
      fields.add(scalar("uint" + bits, new ArrowType.Int(bits, false)));
    }
    fields.add(float16("float16"));
    fields.add(float32("float32"));
    fields.add(float64("float64"));
    fields.add(bool("bool"));
    fields.add(scalar("decimal128", new ArrowType.Decimal(38, 10, 128)));
    fields.add(scalar("decimal128_small", new ArrowType.Decimal(9, 2, 128)));
    fields.add(scalar("decimal256", new ArrowType.Decimal(76, 20, 256)));
  }

  private static void times(List<Field> fields) {
    fields.add(scalar("date32", new ArrowType.Date(DateUnit.DAY)));
    fields.add(scalar("date64", new ArrowType.Date(DateUnit.MILLISECOND)));
    fields.add(scalar("time32_s", new ArrowType.Time(TimeUnit.SECOND, 32)));
    fields.add(scalar("time32_ms", new ArrowType.Time(TimeUnit.MILLISECOND, 32)));
    fields.add(scalar("time64_us", new ArrowType.Time(TimeUnit.MICROSECOND, 64)));
    fields.add(scalar("time64_ns", new ArrowType.Time(TimeUnit.NANOSECOND, 64)));
    Map<String, TimeUnit> units =
        new TreeMap<>(
            Map.of(
                "s", TimeUnit.SECOND,
                "ms", TimeUnit.MILLISECOND,
                "us", TimeUnit.MICROSECOND,
                "ns", TimeUnit.NANOSECOND));
    units.forEach(
        (name, unit) -> {
          fields.add(scalar("timestamp_" + name, new ArrowType.Timestamp(unit, null)));
          fields.add(scalar("timestamp_utc_" + name, new ArrowType.Timestamp(unit, "UTC")));
          fields.add(scalar("duration_" + name, new ArrowType.Duration(unit)));
        });
    fields.add(
        scalar("timestamp_zone", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "Europe/Oslo")));
  }

  private static void bytes(List<Field> fields) {
    fields.add(utf8("utf8"));
    fields.add(scalar("large_utf8", ArrowType.LargeUtf8.INSTANCE));
    fields.add(scalar("binary", ArrowType.Binary.INSTANCE));
    fields.add(scalar("large_binary", ArrowType.LargeBinary.INSTANCE));
    fields.add(scalar("fixed_binary_3", new ArrowType.FixedSizeBinary(3)));
    fields.add(scalar("fixed_binary_16", new ArrowType.FixedSizeBinary(16)));
  }

  private static void fixedSizeLists(List<Field> fields) {
    fields.add(fixedSizeList("fsl_float32", 4, float32("item")));
    fields.add(fixedSizeList("fsl_float32_wide", 64, float32("item")));
    fields.add(fixedSizeList("fsl_float16", 8, float16("item")));
    fields.add(fixedSizeList("fsl_float64", 2, float64("item")));
    fields.add(fixedSizeList("fsl_uint8", 16, scalar("item", new ArrowType.Int(8, false))));
    fields.add(fixedSizeList("fsl_int32_one", 1, int32("item")));
    fields.add(fixedSizeList("fsl_bool", 5, bool("item")));
    fields.add(fixedSizeList("fsl_fsl", 2, fixedSizeList("item", 3, int32("item"))));
  }

  private static void lists(List<Field> fields) {
    fields.add(list("list_int", int32("item")));
    fields.add(list("list_utf8", utf8("item")));
    fields.add(list("list_bool", bool("item")));
    fields.add(list("list_fsl", fixedSizeList("item", 2, float32("item"))));
    fields.add(
        new Field(
            "large_list",
            FieldType.nullable(ArrowType.LargeList.INSTANCE),
            List.of(float64("item"))));
    fields.add(list("list_list", list("item", utf8("item"))));
    fields.add(list("list_struct", struct("item", int32("a"), utf8("b"))));
  }

  private static void structs(List<Field> fields) {
    fields.add(struct("struct", int32("a"), utf8("b")));
    fields.add(struct("struct_list", list("l", int32("item")), float64("f")));
    fields.add(
        struct("struct_struct", struct("inner", int32("a"), bool("b")), utf8("c"), int32("d")));
    fields.add(struct("struct_fsl", fixedSizeList("v", 2, float32("item")), int32("a")));
    fields.add(
        list(
            "list_struct_list_struct",
            struct("item", list("l", struct("item", int32("a"))), utf8("b"))));
  }

  private static void dictionaries(List<Field> fields) {
    fields.add(dictionary("dict_int8_utf8", 1, 8, true));
    fields.add(dictionary("dict_uint8_utf8", 2, 8, false));
    fields.add(dictionary("dict_int16_utf8", 3, 16, true));
    fields.add(dictionary("dict_int32_utf8", 4, 32, true));
    fields.add(dictionary("dict_int64_utf8", 5, 64, true));
  }

  public static Field scalar(String name, ArrowType type) {
    return new Field(name, FieldType.nullable(type), null);
  }

  public static Field bool(String name) {
    return scalar(name, ArrowType.Bool.INSTANCE);
  }

  public static Field int32(String name) {
    return scalar(name, new ArrowType.Int(32, true));
  }

  public static Field int64(String name) {
    return scalar(name, new ArrowType.Int(64, true));
  }

  public static Field float16(String name) {
    return scalar(name, new ArrowType.FloatingPoint(FloatingPointPrecision.HALF));
  }

  public static Field float32(String name) {
    return scalar(name, new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
  }

  public static Field float64(String name) {
    return scalar(name, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
  }

  public static Field utf8(String name) {
    return scalar(name, ArrowType.Utf8.INSTANCE);
  }

  public static Field list(String name, Field item) {
    return new Field(name, FieldType.nullable(ArrowType.List.INSTANCE), List.of(item));
  }

  public static Field fixedSizeList(String name, int size, Field item) {
    return new Field(name, FieldType.nullable(new ArrowType.FixedSizeList(size)), List.of(item));
  }

  public static Field struct(String name, Field... children) {
    return new Field(name, FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(children));
  }

  /** A map with unsorted keys that are not null. */
  public static Field map(String name, Field key, Field value) {
    Field requiredKey =
        new Field(key.getName(), FieldType.notNullable(key.getType()), key.getChildren());
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(ArrowType.Struct.INSTANCE),
            List.of(requiredKey, value));
    return new Field(name, FieldType.nullable(new ArrowType.Map(false)), List.of(entries));
  }

  /**
   * Keys of the width given into the dictionary {@code id}, whose values {@code RandomData} makes.
   */
  public static Field dictionary(String name, long id, int keyBits, boolean signed) {
    ArrowType.Int key = new ArrowType.Int(keyBits, signed);
    return new Field(name, new FieldType(true, key, new DictionaryEncoding(id, false, key)), null);
  }
}
