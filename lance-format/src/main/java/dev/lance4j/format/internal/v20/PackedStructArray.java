package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The {@code packed_struct} encoding: rows of fixed-width children side by side, without nulls.
 *
 * @param rows the packed rows, each as one value
 * @param rowBytes the bytes of a row
 * @param children what is read, in the order of the result
 */
record PackedStructArray(FixedWidthArray rows, int rowBytes, List<Child> children)
    implements PageArray {
  /**
   * One child that is read.
   *
   * @param field its type
   * @param offset of its bytes in a row, or -1 when the rows lack it
   * @param width in bytes
   */
  record Child(Field field, int offset, int width) {}

  @Override
  public FieldRead read(RowRanges ranges) {
    return new Read(ReadLimits.count(ranges.rows()), rows.read(ranges));
  }

  private final class Read implements FieldRead {
    private final int count;
    private final FixedWidthRead rowsRead;

    Read(int count, FixedWidthRead rowsRead) {
      this.count = count;
      this.rowsRead = rowsRead;
    }

    @Override
    public boolean request(RangeRequests requests) {
      return rowsRead.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      ByteBuffer packed = rowsRead.bytes();
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrayData[] arrays = new ArrayData[children.size()];
        for (int i = 0; i < arrays.length; i++) {
          Child child = children.get(i);
          arrays[i] =
              owned.own(
                  child.offset() < 0
                      ? new NullArray(child.field()).read(RowRanges.of(0, count)).decode(allocator)
                      : unpack(packed, child, allocator));
        }
        return owned.release(new ArrayData(count, 0, new ArrowBuf[] {null}, arrays));
      }
    }

    private ArrayData unpack(ByteBuffer packed, Child child, BufferAllocator allocator) {
      int width = child.width();
      int bytes = ReadLimits.count((long) count * width);
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrowBuf values = owned.allocate(bytes);
        ByteBuffer target = values.nioBuffer(0, bytes);
        for (int i = 0, from = child.offset(); i < count; i++, from += rowBytes) {
          target.put(i * width, packed, from, width);
        }
        return owned.release(nest(child.field(), count, values));
      }
    }
  }

  /** Values as an array of their field's type: a primitive or fixed-size lists of one. */
  private static ArrayData nest(Field field, int count, ArrowBuf values) {
    ArrayLayout layout = ArrayLayout.of(field);
    if (layout.kind() == ArrayLayout.Kind.FIXED_SIZE_LIST) {
      int size = Math.multiplyExact(count, layout.bits());
      ArrayData items = nest(field.getChildren().get(0), size, values);
      return new ArrayData(count, 0, new ArrowBuf[] {null}, items);
    }
    return new ArrayData(count, 0, new ArrowBuf[] {null, values});
  }
}
