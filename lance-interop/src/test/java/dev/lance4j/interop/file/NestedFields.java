package dev.lance4j.interop.file;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.SampleFields;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Fields of nested types that files of a version can hold, each level nullable or not. */
final class NestedFields {
  private final FileVersion version;

  NestedFields(FileVersion version) {
    this.version = version;
  }

  /** Fields with structs, lists and maps up to a depth around their leaves. */
  Arbitrary<Field> field(String name, int depth) {
    return field(name, depth, true, version.atLeast(FileVersion.V2_2));
  }

  /**
   * @param mayBeRequired whether it need not be nullable
   * @param structLists whether it may be a fixed-size list of structs, or have one in it
   */
  private Arbitrary<Field> field(
      String name, int depth, boolean mayBeRequired, boolean structLists) {
    if (depth == 0) {
      return required(leaf(name), mayBeRequired);
    }
    List<Arbitrary<Field>> kinds = new ArrayList<>();
    kinds.add(required(leaf(name), mayBeRequired));
    kinds.add(struct(name, depth, mayBeRequired, structLists));
    kinds.add(
        required(
            field("item", depth - 1, true, false).map(item -> SampleFields.list(name, item)),
            mayBeRequired));
    kinds.add(
        required(
            field("item", depth - 1, true, false).map(item -> largeList(name, item)),
            mayBeRequired));
    if (version.atLeast(FileVersion.V2_2)) {
      kinds.add(required(map(name, depth), mayBeRequired));
    }
    if (structLists) {
      kinds.add(required(structList(name, depth), mayBeRequired));
    }
    return Arbitraries.oneOf(kinds);
  }

  private static Arbitrary<Field> required(Arbitrary<Field> fields, boolean allowed) {
    if (!allowed) {
      return fields;
    }
    return Combinators.combine(fields, Arbitraries.of(true, true, false))
        .as((field, nullable) -> withNullable(field, nullable));
  }

  private static Field withNullable(Field field, boolean nullable) {
    FieldType type =
        new FieldType(nullable, field.getType(), field.getDictionary(), field.getMetadata());
    return new Field(field.getName(), type, field.getChildren());
  }

  private static Field largeList(String name, Field item) {
    return new Field(name, FieldType.nullable(ArrowType.LargeList.INSTANCE), List.of(item));
  }

  private Arbitrary<Field> struct(
      String name, int depth, boolean mayBeRequired, boolean structLists) {
    boolean childrenMayBe = version != FileVersion.V2_0;
    Arbitrary<Field> nullable =
        children(depth, childrenMayBe, structLists)
            .map(children -> SampleFields.struct(name, children));
    if (!mayBeRequired) {
      return nullable;
    }
    Arbitrary<Field> never =
        children(depth, true, structLists)
            .map(children -> withNullable(SampleFields.struct(name, children), false));
    return Arbitraries.oneOf(nullable, nullable, never);
  }

  /**
   * In version 2.0 null structs become nulls of their children.
   *
   * @param mayBeRequired whether children need not be nullable
   */
  private Arbitrary<Field[]> children(int depth, boolean mayBeRequired, boolean structLists) {
    return field("c", depth - 1, mayBeRequired, structLists)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(NestedFields::numbered);
  }

  private static Field[] numbered(List<Field> fields) {
    Field[] numbered = new Field[fields.size()];
    for (int i = 0; i < numbered.length; i++) {
      Field field = fields.get(i);
      numbered[i] = new Field("c" + i, field.getFieldType(), field.getChildren());
    }
    return numbered;
  }

  private Arbitrary<Field> map(String name, int depth) {
    return field("value", depth - 1, true, false)
        .map(value -> SampleFields.map(name, SampleFields.utf8("key"), value));
  }

  /** Fixed-size lists of structs, in which neither library has lists. */
  private Arbitrary<Field> structList(String name, int depth) {
    Arbitrary<Field[]> children =
        depth == 1
            ? leaf("c").list().ofMinSize(1).ofMaxSize(2).map(NestedFields::numbered)
            : Combinators.combine(
                    leaf("c0"), leaf("c").map(leaf -> SampleFields.struct("c1", leaf)))
                .as((leaf, struct) -> new Field[] {leaf, struct});
    return Combinators.combine(children, Arbitraries.integers().between(1, 3))
        .as(
            (fields, dimension) ->
                SampleFields.fixedSizeList(name, dimension, SampleFields.struct("item", fields)));
  }

  private static Arbitrary<Field> leaf(String name) {
    return Arbitraries.of(
        SampleFields.bool(name),
        SampleFields.int32(name),
        SampleFields.int64(name),
        SampleFields.float16(name),
        SampleFields.float64(name),
        SampleFields.utf8(name),
        SampleFields.scalar(name, ArrowType.LargeUtf8.INSTANCE),
        SampleFields.scalar(name, ArrowType.LargeBinary.INSTANCE),
        SampleFields.scalar(name, new ArrowType.FixedSizeBinary(16)),
        SampleFields.scalar(name, new ArrowType.Decimal(38, 10, 128)),
        SampleFields.scalar(name, new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC")),
        SampleFields.scalar(name, new ArrowType.Int(8, false)),
        SampleFields.fixedSizeList(name, 3, SampleFields.float32("item")),
        SampleFields.fixedSizeList(name, 80, SampleFields.float32("item")),
        SampleFields.fixedSizeList(
            name, 2, SampleFields.fixedSizeList("item", 3, SampleFields.bool("item"))),
        SampleFields.dictionary(name, 8, 8, true),
        SampleFields.dictionary(name, 16, 16, true));
  }
}
