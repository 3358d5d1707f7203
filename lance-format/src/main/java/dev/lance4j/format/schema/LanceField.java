package dev.lance4j.format.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A field of a Lance schema: an Arrow field with an id that stays when the field is renamed or
 * moved.
 *
 * @param id unique in its schema, not negative
 * @param name the field's own name, not a path
 * @param logicalType the type in Lance's notation, such as {@code fixed_size_list:float:128}
 * @param nullable whether values may be null
 * @param metadata of the Arrow field, extension name included
 * @param dictionary where a legacy file keeps the values of a dictionary field; null elsewhere
 * @param children of structs, lists and maps, and of fixed-size lists of structs
 */
public record LanceField(
    int id,
    String name,
    String logicalType,
    boolean nullable,
    Map<String, String> metadata,
    LegacyDictionary dictionary,
    List<LanceField> children) {

  /**
   * Position of the values of a dictionary field of file version 0.1.
   *
   * @param offset byte position in the file that holds the schema
   * @param length number of values
   */
  public record LegacyDictionary(long offset, long length) {}

  public LanceField {
    metadata = Map.copyOf(metadata);
    children = List.copyOf(children);
  }

  /** The field as Arrow sees it; dictionary fields have their value type and an encoding. */
  public Field toArrow() {
    List<Field> arrowChildren = new ArrayList<>(children.size());
    for (LanceField child : children) {
      arrowChildren.add(child.toArrow());
    }
    return LogicalType.toArrow(this, arrowChildren);
  }

  /** The direct child of this name, or null. */
  public LanceField child(String childName) {
    for (LanceField child : children) {
      if (child.name().equals(childName)) {
        return child;
      }
    }
    return null;
  }

  /** The same field with other children. */
  public LanceField withChildren(List<LanceField> newChildren) {
    return new LanceField(id, name, logicalType, nullable, metadata, dictionary, newChildren);
  }

  /** The same field with another id; children keep theirs. */
  public LanceField withId(int newId) {
    return new LanceField(newId, name, logicalType, nullable, metadata, dictionary, children);
  }

  /** This field and all below it changed, children before their parents. */
  public LanceField mapTree(UnaryOperator<LanceField> change) {
    List<LanceField> changed = new ArrayList<>(children.size());
    for (LanceField child : children) {
      changed.add(child.mapTree(change));
    }
    return change.apply(withChildren(changed));
  }

  static LanceField fromArrow(Field field, String path, IdSource ids) {
    int id = ids.next();
    String logical = LogicalType.of(field, path);
    List<LanceField> children = new ArrayList<>();
    if (hasChildFields(logical)) {
      for (Field child : field.getChildren()) {
        children.add(fromArrow(child, path + '.' + child.getName(), ids));
      }
    }
    Map<String, String> metadata = new TreeMap<>(field.getMetadata());
    if (logical.equals(LogicalType.JSON)) {
      metadata.put(LogicalType.EXTENSION_NAME, LogicalType.extensionName(field));
    }
    return new LanceField(
        id, field.getName(), logical, field.isNullable(), metadata, null, children);
  }

  private static boolean hasChildFields(String logical) {
    return logical.equals("struct")
        || logical.startsWith("list")
        || logical.startsWith("large_list")
        || logical.equals("map")
        || logical.startsWith("fixed_size_list:struct:");
  }

  /** Gives ids in order. */
  static final class IdSource {
    private int next;

    IdSource(int first) {
      this.next = first;
    }

    int next() {
      return next++;
    }
  }
}
