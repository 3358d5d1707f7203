package dev.lance4j.interop.history;

import dev.lance4j.format.FileVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** What a version of a table holds: its columns, and its rows in their order. */
record Content(Variant variant, List<Field> fields, List<Row> rows) {
  /**
   * What is decided when a table is created.
   *
   * @param stable whether row ids are
   */
  record Variant(FileVersion files, boolean stable) {
    /** Files of version 2.0 cannot tell a null struct from one whose fields are null. */
    boolean nullStructs() {
      return files != FileVersion.V2_0;
    }
  }

  /** A value that conditions and expressions can name: a column, or a field of a struct. */
  record Leaf(String column, String child, ArrowType type) {
    String path() {
      return child == null ? column : column + "." + child;
    }

    Object of(Row row) {
      Object value = row.value(column);
      return child == null || value == null ? value : ((Map<?, ?>) value).get(child);
    }

    boolean isInteger() {
      return type instanceof ArrowType.Int;
    }

    boolean isText() {
      return type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8;
    }
  }

  Content withRows(List<Row> newRows) {
    return new Content(variant, fields, List.copyOf(newRows));
  }

  Content plus(List<Map<String, Object>> inserted, long version) {
    List<Row> all = new ArrayList<>(rows);
    for (Map<String, Object> values : inserted) {
      Map<String, Object> full = new HashMap<>();
      fields.forEach(field -> full.put(field.getName(), null));
      full.putAll(values);
      all.add(new Row(Row.UNKNOWN, full, version, version));
    }
    return withRows(all);
  }

  Content keep(Predicate<Row> kept) {
    return withRows(rows.stream().filter(kept).toList());
  }

  Content change(List<Field> newFields, UnaryOperator<Row> rowChange) {
    return new Content(variant, newFields, rows.stream().map(rowChange).toList());
  }

  boolean has(String column) {
    return fields.stream().anyMatch(field -> field.getName().equals(column));
  }

  Field field(String column) {
    return fields.stream().filter(f -> f.getName().equals(column)).findFirst().orElseThrow();
  }

  /** The fields, one of them replaced by another, or left out for null. */
  List<Field> replace(Field old, Field other) {
    List<Field> changed = new ArrayList<>();
    for (Field field : fields) {
      if (!field.getName().equals(old.getName())) {
        changed.add(field);
      } else if (other != null) {
        changed.add(other);
      }
    }
    return changed;
  }

  List<Leaf> leaves() {
    List<Leaf> leaves = new ArrayList<>();
    for (Field field : fields) {
      if (field.getType() instanceof ArrowType.Struct) {
        field
            .getChildren()
            .forEach(c -> leaves.add(new Leaf(field.getName(), c.getName(), c.getType())));
      } else if (field.getChildren().isEmpty()) {
        leaves.add(new Leaf(field.getName(), null, field.getType()));
      }
    }
    return leaves;
  }

  /** A leaf that is chosen; null if there is none. */
  Leaf leaf(Random random, Predicate<Leaf> chosen) {
    List<Leaf> found = leaves().stream().filter(chosen).toList();
    return found.isEmpty() ? null : found.get(random.nextInt(found.size()));
  }

  /** Each column with a chance, in another order; of a struct perhaps some fields only. */
  List<Field> subset(Random random, boolean partialStructs) {
    List<Field> some = new ArrayList<>();
    for (Field field : fields) {
      if (random.nextInt(3) != 0) {
        some.add(partialStructs && random.nextBoolean() ? part(field, random) : field);
      }
    }
    if (some.isEmpty()) {
      some.add(fields.get(random.nextInt(fields.size())));
    }
    java.util.Collections.shuffle(some, random);
    return some;
  }

  private static Field part(Field field, Random random) {
    if (!(field.getType() instanceof ArrowType.Struct) || field.getChildren().size() < 2) {
      return field;
    }
    Field child = field.getChildren().get(random.nextInt(field.getChildren().size()));
    return new Field(field.getName(), field.getFieldType(), List.of(child));
  }

  String newName(Random random) {
    String name = "c" + random.nextInt(1000);
    while (has(name)) {
      name = "c" + random.nextInt(1000);
    }
    return name;
  }

  static String names(List<Field> fields) {
    return fields.stream()
        .map(
            field ->
                field.getType() instanceof ArrowType.Struct
                    ? field.getName() + field.getChildren().stream().map(Field::getName).toList()
                    : field.getName())
        .collect(Collectors.joining(", ", "(", ")"));
  }

  static Field nullable(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), Arrays.asList(children));
  }
}
