package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.ColumnShape;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PackedChildren;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Readers of the fields of a file of version 2.0. */
public final class V20FieldReaders {
  private static final ArrowType UINT64 = new ArrowType.Int(Long.SIZE, false);

  private final FileColumns columns;

  private V20FieldReaders(FileColumns columns) {
    this.columns = columns;
  }

  /**
   * A reader of one field. Blob columns are read as their descriptors when the field is a struct
   * with children {@code position} and {@code size}, and as bytes when it is binary.
   *
   * @param fileColumns all columns of the file
   */
  public static FieldReader create(ColumnNode node, List<ColumnInfo> fileColumns) {
    return new V20FieldReaders(new FileColumns(fileColumns)).reader(node);
  }

  /** What a column's pages tell about the columns of its field. */
  public static ColumnShape shape(ColumnInfo column) {
    ArrayEncoding encoding = FileColumns.firstEncoding(column);
    if (encoding == null) {
      return ColumnShape.PLAIN;
    }
    return switch (encoding.getArrayEncodingCase()) {
      case PACKED_STRUCT -> ColumnShape.PACKED_STRUCT;
      case LIST -> ColumnShape.LIST;
      default -> ColumnShape.PLAIN;
    };
  }

  private FieldReader reader(ColumnNode node) {
    Field field = node.field();
    if (!node.present()) {
      return new NullArray(field);
    }
    ArrayLayout layout = ArrayLayout.of(field);
    ColumnInfo column = columns.get(node.column());
    if (field.getType() instanceof ArrowType.Map) {
      throw FileColumns.corrupt(column, "a map, which version 2.0 cannot hold");
    }
    boolean blob = FileColumns.isBlob(column);
    return switch (layout.kind()) {
      case STRUCT -> blob ? descriptors(field, column) : struct(node, column);
      case LIST, LARGE_LIST -> list(node, column, layout.hasLongOffsets());
      case VARIABLE, LARGE_VARIABLE -> strings(field, column, blob, layout.hasLongOffsets());
      default -> PagedColumn.of(field, column);
    };
  }

  private FieldReader struct(ColumnNode node, ColumnInfo column) {
    if (shape(column) == ColumnShape.PACKED_STRUCT) {
      PackedChildren packed =
          node.packed() == null ? PackedChildren.all(node.field()) : node.packed();
      return packed(node.field(), column, packed);
    }
    if (column.pages().size() != 1) {
      throw FileColumns.corrupt(column, "a struct with " + column.pages().size() + " pages");
    }
    PageInfo header = column.pages().get(0);
    if (!PageArrays.encoding(header).hasStruct()) {
      throw header.corrupt("a struct in another encoding");
    }
    List<Field> fields = node.field().getChildren();
    List<FieldReader> children = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      // A struct none of whose children is in the file has no nodes for them.
      children.add(
          node.children().isEmpty()
              ? new NullArray(fields.get(i))
              : reader(node.children().get(i)));
    }
    return new StructColumn(children);
  }

  private static FieldReader packed(Field field, ColumnInfo column, PackedChildren packed) {
    return new PagedColumn(
        field,
        column,
        page -> {
          ArrayEncoding encoding = PageArrays.encoding(page);
          if (!encoding.hasPackedStruct()) {
            throw page.corrupt("a packed struct in another encoding");
          }
          return new PageArrays(page)
              .packedStruct(encoding.getPackedStruct(), field, packed, page.rows());
        });
  }

  private static FieldReader descriptors(Field field, ColumnInfo column) {
    List<Field> stored =
        List.of(
            new Field("position", FieldType.notNullable(UINT64), null),
            new Field("size", FieldType.notNullable(UINT64), null));
    List<Integer> positions =
        field.getChildren().stream()
            .map(child -> List.of("position", "size").indexOf(child.getName()))
            .toList();
    return packed(field, column, new PackedChildren(stored, positions));
  }

  private FieldReader list(ColumnNode node, ColumnInfo column, boolean wide) {
    return new ListColumn(column, reader(node.children().get(0)), wide);
  }

  private FieldReader strings(Field field, ColumnInfo column, boolean blob, boolean wide) {
    if (blob) {
      return new PagedColumn(field, column, page -> blobs(page, wide));
    }
    ArrayEncoding first = FileColumns.firstEncoding(column);
    if (first == null || !first.hasList()) {
      return PagedColumn.of(field, column);
    }
    Field bytes = new Field("bytes", FieldType.notNullable(new ArrowType.Int(8, false)), null);
    FieldReader items = PagedColumn.of(bytes, columns.get(column.index() + 1));
    return new BytesListColumn(new ListColumn(column, items, wide));
  }

  private static PageArray blobs(PageInfo page, boolean wide) {
    ArrayEncoding encoding = PageArrays.encoding(page);
    if (!encoding.hasPackedStruct()) {
      throw page.corrupt("blobs in another encoding");
    }
    FixedWidthArray descriptors =
        new PageArrays(page).blobDescriptors(encoding.getPackedStruct(), page.rows());
    return new BlobArray(page, descriptors, wide);
  }
}
