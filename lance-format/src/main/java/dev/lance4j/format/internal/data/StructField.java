package dev.lance4j.format.internal.data;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Takes a field out of structs: it is null where a struct around it is. */
public final class StructField {
  private StructField() {}

  /**
   * The values of a field.
   *
   * @param struct stays the caller's
   * @param below the position of a child on each level, from the top down
   * @return owned by the caller
   */
  public static ArrayData extract(ArrayData struct, int[] below, BufferAllocator allocator) {
    ArrayData field = struct;
    boolean nullAbove = false;
    for (int child : below) {
      nullAbove |= field.nullCount() > 0;
      field = field.child(child);
    }
    // A field without buffers has nothing but nulls.
    return nullAbove && field.bufferCount() > 0
        ? masked(struct, below, field, allocator)
        : field.retain();
  }

  private static ArrayData masked(
      ArrayData struct, int[] below, ArrayData field, BufferAllocator allocator) {
    int rows = field.length();
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrowBuf validity = owned.allocate(Bitmaps.bytes(rows));
      validity.setOne(0L, validity.capacity());
      ArrayData level = struct;
      and(validity, level);
      for (int child : below) {
        level = level.child(child);
        and(validity, level);
      }
      int valid = Bitmaps.count(validity.nioBuffer(0, (int) Bitmaps.bytes(rows)), 0, rows);
      ArrayData shared = field.retain();
      ArrowBuf[] buffers = new ArrowBuf[field.bufferCount()];
      buffers[0] = validity;
      for (int i = 1; i < buffers.length; i++) {
        buffers[i] = shared.buffer(i);
      }
      if (shared.validity() != null) {
        shared.validity().close();
      }
      return owned.release(
          new ArrayData(
              rows,
              rows - valid,
              buffers,
              shared.children().toArray(ArrayData[]::new),
              shared.dictionary()));
    }
  }

  private static void and(ArrowBuf validity, ArrayData array) {
    if (array.validity() == null) {
      return;
    }
    long bytes = Bitmaps.bytes(array.length());
    for (long i = 0; i < bytes; i++) {
      validity.setByte(i, validity.getByte(i) & array.validity().getByte(i));
    }
  }
}
