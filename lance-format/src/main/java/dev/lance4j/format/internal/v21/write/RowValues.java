package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/** Values of whole bytes for the full-zip layout. */
interface RowValues {
  /** The bytes of one value. */
  int width();

  /** All values back to back when they lie so in memory; null when they do not. */
  ByteBuffer contiguous();

  /** Puts a value at a position. */
  void put(int value, ByteBuffer out, int at);

  /** Values as they are in a block. */
  static RowValues of(FixedBlock block, int width) {
    return new RowValues() {
      @Override
      public int width() {
        return width;
      }

      @Override
      public ByteBuffer contiguous() {
        return block.values();
      }

      @Override
      public void put(int value, ByteBuffer out, int at) {
        out.put(at, block.values(), value * width, width);
      }
    };
  }

  /** Fixed-size lists, each behind the bitmaps of its layers with null items. */
  static RowValues of(ListBlock block) {
    int itemBytes = block.maxValueBytes();
    if (!block.hasNullItems()) {
      return of(block.items(), itemBytes);
    }
    return new NullableLists(block, itemBytes);
  }

  /** Lists with null items. */
  final class NullableLists implements RowValues {
    private final ListBlock block;
    private final int itemBytes;
    private final int width;

    NullableLists(ListBlock block, int itemBytes) {
      this.block = block;
      this.itemBytes = itemBytes;
      int bytes = itemBytes;
      for (int i = 0; i < block.layers(); i++) {
        bytes += block.validity(i) == null ? 0 : Bits.bytes(block.itemsPerValue(i));
      }
      this.width = bytes;
    }

    @Override
    public int width() {
      return width;
    }

    @Override
    public ByteBuffer contiguous() {
      return null;
    }

    @Override
    public void put(int value, ByteBuffer out, int at) {
      int next = at;
      for (int i = 0; i < block.layers(); i++) {
        if (block.validity(i) != null) {
          int per = block.itemsPerValue(i);
          int bytes = Bits.bytes(per);
          out.put(next + bytes - 1, (byte) 0);
          Bits.copy(block.validity(i), value * per, out, next * Byte.SIZE, per);
          next += bytes;
        }
      }
      out.put(next, block.items().values(), value * itemBytes, itemBytes);
    }
  }
}
