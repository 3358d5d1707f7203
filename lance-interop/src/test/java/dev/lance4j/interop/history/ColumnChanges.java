package dev.lance4j.interop.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.history.Content.Leaf;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.ColumnChange;
import dev.lance4j.write.NewColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Changes of columns. */
final class ColumnChanges {
  private ColumnChanges() {}

  private static List<Field> plus(List<Field> fields, Field field) {
    List<Field> more = new ArrayList<>(fields);
    more.add(field);
    return more;
  }

  private static Field anyField(String name, Random random) {
    List<Field> samples = Values.sampleFields();
    Field sample = samples.get(random.nextInt(samples.size()));
    return new Field(name, sample.getFieldType(), sample.getChildren());
  }

  /** Computes a column from another. */
  record AddExpression(Content before, Leaf leaf, String name) implements Change {
    /** A change; null if there is no column to compute from. */
    static AddExpression random(Content before, Random random) {
      Leaf leaf = before.leaf(random, Leaf::isInteger);
      return leaf == null ? null : new AddExpression(before, leaf, before.newName(random));
    }

    private String sql() {
      return leaf.path() + " + 7";
    }

    @Override
    public Optional<Content> outcome(long version) {
      Field field = Content.nullable(name, leaf.type());
      return Optional.of(
          before.change(
              plus(before.fields(), field),
              row ->
                  row.with(name, leaf.of(row) == null ? null : (Long) leaf.of(row) + 7)
                      .updatedIn(version)));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset) {
        return dataset.addColumns(Map.of(name, sql()));
      }
    }

    @Override
    public boolean canBeTheirs() {
      return true;
    }

    @Override
    public void byThem(Theirs table) {
      ObjectNode args = Oracle.args(table.uri());
      args.putObject("sql").put(name, sql());
      table.oracle().call("addColumns", args);
    }

