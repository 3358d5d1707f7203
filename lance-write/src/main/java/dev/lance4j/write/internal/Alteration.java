package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.container.ColumnLayout;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.write.ColumnChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Changes of columns, worked out: the schema afterwards, and what has to be read or written for it.
 * All paths mean the columns as they are before.
 */
public final class Alteration {
  private static final String PRIMARY_KEY = "lance-schema:unenforced-primary-key";
  private static final String EXTENSION = "ARROW:extension:";
  private static final String ENCODING = "lance-encoding:";

  private final Manifest manifest;
  private final Map<Integer, Change> changes = new LinkedHashMap<>();
  private final LanceSchema after;

  /** What becomes of one field. */
  private static final class Change {
    private final String path;
    private final List<LanceField> fields;
    private Optional<String> name = Optional.empty();
    private Optional<Boolean> nullable = Optional.empty();
    private Optional<Field> type = Optional.empty();

    Change(String path, List<LanceField> fields) {
      this.path = path;
      this.fields = fields;
    }

    LanceField field() {
      return fields.get(fields.size() - 1);
    }
  }

  /**
   * @throws InvalidInputException if a column does not exist, or cannot be changed like that
   * @throws SchemaMismatchException if a name is taken, reserved or not allowed
   */
  public Alteration(Manifest manifest, List<ColumnChange> wanted) {
    this.manifest = manifest;
    for (ColumnChange change : wanted) {
      List<LanceField> fields = EvolvedSchema.find(manifest.schema(), change.path());
      int id = fields.get(fields.size() - 1).id();
      Change known = changes.computeIfAbsent(id, i -> new Change(change.path(), fields));
      known.name = change.newName().or(() -> known.name);
      known.nullable = change.nullable().or(() -> known.nullable);
      known.type =
          change.newType().filter(type -> !sameType(known.field(), type)).or(() -> known.type);
    }
    changes.values().forEach(this::check);
    int[] nextId = {EvolvedSchema.firstFreeId(manifest)};
    List<LanceField> fields = new ArrayList<>();
    for (LanceField field : manifest.schema().fields()) {
      fields.add(changed(field, nextId));
    }
    requireNames(fields, "");
    this.after = new LanceSchema(fields, manifest.schema().metadata());
  }

  private static boolean sameType(LanceField field, Field type) {
    return logical(field, type).logicalType().equals(field.logicalType())
        && field.toArrow().getChildren().equals(type.getChildren());
  }

  /** A field of another type, with ids from 0 on. */
  private static LanceField logical(LanceField field, Field type) {
    Field named =
        new Field(
            field.name(),
            new FieldType(field.nullable(), type.getType(), type.getDictionary()),
            type.getChildren());
    return LanceSchema.fromArrow(new Schema(List.of(named))).fields().get(0);
  }

  private void check(Change change) {
    LanceField field = change.field();
    if (change.nullable.orElse(false) && isPrimaryKey(field)) {
      throw new InvalidInputException(
          "Column '" + change.path + "' is part of the primary key, which must not be nullable");
    }
    if (change.type.isPresent()) {
      checkCast(change, field);
    }
    for (LanceField around : change.fields.subList(0, change.fields.size() - 1)) {
      boolean fixed = !around.logicalType().equals("struct");
      if (fixed && change.name.isPresent()) {
        throw new InvalidInputException(
            "'" + change.path + "' is the part of a list or map, whose name cannot be changed");
      }
    }
  }

  private void checkCast(Change change, LanceField field) {
    if (field.logicalType().equals("json")) {
      throw new InvalidInputException(
          "Cannot cast column '" + change.path + "' of JSON to another type");
    }
    CastFamilies.check(field.toArrow(), change.type.get(), change.path);
    for (LanceField around : change.fields.subList(0, change.fields.size() - 1)) {
      if (!around.logicalType().equals("struct")
          || ColumnLayout.isPacked(around, manifest.storageVersion())) {
        throw new InvalidInputException(
            "Cannot cast '"
                + change.path
                + "' alone, because '"
                + around.name()
                + "' is stored as a whole; add a new column instead");
      }
    }
  }

  private static boolean isPrimaryKey(LanceField field) {
    String flag = field.metadata().getOrDefault(PRIMARY_KEY, "");
    return field.metadata().containsKey(PRIMARY_KEY + ":position")
        || Set.of("true", "1", "yes").contains(flag.toLowerCase(Locale.ROOT));
  }

