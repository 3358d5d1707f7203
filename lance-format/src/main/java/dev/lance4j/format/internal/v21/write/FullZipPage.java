package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A page of large values: each entry's levels and value side by side. */
final class FullZipPage {
  private final PageLevels levels;
  private final int bitsRep;
  private final int bitsDef;
  private final int controlBytes;

  FullZipPage(PageLevels levels) {
    this.levels = levels;
    this.bitsRep = levels.rep() == null ? 0 : PageLevels.bitLength(levels.rep());
    this.bitsDef = levels.def() == null ? 0 : PageLevels.bitLength(levels.def());
    int bits = bitsRep + bitsDef;
    if (bits == 0) {
      this.controlBytes = 0;
    } else if (bits <= Byte.SIZE) {
      this.controlBytes = Byte.BYTES;
    } else {
      this.controlBytes = bits <= Short.SIZE ? Short.BYTES : Integer.BYTES;
    }
  }

  /**
   * Encodes values of one width.
   *
   * @param values one for each visible entry
   * @param encoding how the page describes them
   */
  EncodedPage encode(RowValues values, CompressiveEncoding encoding, BufferAllocator allocator) {
    FullZipLayout.Builder layout = layout(encoding).setBitsPerValue(values.width() * Byte.SIZE);
    if (controlBytes == 0 && values.contiguous() != null) {
      return page(layout, List.of(values.contiguous()), List.of());
    }
    long size = (long) levels.entries() * controlBytes + (long) levels.visible() * values.width();
    try (Zipper zipper = new Zipper(size, levels.rep() != null, allocator)) {
      int value = 0;
      for (int e = 0; e < levels.entries(); e++) {
        zipper.control(e);
        if (levels.isVisible(e)) {
          values.put(value++, zipper.data.room(values.width()), zipper.data.size());
          zipper.data.advance(values.width());
        }
      }
      return zipper.finish(layout);
    }
  }

  /**
   * Encodes values with lengths.
   *
   * @param values one for each visible entry
   * @param encoding how the page describes them
   */
  EncodedPage encode(
      VariableBlock values, CompressiveEncoding encoding, BufferAllocator allocator) {
    int width = values.offsetBytes();
    long size =
        (long) levels.entries() * controlBytes
            + (long) levels.visible() * width
            + values.dataBytes(0, values.count());
    try (Zipper zipper = new Zipper(size, true, allocator)) {
      int value = 0;
      for (int e = 0; e < levels.entries(); e++) {
        zipper.control(e);
        if (levels.isValid(e)) {
          zipper.value(values, value);
        }
        value += levels.isVisible(e) ? 1 : 0;
      }
      return zipper.finish(layout(encoding).setBitsPerOffset(values.offsetBits()));
    }
  }

  private FullZipLayout.Builder layout(CompressiveEncoding encoding) {
    return FullZipLayout.newBuilder()
        .setBitsRep(bitsRep)
        .setBitsDef(bitsDef)
        .setNumItems(levels.entries())
        .setNumVisibleItems(levels.visible())
        .setValueCompression(encoding)
        .addAllLayers(levels.layers());
  }

  private static EncodedPage page(
      FullZipLayout.Builder layout, List<ByteBuffer> buffers, List<PageOutput> memory) {
    return new EncodedPage(
        PageLayout.newBuilder().setFullZipLayout(layout).build(), buffers, memory);
  }

  /** Writes control words, and the row index beside them. */
  private final class Zipper implements AutoCloseable {
    private final PageOutput data;
    private final PageOutput rowIndex;
    private final boolean indexed;
    private final int indexWidth;
    private boolean finished;

    /**
     * @param bound the most bytes that the data can have
     * @param indexed whether rows have different sizes and need an index
     */
    Zipper(long bound, boolean indexed, BufferAllocator allocator) {
      this.data = new PageOutput(allocator);
      this.rowIndex = new PageOutput(allocator);
      this.indexed = indexed;
      this.indexWidth = indexWidth(bound);
      data.room(bound + Long.BYTES);
    }

    private static int indexWidth(long bound) {
      if (bound <= 0xFF) {
        return Byte.BYTES;
      }
      if (bound <= 0xFFFF) {
        return Short.BYTES;
      }
      return bound <= 0xFFFFFFFFL ? Integer.BYTES : Long.BYTES;
    }

    void control(int entry) {
      if (indexed && levels.startsRow(entry)) {
        put(rowIndex, data.size(), indexWidth);
      }
      int word = levels.rep() == null ? 0 : (levels.rep()[entry] & 0xFFFF) << bitsDef;
      word |= levels.def() == null ? 0 : levels.def()[entry] & 0xFFFF;
      put(data, word, controlBytes);
    }

    private static void put(PageOutput out, int word, int width) {
      ByteBuffer room = out.room(Long.BYTES);
      room.putLong(out.size(), word & 0xFFFFFFFFL);
      out.advance(width);
    }

    void value(VariableBlock values, int value) {
      int length = values.length(value);
      put(data, length, values.offsetBytes());
      data.put(values.values(), values.start(value), length);
    }

    EncodedPage finish(FullZipLayout.Builder layout) {
      List<ByteBuffer> buffers = new ArrayList<>();
      buffers.add(data.bytes());
      if (indexed) {
        put(rowIndex, data.size(), indexWidth);
        buffers.add(rowIndex.bytes());
      }
      finished = true;
      return page(layout, buffers, List.of(data, rowIndex));
    }

    /** Frees the memory unless a page has it. */
    @Override
    public void close() {
      if (!finished) {
        data.close();
        rowIndex.close();
      }
    }
  }
}
