package dev.lance4j.format.internal.v20;

import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.DictionaryIndex;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.FieldWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Writers of the fields of a file of version 2.0. */
public final class V20FieldWriters {
  private final BufferAllocator allocator;
  private final BufferSink sink;
  private final PageLimits limits;

  private V20FieldWriters(BufferAllocator allocator, BufferSink sink, PageLimits limits) {
    this.allocator = allocator;
    this.sink = sink;
    this.limits = limits;
  }

  /**
   * A writer of one top-level field.
   *
   * @param allocator for rows that wait to become pages
   * @throws SchemaMismatchException if version 2.0 cannot hold the type
   */
  public static FieldWriter create(Field field, BufferAllocator allocator, BufferSink sink) {
    return create(field, allocator, sink, PageLimits.DEFAULT);
  }

  /** As above, with pages of other sizes. */
  static FieldWriter create(
      Field field, BufferAllocator allocator, BufferSink sink, PageLimits limits) {
    V20FieldWriters writers = new V20FieldWriters(allocator, sink, limits);
    return new TopLevelWriter(writers.column(field, field.getName()));
  }

  private ColumnWriter column(Field field, String path) {
    ArrayLayout layout = ArrayLayout.of(field);
    if (field.getDictionary() != null) {
      return leaf(field, path, dictionary(field, path));
    }
    if (field.getType() instanceof ArrowType.Map) {
      throw unsupported(path, "a map");
    }
    return switch (layout.kind()) {
      case STRUCT -> isPacked(field) ? leaf(field, path, packed(field, path)) : struct(field, path);
      case LIST, LARGE_LIST ->
          new ListWriter(
              path,
              field.isNullable(),
              layout.hasLongOffsets(),
              column(field.getChildren().get(0), path + ".item"),
              allocator,
              limits,
              sink);
      default -> isBlob(field) ? blobs(field, path) : leaf(field, path, values(field, path));
    };
  }

  /** The rule of version 2.0, where any value of the newer key will do. */
  private static boolean isPacked(Field field) {
    String old = field.getMetadata().get("packed");
    return old == null
        ? field.getMetadata().containsKey("lance-encoding:packed")
        : old.equals("true");
  }

  private static boolean isBlob(Field field) {
    return field.getMetadata().containsKey("lance-encoding:blob");
  }

  private PageValues packed(Field field, String path) {
    List<Field> children = field.getChildren();
    int[] widths = new int[children.size()];
    for (int i = 0; i < widths.length; i++) {
      long bits = PageTypes.rowBits(children.get(i));
      if (bits <= 0 || bits % Byte.SIZE != 0) {
        throw unsupported(path, "a packed struct with " + children.get(i));
      }
      widths[i] = Math.toIntExact(bits / Byte.SIZE);
    }
    return new PackedStructValues(path, children, widths, allocator);
  }

  private ColumnWriter blobs(Field field, String path) {
    if (ArrayLayout.of(field).kind() != ArrayLayout.Kind.LARGE_VARIABLE) {
      throw new SchemaMismatchException(
          "Field '" + path + "' is a blob of type " + field.getType() + "; use LargeBinary");
    }
    PageValues values = new BlobValues(path, sink, allocator);
    return new LeafWriter(path, field.isNullable(), values, Encodings.blobs(), limits, sink);
  }

  private ColumnWriter struct(Field field, String path) {
    List<ColumnWriter> children = new ArrayList<>();
    for (Field child : field.getChildren()) {
      children.add(column(child, path + '.' + child.getName()));
    }
    return new StructWriter(path, field.isNullable(), children, sink);
  }

  private ColumnWriter leaf(Field field, String path, PageValues values) {
    return new LeafWriter(path, field.isNullable(), values, Encodings.values(), limits, sink);
  }

  private PageValues dictionary(Field field, String path) {
    Field items = DictionaryIndex.values(field);
    return new DictionaryValues(path, field, values(items, path), allocator);
  }

  private PageValues values(Field field, String path) {
    ArrayLayout layout = ArrayLayout.of(field);
    return switch (layout.kind()) {
      case NULL -> new NullValues();
      case FIXED -> new NullableValues(fixed(layout.bits(), path), allocator);
      case VARIABLE, LARGE_VARIABLE -> new BinaryValues(path, layout.hasLongOffsets(), allocator);
      case FIXED_SIZE_LIST -> {
        Field item = field.getChildren().get(0);
        if (PageTypes.rowBits(item) < 0) {
          throw unsupported(path, "a fixed-size list of " + item.getType());
        }
        PageValues items = values(item, path + ".item");
        yield new NullableValues(new FixedSizeListValues(path, layout.bits(), items), allocator);
      }
      default -> throw unsupported(path, field.getType() + " here");
    };
  }

  private PageValues fixed(int bits, String path) {
    return bits == 1
        ? new BooleanValues(path, allocator)
        : new FixedValues(path, bits / Byte.SIZE, allocator);
  }

  private static SchemaMismatchException unsupported(String path, String what) {
    return new SchemaMismatchException(
        "Field '"
            + path
            + "' is "
            + what
            + ", which file version 2.0 cannot hold; use version 2.1 or later");
  }
}