  private LanceField changed(LanceField field, int[] nextId) {
    Change change = changes.get(field.id());
    LanceField typed = field;
    if (change != null && change.type.isPresent()) {
      typed = cast(field, change.type.get(), nextId);
    } else {
      List<LanceField> children = new ArrayList<>();
      for (LanceField child : field.children()) {
        children.add(changed(child, nextId));
      }
      typed = field.withChildren(children);
    }
    if (change == null) {
      return typed;
    }
    return new LanceField(
        typed.id(),
        change.name.orElse(typed.name()),
        typed.logicalType(),
        change.nullable.orElse(typed.nullable()),
        typed.metadata(),
        typed.dictionary(),
        typed.children());
  }

  /** The field with another type and ids of its own, without the metadata that is of the type. */
  private static LanceField cast(LanceField field, Field type, int[] nextId) {
    LanceField other = logical(field, type).mapTree(f -> f.withId(f.id() + nextId[0]));
    nextId[0] += new LanceSchema(List.of(other), Map.of()).flatten().size();
    Map<String, String> metadata = new HashMap<>(field.metadata());
    metadata.keySet().removeIf(key -> key.startsWith(EXTENSION) || key.startsWith(ENCODING));
    return new LanceField(
        other.id(),
        field.name(),
        other.logicalType(),
        field.nullable(),
        metadata,
        null,
        other.children());
  }

  private static void requireNames(List<LanceField> fields, String parent) {
    Set<String> names = new HashSet<>();
    for (LanceField field : fields) {
      if (!names.add(field.name())) {
        throw new SchemaMismatchException("Duplicate field name '" + parent + field.name() + "'");
      }
      if (parent.isEmpty()) {
        InputSchemas.requireFreeName(field.name());
        if (field.name().indexOf('.') >= 0) {
          throw new SchemaMismatchException(
              "Top level field '" + field.name() + "' cannot contain '.'; choose another name");
        }
      }
      requireNames(field.children(), parent + field.name() + '.');
    }
  }

  /** The schema afterwards. */
  public LanceSchema after() {
    return after;
  }

  /** Whether columns have to be written anew. */
  public boolean hasCasts() {
    return changes.values().stream().anyMatch(change -> change.type.isPresent());
  }

  /**
   * Checks the values of fields that may not be null from now on.
   *
   * @throws InvalidInputException if there is a null
   */
  public void requireNoNulls(Scan.Source source, int batchSize) {
    NullCheck check = new NullCheck(source, batchSize);
    for (Change change : changes.values()) {
      boolean forbidden = !change.nullable.orElse(true) && change.field().nullable();
      if (forbidden) {
        check.check(change.fields, change.path);
      }
    }
  }

  /** Writes the columns of another type; gives all fragments as they will be. */
  public List<FragmentMetadata> write(Scan.Source source, int batchSize) {
    List<String> paths =
        changes.values().stream()
            .filter(change -> change.type.isPresent())
            .map(change -> change.path)
            .toList();
    LanceSchema before = inOrder(manifest.schema().project(paths));
    LanceSchema columns = new LanceSchema(counterparts(before.fields()), Map.of());
    Set<Integer> old = new HashSet<>();
    for (Change change : changes.values()) {
      if (change.type.isPresent()) {
        new LanceSchema(List.of(change.field()), Map.of())
            .flatten()
            .forEach(field -> old.add(field.id()));
      }
    }
    return new ColumnAdder(source, columns, after)
        .addAll(
            new CastValues(source, before, columns, batchSize),
            fragment -> holdsAny(fragment, old));
  }

  private LanceSchema inOrder(LanceSchema projected) {
    List<LanceField> ordered = new ArrayList<>();
    for (LanceField field : manifest.schema().fields()) {
      LanceField part = projected.field(field.name());
      if (part != null) {
        ordered.add(part);
      }
    }
    return new LanceSchema(ordered, projected.metadata());
  }

  private static boolean holdsAny(FragmentMetadata fragment, Set<Integer> ids) {
    return fragment.files().stream().anyMatch(f -> f.fieldIds().stream().anyMatch(ids::contains));
  }

  /** The same fields as they are afterwards. */
  private List<LanceField> counterparts(List<LanceField> fields) {
    List<LanceField> result = new ArrayList<>();
    for (LanceField field : fields) {
      int position = manifest.schema().fields().indexOf(manifest.schema().field(field.name()));
      result.add(
          narrowed(after.fields().get(position), manifest.schema().field(field.name()), field));
    }
    return result;
  }

  /** The part of a changed field that corresponds to the part of the field that is wanted. */
  private static LanceField narrowed(LanceField changed, LanceField whole, LanceField wanted) {
    if (changed.id() != whole.id()) {
      return changed;
    }
    List<LanceField> children = new ArrayList<>();
    for (LanceField child : wanted.children()) {
      LanceField original = whole.child(child.name());
      int position = whole.children().indexOf(original);
      children.add(narrowed(changed.children().get(position), original, child));
    }
    return changed.withChildren(children);
  }
}
