package dev.lance4j.format.internal.page;

import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * One field of a projection, resolved to the column of a file that holds it.
 *
 * @param field the Arrow field as it is to be read, children pruned to what was asked for; a
 *     dictionary field has the type of its values, and {@code getDictionary()} tells that of the
 *     keys
 * @param column the index of the field's own column in the file, or {@link #NONE}: in 2.1 and later
 *     structs and lists have none, and a field that the file does not hold has none
 * @param present whether the file holds the field or any field below it; a field that is not
 *     present reads as nulls
 * @param children one for each child of {@code field}; empty for leaves, and for fields whose
 *     children live in the same column (fixed-size lists of primitives, packed structs)
 * @param packed for a packed struct, where its children are in the column; null otherwise
 */
public record ColumnNode(
    Field field, int column, boolean present, List<ColumnNode> children, PackedChildren packed) {
  /** The column of a field that has none of its own. */
  public static final int NONE = -1;

  public ColumnNode {
    children = List.copyOf(children);
  }

  /** A field that is not a packed struct, or one whose children are read as they are stored. */
  public ColumnNode(Field field, int column, boolean present, List<ColumnNode> children) {
    this(field, column, present, children, null);
  }
}
