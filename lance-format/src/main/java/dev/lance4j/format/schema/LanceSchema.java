package dev.lance4j.format.schema;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A schema whose fields have ids. Immutable.
 *
 * @param fields top-level fields in column order
 * @param metadata of the schema
 */
public record LanceSchema(List<LanceField> fields, Map<String, String> metadata) {
  public LanceSchema {
    fields = List.copyOf(fields);
    metadata = Map.copyOf(metadata);
  }

  /**
   * Gives an Arrow schema ids from 0 on, parents before children.
   *
   * @throws SchemaMismatchException if a name or type is not one that Lance can hold; the message
   *     names the field
   */
  public static LanceSchema fromArrow(Schema schema) {
    return fromArrow(schema, 0);
  }

  /** As above, with ids from {@code firstId} on. */
  public static LanceSchema fromArrow(Schema schema, int firstId) {
    LanceField.IdSource ids = new LanceField.IdSource(firstId);
    Set<String> names = new HashSet<>();
    List<LanceField> fields = new ArrayList<>();
    for (Field field : schema.getFields()) {
      String name = field.getName();
      if (name == null) {
        throw new SchemaMismatchException("A top-level field has no name");
      }
      if (name.indexOf('.') >= 0) {
        throw new SchemaMismatchException(
            "Top level field '" + name + "' cannot contain '.'; rename it");
      }
      if (!names.add(name)) {
        throw new SchemaMismatchException("Duplicate field name '" + name + "'");
      }
      fields.add(LanceField.fromArrow(field, name, ids));
    }
    Map<String, String> metadata = schema.getCustomMetadata();
    return new LanceSchema(fields, metadata == null ? Map.of() : metadata);
  }

  /** The schema as Arrow sees it. */
  public Schema toArrow() {
    List<Field> arrow = new ArrayList<>(fields.size());
    for (LanceField field : fields) {
      arrow.add(field.toArrow());
    }
    return new Schema(arrow, metadata);
  }

  /** The top-level field of this name, or null. */
  public LanceField field(String name) {
    for (LanceField field : fields) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /** All fields, parents before children. */
  public List<LanceField> flatten() {
    List<LanceField> all = new ArrayList<>();
    collect(fields, all);
    return all;
  }

  private static void collect(List<LanceField> fields, List<LanceField> into) {
    for (LanceField field : fields) {
      into.add(field);
      collect(field.children(), into);
    }
  }

  /** The highest field id, or -1 when there are no fields. */
  public int maxFieldId() {
    int max = -1;
    for (LanceField field : flatten()) {
      max = Math.max(max, field.id());
    }
    return max;
  }

  /**
   * The schema reduced to some columns, in the order in which they are first named. A nested column
   * such as {@code a.b} keeps only that part of {@code a}; a top-level name that contains dots
   * itself is found first.
   *
   * @param columns names and dotted paths; several paths into one column are merged
   * @throws InvalidInputException if there is no such column; the message lists those there are
   */
  public LanceSchema project(Collection<String> columns) {
    List<List<String>> paths = new ArrayList<>(columns.size());
    for (String column : columns) {
      LanceField whole = field(column);
      paths.add(whole != null ? List.of(column) : List.of(column.split("\\.", -1)));
    }
    return projectPaths(paths);
  }

  /**
   * As above, with columns given as the names from a top-level column down to a field.
   *
   * @throws InvalidInputException if there is no such column; the message lists those there are
   */
  public LanceSchema projectPaths(Collection<List<String>> paths) {
    Map<String, PathTree> wanted = new LinkedHashMap<>();
    for (List<String> path : paths) {
      PathTree.add(wanted, path, 0);
    }
    return new LanceSchema(select(fields, wanted, ""), metadata);
  }

  private static List<LanceField> select(
      List<LanceField> fields, Map<String, PathTree> wanted, String parent) {
    Map<String, LanceField> byName = new HashMap<>();
    for (LanceField field : fields) {
      byName.putIfAbsent(field.name(), field);
    }
    List<LanceField> selected = new ArrayList<>(wanted.size());
    wanted.forEach(
        (name, below) -> {
          LanceField field = byName.get(name);
          if (field == null) {
            throw new InvalidInputException(
                "Column '"
                    + parent
                    + name
                    + "' does not exist; there are "
                    + fields.stream().map(f -> parent + f.name()).toList());
          }
          selected.add(below.whole() ? field : narrow(field, below, parent + name + '.'));
        });
    return selected;
  }

  private static LanceField narrow(LanceField field, PathTree below, String path) {
    return field.withChildren(select(field.children(), below.children(), path));
  }

  /** Which parts of a column are wanted. */
  private static final class PathTree {
    private final Map<String, PathTree> children = new LinkedHashMap<>();
    private boolean whole;

    static void add(Map<String, PathTree> level, List<String> path, int depth) {
      PathTree tree = level.computeIfAbsent(path.get(depth), name -> new PathTree());
      if (depth == path.size() - 1) {
        tree.whole = true;
      } else {
        add(tree.children, path, depth + 1);
      }
    }

    boolean whole() {
      return whole;
    }

    Map<String, PathTree> children() {
      return children;
    }
  }
}
