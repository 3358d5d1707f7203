package dev.lance4j.format.internal.container;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PackedChildren;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.V21FieldReaders;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Reads some children of a packed struct of version 2.1 or later. The children of a row lie side by
 * side, so that all are read and those that were not asked for are dropped.
 */
final class PackedFieldReader implements FieldReader {
  private final FieldReader whole;
  private final Field field;
  private final PackedChildren packed;

  private PackedFieldReader(FieldReader whole, Field field, PackedChildren packed) {
    this.whole = whole;
    this.field = field;
    this.packed = packed;
  }

  static FieldReader create(String path, ColumnNode node, List<ColumnInfo> columns) {
    PackedChildren packed = node.packed();
    Field field = node.field();
    List<Integer> all = IntStream.range(0, packed.stored().size()).boxed().toList();
    if (packed.positions().equals(all)) {
      return V21FieldReaders.create(path, node, columns);
    }
    FieldType type = new FieldType(field.isNullable(), field.getType(), null, field.getMetadata());
    Field stored = new Field(field.getName(), type, packed.stored());
    ColumnNode wholeNode = new ColumnNode(stored, node.column(), true, List.of());
    return new PackedFieldReader(V21FieldReaders.create(path, wholeNode, columns), field, packed);
  }

  @Override
  public FieldRead read(RowRanges rows) {
    FieldRead read = whole.read(rows);
    return new FieldRead() {
      @Override
      public boolean request(RangeRequests requests) {
        return read.request(requests);
      }

      @Override
      public ArrayData decode(BufferAllocator allocator) {
        try (ArrayData struct = read.decode(allocator)) {
          return select(struct, allocator);
        }
      }
    };
  }

  private ArrayData select(ArrayData struct, BufferAllocator allocator) {
    ArrayData[] children = new ArrayData[packed.positions().size()];
    for (int i = 0; i < children.length; i++) {
      int position = packed.positions().get(i);
      children[i] =
          position < 0
              ? NullArrays.of(field.getChildren().get(i), struct.length(), allocator)
              : struct.child(position).retain();
    }
    ArrowBuf validity = struct.validity();
    if (validity != null) {
      validity.getReferenceManager().retain();
    }
    return new ArrayData(struct.length(), struct.nullCount(), new ArrowBuf[] {validity}, children);
  }
}
