package dev.lance4j.format.testing;

import dev.lance4j.format.FileVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Nested types as chance has them, the same ones for the same seed. */
public final class RandomFields {
  private final SplittableRandom random;
  private final FileVersion version;
  private int dictionaries;

  public RandomFields(long seed, FileVersion version) {
    this.random = new SplittableRandom(seed);
    this.version = version;
  }

  /** A field with at most {@code depth} structs, lists and maps around its leaves. */
  public Field field(String name, int depth) {
    int kinds = version.atLeast(FileVersion.V2_2) ? 5 : 4;
    return switch (depth == 0 ? 0 : random.nextInt(kinds)) {
      case 0 -> leaf(name);
      case 1 -> struct(name, depth);
      case 2 -> SampleFields.list(name, field("item", depth - 1));
      case 3 ->
          new Field(
              name,
              FieldType.nullable(ArrowType.LargeList.INSTANCE),
              List.of(field("item", depth - 1)));
      default -> SampleFields.map(name, SampleFields.utf8("key"), field("value", depth - 1));
    };
  }

  private Field struct(String name, int depth) {
    List<Field> children = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      children.add(field("c" + i, depth - 1));
    }
    return SampleFields.struct(name, children.toArray(new Field[0]));
  }

  private Field leaf(String name) {
    return switch (random.nextInt(10)) {
      case 0 -> SampleFields.bool(name);
      case 1 -> SampleFields.int32(name);
      case 2 -> SampleFields.int64(name);
      case 3 -> SampleFields.utf8(name);
      case 4 -> SampleFields.scalar(name, ArrowType.LargeBinary.INSTANCE);
      case 5 -> SampleFields.scalar(name, new ArrowType.FixedSizeBinary(16));
      case 6 -> SampleFields.fixedSizeList(name, 3, SampleFields.float32("item"));
      case 7 -> SampleFields.fixedSizeList(name, 80, SampleFields.float32("item"));
      case 8 -> SampleFields.dictionary(name, ++dictionaries, 16, true);
      default ->
          SampleFields.fixedSizeList(
              name, 2, SampleFields.fixedSizeList("item", 3, SampleFields.bool("item")));
    };
  }
}
