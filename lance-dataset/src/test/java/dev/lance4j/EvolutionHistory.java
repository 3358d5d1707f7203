package dev.lance4j;

import static dev.lance4j.Cells.INT32;
import static dev.lance4j.Cells.INT64;
import static dev.lance4j.Cells.UTF8;
import static dev.lance4j.Cells.nullable;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.ColumnChange;
import dev.lance4j.write.NewColumns;
import dev.lance4j.write.SchemaEvolution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A random history of changes of a table's columns, done to the table and to lists in memory. */
final class EvolutionHistory implements AutoCloseable {
  private static final String URI = "table.lance";

  /** What a version holds. */
  record Content(List<Field> fields, List<List<Object>> rows) {
    List<Integer> columns(ArrowType type) {
      List<Integer> found = new ArrayList<>();
      for (int i = 0; i < fields.size(); i++) {
        if (fields.get(i).getType().equals(type)) {
          found.add(i);
        }
      }
      return found;
    }

    Content with(Field field, Function<List<Object>, Object> value) {
      List<Field> more = new ArrayList<>(fields);
      more.add(field);
      return new Content(
          more,
          rows.stream()
              .map(
                  row -> {
                    List<Object> longer = new ArrayList<>(row);
                    longer.add(value.apply(row));
                    return longer;
                  })
              .toList());
    }

    Content replace(int column, Field field, Function<Object, Object> change) {
      List<Field> changed = new ArrayList<>(fields);
      changed.set(column, field);
      return new Content(
          changed,
          rows.stream()
              .map(
                  row -> {
                    List<Object> other = new ArrayList<>(row);
                    other.set(column, change.apply(row.get(column)));
                    return other;
                  })
              .toList());
    }

    Content without(int column) {
      List<Field> left = new ArrayList<>(fields);
      left.remove(column);
      return new Content(
          left,
          rows.stream()
              .map(
                  row -> {
                    List<Object> shorter = new ArrayList<>(row);
                    shorter.remove(column);
                    return shorter;
                  })
              .toList());
    }
  }

  private final Random random;
  private final BufferAllocator allocator;
  private final List<Content> versions = new ArrayList<>();
  private Dataset dataset;
  private int names;

