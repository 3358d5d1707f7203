package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Structs whose children, of fixed width and without nulls, lie side by side in each row. */
final class PackedStructValues implements PageValues {
  private final String path;
  private final List<Field> children;
  private final int[] widths;
  private final int rowBytes;
  private final GrowableBuffer rows;

  /**
   * @param widths of the children in bytes
   */
  PackedStructValues(String path, List<Field> children, int[] widths, BufferAllocator allocator) {
    this.path = path;
    this.children = children;
    this.widths = widths.clone();
    int sum = 0;
    for (int width : widths) {
      sum = Math.addExact(sum, width);
    }
    this.rowBytes = sum;
    this.rows = new GrowableBuffer(allocator, 0);
  }

  @Override
  public void append(ArrayData array, ByteBuffer validity, RowRanges ranges) {
    checkNoNulls(Validity.nulls(validity, ranges));
    int at = Math.toIntExact(rows.size());
    rows.grow(Math.multiplyExact(ranges.rows(), rowBytes));
    ByteBuffer target = rows.buffer().nioBuffer(0, Math.toIntExact(rows.size()));
    for (int i = 0; i < widths.length; i++) {
      ArrowBuf source = values(array.child(i), children.get(i), ranges.limit());
      FixedValues.checkSize(path, source, ranges.limit() * widths[i]);
      copy(source, widths[i], ranges, target, at);
      at += widths[i];
    }
  }

  /** The values of a child, those of fixed-size lists being the items'. */
  private ArrowBuf values(ArrayData child, Field field, long limit) {
    ByteBuffer validity = Validity.of(child, null, path);
    checkNoNulls(Validity.nulls(validity, RowRanges.of(0, Math.min(limit, child.length()))));
    ArrayLayout layout = ArrayLayout.of(field);
    return layout.kind() == ArrayLayout.Kind.FIXED_SIZE_LIST
        ? values(child.child(0), field.getChildren().get(0), limit * layout.bits())
        : child.buffer(1);
  }

  private void checkNoNulls(long nulls) {
    if (nulls > 0) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' is a packed struct, which cannot hold nulls at any level; write it unpacked");
    }
  }

  private void copy(ArrowBuf source, int width, RowRanges ranges, ByteBuffer target, int first) {
    if (ranges.isEmpty()) {
      return;
    }
    ByteBuffer values = source.nioBuffer(0, Math.toIntExact(ranges.limit() * width));
    int at = first;
    for (int i = 0; i < ranges.size(); i++) {
      for (long row = ranges.start(i); row < ranges.end(i); row++) {
        target.put(at, values, (int) row * width, width);
        at += rowBytes;
      }
    }
  }

  @Override
  public long bytesOf(ArrayData array, RowRanges ranges) {
    return ranges.rows() * rowBytes;
  }

  @Override
  public long bytes() {
    return rows.size();
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    page.add(rows.buffer().nioBuffer(0, Math.toIntExact(rows.size())));
    List<ArrayEncoding> inner = new ArrayList<>();
    for (Field child : children) {
      inner.add(inner(child));
    }
    return Encodings.packedStruct(inner);
  }

  private static ArrayEncoding inner(Field field) {
    ArrayLayout layout = ArrayLayout.of(field);
    return Encodings.noNulls(
        layout.kind() == ArrayLayout.Kind.FIXED_SIZE_LIST
            ? Encodings.fixedSizeList(layout.bits(), inner(field.getChildren().get(0)))
            : Encodings.flat(layout.bits(), 0));
  }

  @Override
  public void clear() {
    rows.clear();
  }

  @Override
  public void close() {
    rows.close();
  }
}