    @Override
    public String toString() {
      return "add " + name + " = " + sql();
    }
  }

  /** Adds a column whose values are given in the order of the rows. */
  record AddRows(Content before, Field field, List<Map<String, Object>> values) implements Change {
    static AddRows random(Content before, Random random) {
      Field field = anyField(before.newName(random), random);
      return new AddRows(
          before,
          field,
          RowChanges.randomRows(before, List.of(field), before.rows().size(), random));
    }

    @Override
    public Optional<Content> outcome(long version) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        Object value = values.get(i).get(field.getName());
        rows.add(before.rows().get(i).with(field.getName(), value).updatedIn(version));
      }
      return Optional.of(
          new Content(before.variant(), plus(before.fields(), field), List.copyOf(rows)));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      int split = values.size() / 3;
      List<Field> fields = List.of(field);
      try (dataset;
          VectorSchemaRoot first =
              Values.batch(fields, values.subList(0, split), dataset.allocator());
          VectorSchemaRoot second =
              Values.batch(fields, values.subList(split, values.size()), dataset.allocator())) {
        return dataset.addColumns(
            NewColumns.rows(
                BatchSource.of(first.getSchema(), List.of(first, second).iterator(), null)));
      }
    }

    @Override
    public boolean canBeTheirs() {
      return !values.isEmpty();
    }

    @Override
    public void byThem(Theirs table) {
      try (ArrowTable data = table.data(List.of(field), values)) {
        table.oracle().send("addColumns", Oracle.args(table.uri()), data);
      }
    }

    @Override
    public String toString() {
      return "add " + field;
    }
  }

  /** Adds a column of nulls. */
  record AddNulls(Content before, Field field) implements Change {
    static AddNulls random(Content before, Random random) {
      return new AddNulls(before, anyField(before.newName(random), random));
    }

    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(
          before.change(plus(before.fields(), field), row -> row.with(field.getName(), null)));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset) {
        return dataset.addColumns(new Schema(List.of(field)));
      }
    }

    @Override
    public boolean canBeTheirs() {
      return true;
    }

    @Override
    public void byThem(Theirs table) {
      String schema = new Schema(List.of(field)).toJson();
      table.oracle().call("addColumns", Oracle.args(table.uri()).put("schema", schema));
    }

    @Override
    public String toString() {
      return "add nulls " + field;
    }
  }

  /**
   * Drops, renames or casts a column or a field of a struct.
   *
   * @param child the field; null for the whole column
   * @param replacement null if it is dropped
   */
  record Alter(Content before, Field column, Field child, Field replacement) implements Change {
    private static Field anyChild(Field column, Random random) {
      boolean nested = column.getType() instanceof ArrowType.Struct && random.nextBoolean();
      return nested ? column.getChildren().get(random.nextInt(column.getChildren().size())) : null;
    }

    private static Field anyColumn(Content before, Random random) {
      return before.fields().get(random.nextInt(before.fields().size()));
    }

    /** A column or field less; null if it is the last one. */
    static Alter drop(Content before, Random random) {
      Field column = anyColumn(before, random);
      Field child = anyChild(column, random);
      boolean last = child == null ? before.fields().size() == 1 : column.getChildren().size() == 1;
      return last ? null : new Alter(before, column, child, null);
    }

    static Alter rename(Content before, Random random) {
      Field column = anyColumn(before, random);
      Field child = anyChild(column, random);
      Field old = child == null ? column : child;
      String name = before.newName(random);
      boolean taken = column.getChildren().stream().anyMatch(f -> f.getName().equals(name));
      return taken
          ? null
          : new Alter(
              before, column, child, new Field(name, old.getFieldType(), old.getChildren()));
    }

    /** Another width; null if the column has none. */
    static Alter cast(Content before, Random random) {
      // What the real library appends to a table of version 2.0 after such a cast cannot be read.
      boolean nested = before.variant().nullStructs();
      Leaf leaf =
          before.leaf(random, l -> (l.isInteger() || l.isText()) && (nested || l.child() == null));
      if (leaf == null) {
        return null;
      }
      ArrowType type =
          leaf.type().equals(Values.INT32)
              ? Values.INT64
              : leaf.isInteger()
                  ? Values.INT32
                  : leaf.type().equals(Values.UTF8) ? ArrowType.LargeUtf8.INSTANCE : Values.UTF8;
      Field column = before.field(leaf.column());
      Field child =
          column.getChildren().stream()
              .filter(field -> field.getName().equals(leaf.child()))
              .findFirst()
              .orElse(null);
      String name = child == null ? column.getName() : child.getName();
      return new Alter(before, column, child, Content.nullable(name, type));
    }

    private Field old() {
      return child == null ? column : child;
    }

    private String path() {
      return child == null ? column.getName() : column.getName() + "." + child.getName();
    }

    boolean dropsField() {
      return child != null && replacement == null;
    }

    private boolean casts() {
      return replacement != null && !replacement.getType().equals(old().getType());
    }

    @Override
    public Optional<Content> outcome(long version) {
      if (!casts()) {
        return Optional.of(after());
      }
      Leaf leaf = new Leaf(column.getName(), child == null ? null : child.getName(), null);
      return Optional.of(
          after()
              .change(
                  after().fields(),
                  // A fragment of nulls alone may have no values to cast.
                  row -> row.updatedIn(leaf.of(row) == null ? Row.UNKNOWN : version)));
    }

    private Content after() {
      if (child == null) {
        return before.change(
            before.replace(column, replacement), row -> row.withValues(replaced(row.values())));
      }
      Content children = new Content(before.variant(), column.getChildren(), List.of());
      Field struct =
          new Field(column.getName(), column.getFieldType(), children.replace(child, replacement));
      return before.change(
          before.replace(column, struct),
          row ->
              row.value(column.getName()) == null
                  ? row
                  : row.with(
                      column.getName(),
                      replaced(Values.struct(row.value(column.getName()), column))));
    }

    private Map<String, Object> replaced(Map<String, Object> values) {
      Map<String, Object> changed = new HashMap<>(values);
      Object value = changed.remove(old().getName());
      if (replacement != null) {
        changed.put(replacement.getName(), value);
      }
      return changed;
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset) {
        if (replacement == null) {
          return dataset.dropColumns(path());
        }
        return dataset.alterColumns(
            casts()
                ? ColumnChange.cast(path(), replacement.getType())
                : ColumnChange.rename(path(), replacement.getName()));
      }
    }

    /** They cast neither fields of structs nor integers to the width that is asked for. */
    @Override
    public boolean canBeTheirs() {
      return !casts() || (child == null && !(replacement.getType() instanceof ArrowType.Int));
    }

    @Override
    public void byThem(Theirs table) {
      ObjectNode args = Oracle.args(table.uri());
      if (replacement == null) {
        args.putArray("columns").add(path());
        table.oracle().call("dropColumns", args);
      } else if (casts()) {
        String schema = new Schema(List.of(replacement)).toJson();
        table.oracle().call("alterColumn", args.put("column", path()).put("castTo", schema));
      } else {
        args.put("column", path()).put("rename", replacement.getName());
        table.oracle().call("alterColumn", args);
      }
    }

    @Override
    public String toString() {
      return replacement == null
          ? "drop " + path()
          : (casts() ? "cast " : "rename ") + path() + " to " + replacement;
    }
  }
}
