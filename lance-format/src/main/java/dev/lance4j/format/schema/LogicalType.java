package dev.lance4j.format.schema;

import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.UnsupportedFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Between Arrow types and the logical type strings that Lance stores. */
final class LogicalType {
  static final String EXTENSION_NAME = "ARROW:extension:name";
  static final String EXTENSION_METADATA = "ARROW:extension:metadata";
  static final String JSON = "json";
  static final String LANCE_JSON = "lance.json";
  static final String BFLOAT16 = "lance.bfloat16";
  private static final String ITEM = "item";
  // Bits of a value are counted in an int.
  private static final int MAX_WIDTH = Integer.MAX_VALUE / Byte.SIZE;

  private static final Map<String, ArrowType> SIMPLE =
      Map.ofEntries(
          Map.entry("null", ArrowType.Null.INSTANCE),
          Map.entry("bool", ArrowType.Bool.INSTANCE),
          Map.entry("int8", new ArrowType.Int(8, true)),
          Map.entry("int16", new ArrowType.Int(16, true)),
          Map.entry("int32", new ArrowType.Int(32, true)),
          Map.entry("int64", new ArrowType.Int(64, true)),
          Map.entry("uint8", new ArrowType.Int(8, false)),
          Map.entry("uint16", new ArrowType.Int(16, false)),
          Map.entry("uint32", new ArrowType.Int(32, false)),
          Map.entry("uint64", new ArrowType.Int(64, false)),
          Map.entry("halffloat", new ArrowType.FloatingPoint(FloatingPointPrecision.HALF)),
          Map.entry("float", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
          Map.entry("double", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
          Map.entry("string", ArrowType.Utf8.INSTANCE),
          Map.entry("large_string", ArrowType.LargeUtf8.INSTANCE),
          Map.entry("binary", ArrowType.Binary.INSTANCE),
          Map.entry("large_binary", ArrowType.LargeBinary.INSTANCE),
          Map.entry(JSON, ArrowType.LargeBinary.INSTANCE),
          Map.entry("date32:day", new ArrowType.Date(DateUnit.DAY)),
          Map.entry("date64:ms", new ArrowType.Date(DateUnit.MILLISECOND)),
          Map.entry("time32:s", new ArrowType.Time(TimeUnit.SECOND, 32)),
          Map.entry("time32:ms", new ArrowType.Time(TimeUnit.MILLISECOND, 32)),
          Map.entry("time64:us", new ArrowType.Time(TimeUnit.MICROSECOND, 64)),
          Map.entry("time64:ns", new ArrowType.Time(TimeUnit.NANOSECOND, 64)),
          Map.entry("duration:s", new ArrowType.Duration(TimeUnit.SECOND)),
          Map.entry("duration:ms", new ArrowType.Duration(TimeUnit.MILLISECOND)),
          Map.entry("duration:us", new ArrowType.Duration(TimeUnit.MICROSECOND)),
          Map.entry("duration:ns", new ArrowType.Duration(TimeUnit.NANOSECOND)),
          Map.entry("struct", ArrowType.Struct.INSTANCE),
          Map.entry("list", ArrowType.List.INSTANCE),
          Map.entry("list.struct", ArrowType.List.INSTANCE),
          Map.entry("large_list", ArrowType.LargeList.INSTANCE),
          Map.entry("large_list.struct", ArrowType.LargeList.INSTANCE),
          Map.entry("map", new ArrowType.Map(false)));

  private LogicalType() {}

  /**
   * The string that stands for an Arrow field's type.
   *
   * @param path the field's dotted path, for errors
   * @throws SchemaMismatchException if Lance has no such type
   */
  static String of(Field field, String path) {
    if (field.getDictionary() != null) {
      return ofDictionary(field, path);
    }
    String extension = extensionName(field);
    ArrowType type = storageType(field.getType());
    if ("arrow.json".equals(extension) || LANCE_JSON.equals(extension)) {
      return JSON;
    }
    for (Map.Entry<String, ArrowType> entry : SIMPLE.entrySet()) {
      if (entry.getValue().equals(type)
          && entry.getKey().indexOf('.') < 0
          && !entry.getKey().equals(JSON)) {
        return ofSimple(entry.getKey(), field);
      }
    }
    if (type instanceof ArrowType.Map map && map.getKeysSorted()) {
      throw new SchemaMismatchException(
          "Field '" + path + "' is a map with sorted keys, which Lance cannot record");
    }
    return ofParameterised(type, field, path);
  }

  private static String ofSimple(String name, Field field) {
    boolean list = name.equals("list") || name.equals("large_list");
    return list && storageType(field.getChildren().get(0).getType()) instanceof ArrowType.Struct
        ? name + ".struct"
        : name;
  }

  private static String ofParameterised(ArrowType type, Field field, String path) {
    if (type instanceof ArrowType.Timestamp timestamp) {
      String zone = timestamp.getTimezone();
      if (zone != null && zone.indexOf(':') >= 0) {
        throw new SchemaMismatchException(
            "Field '"
                + path
                + "' has the time zone "
                + zone
                + ", which the format cannot store; use a zone name without a colon, such as UTC");
      }
      return "timestamp:" + unit(timestamp.getUnit()) + ':' + (zone == null ? "-" : zone);
    }
    if (type instanceof ArrowType.Decimal decimal && decimal.getBitWidth() >= 128) {
      return "decimal:"
          + decimal.getBitWidth()
          + ':'
          + decimal.getPrecision()
          + ':'
          + decimal.getScale();
    }
    if (type instanceof ArrowType.FixedSizeBinary binary) {
      return "fixed_size_binary:" + binary.getByteWidth();
    }
    if (type instanceof ArrowType.FixedSizeList list) {
      Field item = field.getChildren().get(0);
      if (item.getDictionary() != null) {
        throw new SchemaMismatchException(
            "Field '"
                + path
                + "' is a fixed-size list of dictionary keys; use a list, or plain items");
      }
      String itemType = BFLOAT16.equals(extensionName(item)) ? BFLOAT16 : of(item, path + ".item");
      return "fixed_size_list:" + itemType + ':' + list.getListSize();
    }
    throw new SchemaMismatchException(
        "Field '" + path + "' has the type " + type + ", which the Lance format does not have");
  }

  private static String ofDictionary(Field field, String path) {
    Field values =
        new Field(
            field.getName(),
            new FieldType(field.isNullable(), field.getType(), null),
            field.getChildren());
    String value = of(values, path);
    if (value.indexOf(':') >= 0 || !values.getChildren().isEmpty()) {
      throw new SchemaMismatchException(
          "Field '"
              + path
              + "' is a dictionary of "
              + value
              + ", which the format cannot name; use a plain column");
    }
    ArrowType.Int key = field.getDictionary().getIndexType();
    return "dict:" + value + ':' + ofInt(key) + ":false";
  }

  private static String ofInt(ArrowType.Int type) {
    return (type.getIsSigned() ? "int" : "uint") + type.getBitWidth();
  }

  static ArrowType storageType(ArrowType type) {
    return type instanceof ArrowType.ExtensionType extension ? extension.storageType() : type;
  }

  static String extensionName(Field field) {
    return field.getType() instanceof ArrowType.ExtensionType extension
        ? extension.extensionName()
        : field.getMetadata().get(EXTENSION_NAME);
  }

  private static String unit(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> "s";
      case MILLISECOND -> "ms";
      case MICROSECOND -> "us";
      case NANOSECOND -> "ns";
    };
  }

  /**
   * The Arrow field of a stored field.
   *
   * @param field the stored field
   * @param children its children as Arrow fields
   */
  static Field toArrow(LanceField field, List<Field> children) {
    return toArrow(
        field.name(),
        field.logicalType(),
        field.nullable(),
        field.metadata(),
        children,
        field.id());
  }

  private static Field toArrow(
      String name,
      String logical,
      boolean nullable,
      Map<String, String> metadata,
      List<Field> children,
      int id) {
    ArrowType simple = SIMPLE.get(logical);
    if (simple != null) {
      return new Field(name, new FieldType(nullable, simple, null, metadata), children);
    }
    String[] parts = logical.split(":", -1);
    if (parts[0].equals("fixed_size_list")) {
      return fixedSizeList(name, logical, nullable, metadata, children, id);
    }
    if (parts[0].equals("dict")) {
      return dictionary(name, parts, logical, nullable, metadata, id);
    }
    FieldType type = new FieldType(nullable, parameterised(parts, logical), null, metadata);
    return new Field(name, type, children);
  }

  /** Whether a type can be named inside another, where there is no place for children. */
  private static boolean hasNoChildren(ArrowType type) {
    return !type.isComplex() || type instanceof ArrowType.FixedSizeList;
  }

  private static Field dictionary(
      String name,
      String[] parts,
      String logical,
      boolean nullable,
      Map<String, String> metadata,
      int id) {
    require(parts.length == 4, logical);
    require(SIMPLE.get(parts[2]) instanceof ArrowType.Int, logical);
    ArrowType values = toArrow(name, parts[1], nullable, metadata, List.of(), id).getType();
    require(hasNoChildren(values), logical);
    DictionaryEncoding keys =
        new DictionaryEncoding(id, false, (ArrowType.Int) SIMPLE.get(parts[2]));
    return new Field(name, new FieldType(nullable, values, keys, metadata), List.of());
  }

  private static Field fixedSizeList(
      String name,
      String logical,
      boolean nullable,
      Map<String, String> metadata,
      List<Field> children,
      int id) {
    int first = logical.indexOf(':');
    int last = logical.lastIndexOf(':');
    require(last > first, logical);
    int size = number(logical.substring(last + 1), logical);
    require(size > 0, logical);
    String item = logical.substring(first + 1, last);
    List<Field> items = new ArrayList<>();
    if (item.equals("struct")) {
      require(children.size() == 1, logical);
      items.add(children.get(0));
    } else if (item.equals(BFLOAT16)) {
      items.add(
          new Field(
              ITEM,
              new FieldType(
                  true,
                  new ArrowType.FixedSizeBinary(2),
                  null,
                  Map.of(EXTENSION_NAME, BFLOAT16, EXTENSION_METADATA, "")),
              List.of()));
    } else {
      Field field = toArrow(ITEM, item, true, Map.of(), List.of(), id);
      require(hasNoChildren(field.getType()) && field.getDictionary() == null, logical);
      items.add(field);
    }
    return new Field(
        name, new FieldType(nullable, new ArrowType.FixedSizeList(size), null, metadata), items);
  }

  private static ArrowType parameterised(String[] parts, String logical) {
    return switch (parts[0]) {
      case "timestamp" -> {
        require(parts.length == 3, logical);
        yield new ArrowType.Timestamp(
            unit(parts[1], logical), parts[2].equals("-") ? null : parts[2]);
      }
      case "decimal" -> {
        require(parts.length == 4, logical);
        int bits = number(parts[1], logical);
        int precision = number(parts[2], logical);
        require(bits == 128 || bits == 256, logical);
        require(precision > 0 && precision <= (bits == 128 ? 38 : 76), logical);
        yield new ArrowType.Decimal(precision, number(parts[3], logical), bits);
      }
      case "fixed_size_binary" -> {
        require(parts.length == 2, logical);
        int width = number(parts[1], logical);
        require(width > 0 && width <= MAX_WIDTH, logical);
        yield new ArrowType.FixedSizeBinary(width);
      }
      default -> throw new UnsupportedFormatException("Unsupported logical type: " + logical);
    };
  }

  private static TimeUnit unit(String text, String logical) {
    return switch (text) {
      case "s" -> TimeUnit.SECOND;
      case "ms" -> TimeUnit.MILLISECOND;
      case "us" -> TimeUnit.MICROSECOND;
      case "ns" -> TimeUnit.NANOSECOND;
      default -> throw new UnsupportedFormatException("Unsupported logical type: " + logical);
    };
  }

  private static int number(String text, String logical) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new UnsupportedFormatException("Unsupported logical type: " + logical, e);
    }
  }

  private static void require(boolean condition, String logical) {
    if (!condition) {
      throw new UnsupportedFormatException("Unsupported logical type: " + logical);
    }
  }
}
