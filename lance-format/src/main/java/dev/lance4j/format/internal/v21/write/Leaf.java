package dev.lance4j.format.internal.v21.write;

import java.util.List;
import java.util.Map;

/**
 * A leaf of a top-level field, which has a column of its own.
 *
 * @param path its dotted path, for errors
 * @param type what its values are
 * @param layers the layers from the top-level field to the leaf itself
 * @param elementsPerRow the product of the dimensions of fixed-size lists of structs on the way;
 *     the column's rows are these elements
 * @param metadata of the leaf's field
 * @param columnMetadata of the top-level field
 */
record Leaf(
    String path,
    LeafType type,
    List<Layer> layers,
    int elementsPerRow,
    Map<String, String> metadata,
    Map<String, String> columnMetadata) {

  /** What a layer between a row and a leaf's value does. */
  enum LayerKind {
    /** A value, a struct or a fixed-size list: there or null. */
    ITEM,
    /** A list: null, empty or with items. */
    LIST
  }

  /**
   * A layer.
   *
   * @param kind what it does
   * @param nullable whether the schema allows nulls in it
   */
  record Layer(LayerKind kind, boolean nullable) {
    boolean isList() {
      return kind == LayerKind.LIST;
    }
  }

  Leaf {
    layers = List.copyOf(layers);
  }

  /** The same leaf with other layers around it. */
  Leaf withLayers(List<Layer> other) {
    return new Leaf(path, type, other, elementsPerRow, metadata, columnMetadata);
  }

  /** The number of lists around a value. */
  int lists() {
    int lists = 0;
    for (Layer layer : layers) {
      lists += layer.isList() ? 1 : 0;
    }
    return lists;
  }

  /** The number of layers outside the innermost list; -1 when there is none. */
  int innermostList() {
    int depth = layers.size() - 1;
    while (depth >= 0 && !layers.get(depth).isList()) {
      depth--;
    }
    return depth;
  }
}
