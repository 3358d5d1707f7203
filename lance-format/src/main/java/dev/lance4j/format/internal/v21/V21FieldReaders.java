package dev.lance4j.format.internal.v21;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.level.LayerShape;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Makes readers for the fields of files of version 2.1 and later. */
public final class V21FieldReaders {
  private final String path;
  private final List<ColumnInfo> columns;
  private final List<LeafColumn> leaves = new ArrayList<>();

  private V21FieldReaders(String path, List<ColumnInfo> columns) {
    this.path = path;
    this.columns = columns;
  }

  /**
   * The reader of a top-level field. Pages are looked at when rows of them are read.
   *
   * <p>A struct with a column of its own is read as a packed struct, or as the descriptions
   * (position and size) of a blob column; a binary field reads a blob column's bytes.
   *
   * @param path the file, for errors
   * @param node the field; of a packed struct all children
   * @param columns all columns of the file, by index
   * @throws CorruptFileException if the field's columns are not there
   * @throws dev.lance4j.format.UnsupportedFormatException if no column can hold the field's type
   */
  public static FieldReader create(String path, ColumnNode node, List<ColumnInfo> columns) {
    V21FieldReaders builder = new V21FieldReaders(path, columns);
    FieldNode root = builder.build(node, new boolean[0], 1);
    return new TreeReader(root, builder.leaves);
  }

  /**
   * Builds the tree under a field.
   *
   * @param outer for each layer outside the field, innermost first, whether it is a list
   * @param rowFactor the number of values of the field for each row, as far as it is fixed
   */
  private FieldNode build(ColumnNode node, boolean[] outer, int rowFactor) {
    if (!node.present()) {
      return new FieldNode.Absent(node.field());
    }
    int leaf = leaves.size();
    int outerItems = outerItems(outer);
    if (node.column() != ColumnNode.NONE) {
      leaves.add(leaf(node, outer, rowFactor));
      return new FieldNode.Leaf(leaf, outerItems);
    }
    return switch (node.field().getType().getTypeID()) {
      case Struct -> {
        List<FieldNode> children = new ArrayList<>();
        for (ColumnNode child : node.children()) {
          children.add(build(child, around(outer, false), rowFactor));
        }
        yield new FieldNode.Struct(leaf, outerItems, children);
      }
      case List, Map -> {
        FieldNode item = build(onlyChild(node), around(outer, true), rowFactor);
        yield new FieldNode.Items(leaf, outerItems, false, item);
      }
      case LargeList -> {
        FieldNode item = build(onlyChild(node), around(outer, true), rowFactor);
        yield new FieldNode.Items(leaf, outerItems, true, item);
      }
      case FixedSizeList -> {
        int dimension = ((ArrowType.FixedSizeList) node.field().getType()).getListSize();
        // Rows of a list are those of the list, however many items it has.
        int factor = outerItems == outer.length ? product(node, rowFactor, dimension) : rowFactor;
        FieldNode item = build(onlyChild(node), around(outer, false), factor);
        yield new FieldNode.FixedItems(leaf, outerItems, dimension, item);
      }
      default -> throw corrupt(node, "has no column");
    };
  }

  private LeafColumn leaf(ColumnNode node, boolean[] outer, int rowFactor) {
    if (node.column() < 0 || node.column() >= columns.size()) {
      throw corrupt(node, "has column " + node.column() + " of " + columns.size());
    }
    ItemType type = ItemType.of(node.field());
    LayerShape shape = new LayerShape(around(outer, false), type instanceof ItemType.Packed);
    return new LeafColumn(path, columns.get(node.column()), type, shape, rowFactor);
  }

  private int product(ColumnNode node, int rowFactor, int dimension) {
    long product = (long) rowFactor * dimension;
    if (product > Integer.MAX_VALUE) {
      throw corrupt(node, "has " + product + " items in each row");
    }
    return (int) product;
  }

  private ColumnNode onlyChild(ColumnNode node) {
    if (node.children().size() != 1) {
      throw corrupt(node, "has " + node.children().size() + " children");
    }
    return node.children().get(0);
  }

  private CorruptFileException corrupt(ColumnNode node, String problem) {
    return new CorruptFileException(path, -1, "field '" + node.field().getName() + "' " + problem);
  }

  private static boolean[] around(boolean[] outer, boolean list) {
    boolean[] layers = new boolean[outer.length + 1];
    layers[0] = list;
    System.arraycopy(outer, 0, layers, 1, outer.length);
    return layers;
  }

  private static int outerItems(boolean[] outer) {
    int items = 0;
    while (items < outer.length && !outer[items]) {
      items++;
    }
    return items;
  }
}
