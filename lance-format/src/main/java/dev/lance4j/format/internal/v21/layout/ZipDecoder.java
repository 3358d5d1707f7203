package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.v21.codec.ZipCodec;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Takes the items and levels of a full-zip page apart. Items are decoded in small batches. */
final class ZipDecoder {
  private static final int BATCH_ENTRIES = 1 << 12;
  private static final int BATCH_BYTES = 1 << 18;

  private final FullZipPage page;
  private final LeafSink sink;
  private final int controlBytes;
  private final int maxRepetition;
  private final int maxVisible;
  private short[] repetition;
  private short[] definition;
  private int entries;
  private int items;
  // Items of one width.
  private ByteBuffer dense = ByteBuffer.allocate(0);
  // Items of any length.
  private int[] starts;
  private int[] lengths;

  ZipDecoder(FullZipPage page, LeafSink sink) {
    this.page = page;
    this.sink = sink;
    this.controlBytes = page.controlBytes();
    this.maxRepetition = page.layers().shape().listCount();
    this.maxVisible = page.layers().shape().maxVisible();
  }

  /**
   * Decodes whole rows.
   *
   * @param in exactly the bytes of the rows
   * @throws IllegalArgumentException if they hold another number of rows or end inside an item
   */
  void decode(ByteBuffer in, int rows) {
    if (page.rowCodec() != null && controlBytes == 0) {
      Block block = page.rowCodec().decode(in, rows, true);
      sink.items().append(block, 0, rows);
      sink.levels().appendRun(0, rows);
      return;
    }
    int batch = Math.min(BATCH_ENTRIES, in.limit());
    if (repetition == null || repetition.length < batch) {
      repetition = new short[batch];
      definition = new short[batch];
    }
    int seen = page.rowCodec() != null ? decodeFixed(in) : decodeVariable(in);
    if (seen != rows) {
      throw new IllegalArgumentException(seen + " rows where the index has " + rows);
    }
  }

  /** Decodes items of one width and returns the number of rows. */
  private int decodeFixed(ByteBuffer in) {
    int width = page.rowBytes();
    int batchItems = Math.max(1, BATCH_BYTES / Math.max(1, width));
    int room = Math.min(batchItems, in.limit() / Math.max(1, width)) * width;
    if (dense.capacity() < room) {
      dense = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
    }
    int at = 0;
    int rows = 0;
    while (at < in.limit()) {
      rows += readLevels(in, at) ? 1 : 0;
      at += controlBytes;
      if (definition[entries] <= maxVisible) {
        checkSize(in, at, width);
        dense.put(items * width, in, at, width);
        at += width;
        items++;
      }
      entries++;
      if (entries == repetition.length || items == batchItems) {
        flushFixed();
      }
    }
    flushFixed();
    return rows;
  }

  private void flushFixed() {
    if (items > 0) {
      sink.items().append(page.rowCodec().decode(dense, items, false), 0, items);
    }
    flushLevels();
  }

  /** Decodes items of any length and returns the number of rows. */
  private int decodeVariable(ByteBuffer in) {
    if (starts == null || starts.length < repetition.length) {
      starts = new int[repetition.length];
      lengths = new int[repetition.length];
    }
    int at = 0;
    int rows = 0;
    int batchStart = 0;
    while (at < in.limit()) {
      rows += readLevels(in, at) ? 1 : 0;
      at += controlBytes;
      int level = definition[entries++];
      if (level == 0) {
        int length = readLength(in, at);
        at += page.lengthBytes();
        starts[items] = at;
        lengths[items++] = length;
        at += length;
      } else if (level <= maxVisible) {
        starts[items] = at;
        lengths[items++] = ZipCodec.NULL;
      }
      if (entries == repetition.length || at - batchStart >= BATCH_BYTES) {
        flushVariable(in);
        batchStart = at;
      }
    }
    flushVariable(in);
    return rows;
  }

  private int readLength(ByteBuffer in, int at) {
    checkSize(in, at, page.lengthBytes());
    long length =
        page.lengthBytes() == Integer.BYTES
            ? Integer.toUnsignedLong(in.getInt(at))
            : in.getLong(at);
    checkSize(in, at + page.lengthBytes(), length);
    return (int) length;
  }

  private void flushVariable(ByteBuffer in) {
    if (items > 0) {
      sink.items().append(page.valueCodec().decode(in, starts, lengths, items), 0, items);
    }
    flushLevels();
  }

  private void flushLevels() {
    short[] rep = maxRepetition > 0 ? repetition : null;
    short[] def = page.definitionBits() > 0 ? definition : null;
    sink.levels().append(rep, def, 0, entries);
    entries = 0;
    items = 0;
  }

  /** Reads the levels of the next entry and returns whether a row begins there. */
  private boolean readLevels(ByteBuffer in, int at) {
    checkSize(in, at, controlBytes);
    int word =
        switch (controlBytes) {
          case 0 -> 0;
          case 1 -> in.get(at) & 0xff;
          case 2 -> in.getShort(at) & 0xffff;
          default -> in.getInt(at);
        };
    int bits = page.definitionBits();
    int rep = word >>> bits;
    if (rep > maxRepetition) {
      throw new IllegalArgumentException(
          "repetition level " + rep + " where the highest is " + maxRepetition);
    }
    repetition[entries] = (short) rep;
    definition[entries] = page.layers().translate(word & ((1 << bits) - 1));
    return rep == maxRepetition;
  }

  private static void checkSize(ByteBuffer in, int at, long needed) {
    if (needed < 0 || needed > in.limit() - at) {
      throw new IllegalArgumentException(
          "an item of " + needed + " bytes where " + (in.limit() - at) + " are left");
    }
  }
}
