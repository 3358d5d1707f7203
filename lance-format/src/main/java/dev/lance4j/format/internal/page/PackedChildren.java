package dev.lance4j.format.internal.page;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * How the children of a packed struct lie in its column.
 *
 * @param stored all children that the file's struct has, in its order
 * @param positions for each child that is read, where it is in {@code stored}; -1 when the file
 *     lacks it
 */
public record PackedChildren(List<Field> stored, List<Integer> positions) {
  public PackedChildren {
    stored = List.copyOf(stored);
    positions = List.copyOf(positions);
    for (int position : positions) {
      if (position < -1 || position >= stored.size()) {
        throw new IllegalArgumentException("position " + position + " of " + stored.size());
      }
    }
  }

  /** A struct that is read as it is stored. */
  public static PackedChildren all(Field struct) {
    int count = struct.getChildren().size();
    return new PackedChildren(struct.getChildren(), IntStream.range(0, count).boxed().toList());
  }
}
