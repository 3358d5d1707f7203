package dev.lance4j.format.internal.v21;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.v21.layout.Guard;
import dev.lance4j.format.internal.v21.level.ListSlots;
import dev.lance4j.format.internal.v21.level.Unraveler;
import dev.lance4j.format.internal.v21.level.Validity;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.Field;

/** A field of the tree under one top-level field, which knows how to put its array together. */
sealed interface FieldNode {
  /** Builds the array of a field that the file holds. */
  Assembled assemble(ReadContext context);

  /**
   * A field with a column of its own.
   *
   * @param leaf the number of the column among those of the tree
   * @param outerItems the number of item layers between it and the next list outside
   */
  record Leaf(int leaf, int outerItems) implements FieldNode {
    @Override
    public Assembled assemble(ReadContext context) {
      return context.leaves().get(leaf).decode(outerItems, context.allocator());
    }
  }

  /** A field that the file does not hold and that reads as nulls. */
  record Absent(Field field) implements FieldNode {
    @Override
    public Assembled assemble(ReadContext context) {
      throw new IllegalStateException("the length of an absent field comes from its siblings");
    }

    ArrayData nulls(int length, ReadContext context) {
      return NullArrays.of(field, length, context.allocator());
    }
  }

  /**
   * A struct whose children have columns.
   *
   * @param leaf any leaf below it, for errors
   */
  record Struct(int leaf, int outerItems, List<FieldNode> children) implements FieldNode {
    @Override
    public Assembled assemble(ReadContext context) {
      ArrayData[] arrays = new ArrayData[children.size()];
      boolean complete = false;
      try {
        Unraveler levels = assemblePresent(arrays, context);
        int length = commonLength(arrays, context);
        for (int i = 0; i < arrays.length; i++) {
          if (children.get(i) instanceof Absent absent) {
            arrays[i] = absent.nulls(length, context);
          }
        }
        Validity validity =
            Guard.run(column(context, leaf)::corrupt, () -> levels.items(outerItems, length));
        complete = true;
        ArrowBuf[] buffers = {validity.bits()};
        return new Assembled(new ArrayData(length, validity.nulls(), buffers, arrays), levels);
      } finally {
        if (!complete) {
          close(arrays);
        }
      }
    }

    /** Builds the children that the file holds and returns the levels of the first. */
    private Unraveler assemblePresent(ArrayData[] arrays, ReadContext context) {
      Unraveler levels = null;
      for (int i = 0; i < arrays.length; i++) {
        if (!(children.get(i) instanceof Absent)) {
          Assembled child = children.get(i).assemble(context);
          arrays[i] = child.data();
          levels = levels == null ? child.levels() : levels;
        }
      }
      return levels;
    }

    private int commonLength(ArrayData[] arrays, ReadContext context) {
      int length = -1;
      for (ArrayData array : arrays) {
        if (array != null && length >= 0 && array.length() != length) {
          throw column(context, leaf)
              .corrupt(
                  "the columns of a struct have " + length + " and " + array.length() + " values",
                  null);
        }
        length = array == null ? length : array.length();
      }
      return length;
    }
  }

  /** A list or map. */
  record Items(int leaf, int outerItems, boolean large, FieldNode item) implements FieldNode {
    @Override
    public Assembled assemble(ReadContext context) {
      Assembled child = item.assemble(context);
      boolean complete = false;
      try {
        ListSlots slots =
            Guard.run(
                column(context, leaf)::corrupt,
                () -> child.levels().lists(outerItems, child.data().length(), large));
        complete = true;
        Validity validity = slots.validity();
        ArrowBuf[] buffers = {validity.bits(), slots.offsets()};
        return new Assembled(
            new ArrayData(validity.length(), validity.nulls(), buffers, child.data()),
            child.levels());
      } finally {
        if (!complete) {
          child.data().close();
        }
      }
    }
  }

  /** A fixed-size list of structs. */
  record FixedItems(int leaf, int outerItems, int dimension, FieldNode item) implements FieldNode {
    @Override
    public Assembled assemble(ReadContext context) {
      Assembled child = item.assemble(context);
      boolean complete = false;
      try {
        Validity validity =
            Guard.run(
                column(context, leaf)::corrupt,
                () -> {
                  child.levels().collapse(dimension, outerItems + 1);
                  return child.levels().items(outerItems, child.data().length() / dimension);
                });
        complete = true;
        ArrowBuf[] buffers = {validity.bits()};
        return new Assembled(
            new ArrayData(validity.length(), validity.nulls(), buffers, child.data()),
            child.levels());
      } finally {
        if (!complete) {
          child.data().close();
        }
      }
    }
  }

  private static LeafColumn column(ReadContext context, int leaf) {
    return context.leaves().get(leaf).column();
  }

  private static void close(ArrayData[] arrays) {
    for (ArrayData array : arrays) {
      if (array != null) {
        array.close();
      }
    }
  }
}
