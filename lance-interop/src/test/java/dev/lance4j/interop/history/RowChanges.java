package dev.lance4j.interop.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.DeleteResult;
import dev.lance4j.UpdateBuilder;
import dev.lance4j.UpdateResult;
import dev.lance4j.WriteMode;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.history.Content.Leaf;
import dev.lance4j.interop.oracle.Oracle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/** Changes of rows, but for merges. */
final class RowChanges {
  private static final int MAX_ROWS = 70;

  private RowChanges() {}

  static List<Map<String, Object>> randomRows(
      Content content, List<Field> fields, int count, Random random) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(Values.randomRow(fields, content.variant().nullStructs(), random));
    }
    return rows;
  }

  /** Adds rows of some of the columns, in any order. */
  record Append(Content before, List<Field> fields, List<Map<String, Object>> rows, int fileRows)
      implements Change {
    static Append random(Content before, Random random) {
      int most = Math.max(1, Math.min(12, MAX_ROWS - before.rows().size()));
      List<Field> fields = random.nextBoolean() ? before.fields() : before.subset(random, true);
      int rows = random.nextInt(most);
      return new Append(
          before, fields, randomRows(before, fields, rows, random), 1 + random.nextInt(9));
    }

    @Override
    public Optional<Content> outcome(long version) {
      List<Map<String, Object>> full = new ArrayList<>();
      for (Map<String, Object> row : rows) {
        full.add(Values.complete(row, before.fields()));
      }
      return Optional.of(before.plus(full, version));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset;
          VectorSchemaRoot batch = Values.batch(fields, rows, dataset.allocator())) {
        return dataset.append(batch);
      }
    }

    @Override
    public boolean canBeTheirs() {
      // Files of no rows, and partial structs, are refused or cause refusals later.
      return !rows.isEmpty() && fields.stream().allMatch(field -> before.fields().contains(field));
    }

    @Override
    public void byThem(Theirs table) {
      try (ArrowTable data = table.data(fields, rows)) {
        ObjectNode args = Oracle.args(table.uri()).put("mode", "APPEND");
        table.oracle().send("write", args.put("maxRowsPerFile", fileRows), data);
      }
    }

    @Override
    public String toString() {
      return "append " + rows.size() + " rows of " + Content.names(fields);
    }
  }

  /** Replaces everything, perhaps with other columns. */
  record Overwrite(Content before, List<Field> fields, List<Map<String, Object>> rows, int fileRows)
      implements Change {
    static Overwrite random(Content before, Random random) {
      Content sample = new Content(before.variant(), Values.sampleFields(), List.of());
      List<Field> fields =
          switch (random.nextInt(3)) {
            case 0 -> before.fields();
            case 1 -> sample.subset(random, false);
            default -> sample.fields();
          };
      int rows = 1 + random.nextInt(30);
      return new Overwrite(
          before, fields, randomRows(before, fields, rows, random), 1 + random.nextInt(12));
    }

    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(new Content(before.variant(), fields, List.of()).plus(rows, version));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset;
          VectorSchemaRoot batch = Values.batch(fields, rows, dataset.allocator())) {
        return Dataset.write(dataset.uri())
            .allocator(dataset.allocator())
            .mode(WriteMode.OVERWRITE)
            .maxRowsPerFile(fileRows)
            .from(batch);
      }
    }

    @Override
    public boolean canBeTheirs() {
      return true;
    }

    @Override
    public void byThem(Theirs table) {
      try (ArrowTable data = table.data(fields, rows)) {
        table
            .oracle()
            .send(
                "write",
                Oracle.args(table.uri())
                    .put("mode", "OVERWRITE")
                    .put("fileVersion", before.variant().files().toString())
                    .put("stableRowIds", before.variant().stable())
                    .put("maxRowsPerFile", fileRows),
                data);
      }
    }

    @Override
    public String toString() {
      return "overwrite with " + rows.size() + " rows of " + Content.names(fields);
    }
  }

  /** Deletes rows; all of them by {@code truncate} for a condition {@code true}. */
  record Delete(Content before, Condition condition) implements Change {
    static Delete random(Content before, Random random) {
      return new Delete(before, Condition.random(before, random));
    }

    static Delete all(Content before) {
      return new Delete(before, new Condition("true", row -> true));
    }

    private Content after() {
      return before.keep(row -> !condition.holds(row));
    }

    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(after());
    }

    @Override
    public void checkVersions(long from, long to) {
      assertThat(to - from).isEqualTo(before.rows().stream().anyMatch(condition::holds) ? 1 : 0);
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset) {
        DeleteResult result =
            condition.sql().equals("true") ? dataset.truncate() : dataset.delete(condition.sql());
        assertThat(result.rowsDeleted())
            .isEqualTo((long) before.rows().size() - after().rows().size());
        return result.dataset();
      }
    }

    @Override
    public boolean canBeTheirs() {
      return true;
    }

    @Override
    public void byThem(Theirs table) {
      table.oracle().delete(table.uri(), condition.sql());
    }

    @Override
    public String toString() {
      return "delete where " + condition.sql();
    }
  }

  /** A new value of a leaf, as text and as a function of the row from before. */
  record Assignment(Leaf leaf, String sql, Function<Row, Object> value) {
    static Assignment random(Content content, Leaf leaf, Random random) {
      Leaf integer = content.leaf(random, Leaf::isInteger);
      Leaf text = content.leaf(random, Leaf::isText);
      int number = random.nextInt(9);
      if (random.nextInt(8) == 0) {
        return new Assignment(leaf, "NULL", row -> null);
      } else if (leaf.isInteger()) {
        return random.nextBoolean()
            ? new Assignment(leaf, Integer.toString(number), row -> (long) number)
            : new Assignment(
                leaf,
                integer.path() + " % 10 + " + number,
                row -> integer.of(row) == null ? null : (Long) integer.of(row) % 10 + number);
      } else if (leaf.isText()) {
        return random.nextBoolean()
            ? new Assignment(leaf, "'u" + number + "'", row -> "u" + number)
            : new Assignment(leaf, text.path(), text::of);
      } else if (leaf.type().equals(Values.DOUBLE)) {
        return integer == null
            ? new Assignment(leaf, "1.5", row -> 1.5)
            : new Assignment(
                leaf,
                "CAST(" + integer.path() + " AS DOUBLE) + 0.5",
                row -> integer.of(row) == null ? null : (Long) integer.of(row) + 0.5);
      }
      return new Assignment(leaf, "true", row -> true);
    }
  }

  /** Sets leaves of some rows. */
  record Update(
      Content before, Optional<Condition> condition, List<Assignment> assignments, int fileRows)
      implements Change {
    static Update random(Content before, Random random) {
      Map<String, Assignment> assignments = new TreeMap<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        Leaf leaf = before.leaf(random, l -> true);
        assignments.put(leaf.path(), Assignment.random(before, leaf, random));
      }
      Optional<Condition> condition =
          random.nextInt(8) == 0 ? Optional.empty() : Optional.of(Condition.random(before, random));
      return new Update(
          before, condition, List.copyOf(assignments.values()), 1 + random.nextInt(20));
    }

    private boolean chosen(Row row) {
      return condition.isEmpty() || condition.get().holds(row);
    }

    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(
          before.change(before.fields(), row -> chosen(row) ? updated(row, version) : row));
    }

    @Override
    public void checkVersions(long from, long to) {
      assertThat(to - from).isEqualTo(before.rows().stream().anyMatch(this::chosen) ? 1 : 0);
    }

    private Row updated(Row row, long version) {
      Map<String, Object> values = new HashMap<>(row.values());
      for (Assignment assignment : assignments) {
        Leaf leaf = assignment.leaf;
        Object value = assignment.value.apply(row);
        if (leaf.child() == null) {
          values.put(leaf.column(), value);
        } else {
          Map<String, Object> struct =
              Values.struct(values.get(leaf.column()), before.field(leaf.column()));
          struct.put(leaf.child(), value);
          values.put(leaf.column(), struct);
        }
      }
      return row.moved(values, before.variant().stable(), version);
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset) {
        UpdateBuilder update = dataset.update().maxRowsPerFile(fileRows);
        condition.ifPresent(filter -> update.where(filter.sql()));
        assignments.forEach(assignment -> update.set(assignment.leaf.path(), assignment.sql));
        UpdateResult result = update.execute();
        assertThat(result.rowsUpdated())
            .isEqualTo(before.rows().stream().filter(this::chosen).count());
        return result.dataset();
      }
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("update");
      assignments.forEach(a -> text.append(' ').append(a.leaf.path()).append(" = ").append(a.sql));
      return text.append(condition.map(c -> " where " + c.sql()).orElse("")).toString();
    }
  }
}