  EvolutionHistory(Random random, BufferAllocator allocator) {
    this.random = random;
    this.allocator = allocator;
    List<FileVersion> files = List.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2);
    List<Field> fields = List.of(nullable("k", INT32), nullable("s", UTF8));
    Content first = new Content(fields, rows(fields, random.nextInt(8)));
    try (VectorSchemaRoot batch = batch(first.fields(), first.rows())) {
      dataset =
          Dataset.write(URI)
              .store(new MemoryObjectStore())
              .allocator(allocator)
              .fileVersion(files.get(random.nextInt(files.size())))
              .stableRowIds(random.nextBoolean())
              .maxRowsPerFile(3)
              .from(batch);
    }
    versions.add(first);
  }

  Dataset dataset() {
    return dataset;
  }

  /** The content of a version, counted from 1. */
  Content content(long version) {
    return versions.get((int) version - 1);
  }

  /** Makes the next version. */
  String step() {
    Content now = versions.get(versions.size() - 1);
    return switch (random.nextInt(9)) {
      case 0 -> append(now);
      case 1 -> delete(now);
      case 2 -> addByExpression(now);
      case 3 -> addRows(now);
      case 4 -> addNulls(now);
      case 5 -> drop(now);
      case 6 -> rename(now);
      case 7 -> cast(now);
      default -> join(now);
    };
  }

  private String done(String step, Dataset next, Content content) {
    dataset.close();
    dataset = next;
    versions.add(content);
    return step;
  }

  private String newName() {
    return "c" + names++;
  }

  private Object value(Field field) {
    if (random.nextInt(5) == 0) {
      return null;
    }
    if (field.getType().equals(INT32)) {
      return random.nextInt(100);
    }
    return field.getType().equals(INT64)
        ? (Object) (long) random.nextInt(100)
        : "text " + random.nextInt(10);
  }

  private List<List<Object>> rows(List<Field> fields, int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      fields.forEach(field -> row.add(value(field)));
      rows.add(row);
    }
    return rows;
  }

  private VectorSchemaRoot batch(List<Field> fields, List<List<Object>> rows) {
    return Cells.batch(allocator, new Schema(fields), rows);
  }

  private String append(Content now) {
    List<Field> given = new ArrayList<>(now.fields());
    Collections.shuffle(given, random);
    given = given.subList(0, 1 + random.nextInt(given.size()));
    List<List<Object>> rows = rows(given, random.nextInt(5));
    List<List<Object>> all = new ArrayList<>(now.rows());
    for (List<Object> row : rows) {
      Object[] whole = new Object[now.fields().size()];
      for (int i = 0; i < given.size(); i++) {
        whole[now.fields().indexOf(given.get(i))] = row.get(i);
      }
      all.add(Arrays.asList(whole));
    }
    try (VectorSchemaRoot batch = batch(given, rows)) {
      return done("append " + given, dataset.append(batch), new Content(now.fields(), all));
    }
  }

  private String delete(Content now) {
    List<Integer> columns = now.columns(INT32);
    if (columns.isEmpty()) {
      return append(now);
    }
    int column = columns.get(random.nextInt(columns.size()));
    String condition = now.fields().get(column).getName() + " % 3 = 1";
    List<List<Object>> left =
        now.rows().stream()
            .filter(row -> row.get(column) == null || (Integer) row.get(column) % 3 != 1)
            .toList();
    if (left.size() == now.rows().size()) {
      return append(now);
    }
    DeleteResult result = dataset.delete(condition);
    return done("delete " + condition, result.dataset(), new Content(now.fields(), left));
  }

  private String addByExpression(Content now) {
    List<Integer> columns = now.columns(INT32);
    String name = newName();
    if (columns.isEmpty() || random.nextInt(4) == 0) {
      Field field = Cells.required(name, UTF8);
      Dataset next = dataset.addColumns(Map.of(name, "'x'"));
      // The twin's fields are nullable, so that anything may be appended later.
      Dataset loose = next.alterColumns(ColumnChange.nullable(name, true));
      Content content = now.with(nullable(name, UTF8), row -> "x");
      next.close();
      versions.add(now.with(field, row -> "x"));
      return done("add constant " + name, loose, content);
    }
    int column = columns.get(random.nextInt(columns.size()));
    String expression = now.fields().get(column).getName() + " + 7";
    return done(
        "add " + name + " = " + expression,
        dataset.addColumns(Map.of(name, expression)),
        now.with(
            nullable(name, INT32),
            row -> row.get(column) == null ? null : (Integer) row.get(column) + 7));
  }

  private String addRows(Content now) {
    Field field = nullable(newName(), random.nextBoolean() ? INT32 : UTF8);
    List<List<Object>> rows = rows(List.of(field), now.rows().size());
    int split = rows.isEmpty() ? 0 : random.nextInt(rows.size());
    int[] next = {0};
    Content content = now.with(field, row -> rows.get(next[0]++).get(0));
    try (VectorSchemaRoot first = batch(List.of(field), rows.subList(0, split));
        VectorSchemaRoot second = batch(List.of(field), rows.subList(split, rows.size()))) {
      BatchSource source =
          BatchSource.of(first.getSchema(), List.of(first, second).iterator(), null);
      return done("add rows " + field, dataset.addColumns(NewColumns.rows(source)), content);
    }
  }

  private String addNulls(Content now) {
    Field field = nullable(newName(), random.nextBoolean() ? INT32 : UTF8);
    return done(
        "add nulls " + field,
        dataset.addColumns(new Schema(List.of(field))),
        now.with(field, row -> null));
  }

  private String join(Content now) {
    List<Integer> columns = now.columns(INT32);
    if (columns.isEmpty()) {
      return addNulls(now);
    }
    int column = columns.get(random.nextInt(columns.size()));
    Field key = nullable("key", INT32);
    Field field = nullable(newName(), INT64);
    List<List<Object>> right = rows(List.of(key, field), 40);
    Map<Object, Object> byKey = new HashMap<>();
    right.forEach(row -> byKey.putIfAbsent(row.get(0), row.get(1) == null ? Map.of() : row.get(1)));
    Content content =
        now.with(
            field,
            row -> {
              Object found = byKey.get(row.get(column));
              return found instanceof Long ? found : null;
            });
    try (VectorSchemaRoot batch = batch(List.of(key, field), right);
        Dataset before = dataset.latest()) {
      String name = now.fields().get(column).getName();
      SchemaEvolution evolution = before.evolution();
      evolution.commit(evolution.joinColumns(BatchSource.of(batch, null), name, "key"));
      return done("join " + field + " on " + name, before.latest(), content);
    }
  }

  private String drop(Content now) {
    if (now.fields().size() == 1) {
      return addNulls(now);
    }
    int column = random.nextInt(now.fields().size());
    String name = now.fields().get(column).getName();
    return done("drop " + name, dataset.dropColumns(name), now.without(column));
  }

  private String rename(Content now) {
    int column = random.nextInt(now.fields().size());
    Field old = now.fields().get(column);
    Field field = nullable(newName(), old.getType());
    return done(
        "rename " + old.getName() + " to " + field.getName(),
        dataset.alterColumns(ColumnChange.rename(old.getName(), field.getName())),
        now.replace(column, field, value -> value));
  }

  private String cast(Content now) {
    int column = random.nextInt(now.fields().size());
    Field old = now.fields().get(column);
    ArrowType type =
        old.getType().equals(INT32)
            ? INT64
            : old.getType().equals(INT64)
                ? INT32
                : old.getType().equals(UTF8) ? ArrowType.LargeUtf8.INSTANCE : UTF8;
    return done(
        "cast " + old,
        dataset.alterColumns(ColumnChange.cast(old.getName(), type)),
        now.replace(column, nullable(old.getName(), type), value -> cast(value, type)));
  }

  private static Object cast(Object value, ArrowType type) {
    if (!(value instanceof Number number)) {
      return value;
    }
    return type.equals(INT32) ? (Object) number.intValue() : (Object) number.longValue();
  }

  @Override
  public void close() {
    dataset.close();
  }
}
