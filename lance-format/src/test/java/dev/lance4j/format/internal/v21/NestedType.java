package dev.lance4j.format.internal.v21;

import dev.lance4j.format.testing.SampleFields;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A random nested type with random values. A value is null, an {@code Integer}, or a list of the
 * values of a list or struct.
 */
sealed interface NestedType {
  record Leaf() implements NestedType {}

  record Struct(List<NestedType> children) implements NestedType {}

  record Items(NestedType item) implements NestedType {}

  record FixedItems(int dimension, Struct item) implements NestedType {}

  /** A type that nests at most {@code depth} levels. */
  static NestedType random(SplittableRandom random, int depth) {
    return random(random, depth, random.nextInt(4) == 0);
  }

  /**
   * Fixed-size lists of structs never share a path with lists: the format's writers refuse that.
   */
  private static NestedType random(SplittableRandom random, int depth, boolean fixed) {
    int kind = depth == 0 ? 0 : random.nextInt(3);
    if (kind == 0) {
      return new Leaf();
    }
    if (kind == 1) {
      return struct(random, depth, fixed);
    }
    return fixed
        ? new FixedItems(1 + random.nextInt(3), struct(random, depth - 1, true))
        : new Items(random(random, depth - 1, false));
  }

  private static Struct struct(SplittableRandom random, int depth, boolean fixed) {
    List<NestedType> children = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      children.add(random(random, Math.max(0, depth - 1), fixed));
    }
    return new Struct(children);
  }

  default Field field(String name) {
    if (this instanceof Struct struct) {
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < struct.children().size(); i++) {
        fields.add(struct.children().get(i).field("c" + i));
      }
      return SampleFields.struct(name, fields.toArray(Field[]::new));
    }
    if (this instanceof Items list) {
      return SampleFields.list(name, list.item().field("item"));
    }
    if (this instanceof FixedItems list) {
      return SampleFields.fixedSizeList(name, list.dimension(), list.item().field("item"));
    }
    return SampleFields.int32(name);
  }

  /** A value; the higher {@code nulls}, the fewer of them and of empty lists there are. */
  default Object value(SplittableRandom random, int nulls) {
    if (random.nextInt(nulls) == 0) {
      return null;
    }
    List<Object> values = new ArrayList<>();
    if (this instanceof Struct struct) {
      struct.children().forEach(child -> values.add(child.value(random, nulls)));
      return values;
    }
    if (this instanceof Items list) {
      for (int i = random.nextInt(nulls) == 0 ? 0 : random.nextInt(5); i > 0; i--) {
        values.add(list.item().value(random, nulls));
      }
      return values;
    }
    if (this instanceof FixedItems list) {
      for (int i = 0; i < list.dimension(); i++) {
        values.add(list.item().value(random, nulls));
      }
      return values;
    }
    return random.nextInt(1000);
  }
}
