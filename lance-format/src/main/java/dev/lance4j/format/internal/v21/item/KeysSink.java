package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Keys into dictionaries. The dictionaries of several pages become one after the other a single
 * dictionary; one that repeats an earlier one is not added again.
 */
final class KeysSink extends ItemSink {
  private final BufferAllocator allocator;
  private final ItemType.Keys type;
  private final GrowableBuffer keys;
  private final List<Dictionary> dictionaries = new ArrayList<>();
  private final List<Integer> shifts = new ArrayList<>();
  private int dictionarySize;

  KeysSink(BufferAllocator allocator, ItemType.Keys type, int expected) {
    this.allocator = allocator;
    this.type = type;
    this.keys = new GrowableBuffer(allocator, (long) expected * type.bits() / 8);
  }

  @Override
  void add(Block block, int from, int to) {
    throw misfit(block, "dictionary keys");
  }

  @Override
  void addIndexed(int[] indices, int from, int to, Dictionary dictionary) {
    int shift = shiftOf(dictionary);
    int n = to - from;
    int width = type.bits() / 8;
    ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(n, width));
    out.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = from; i < to; i++) {
      int key = indices[i] < 0 ? 0 : shift + indices[i];
      switch (width) {
        case 1 -> out.put((byte) key);
        case 2 -> out.putShort((short) key);
        case 4 -> out.putInt(key);
        default -> out.putLong(key);
      }
    }
    keys.append(out, 0, n * width);
  }

  private int shiftOf(Dictionary dictionary) {
    for (int i = 0; i < dictionaries.size(); i++) {
      if (dictionaries.get(i) == dictionary || dictionaries.get(i).sameItems(dictionary)) {
        return shifts.get(i);
      }
    }
    int shift = dictionarySize;
    int keyBits = type.signed() ? type.bits() - 1 : type.bits();
    long limit = Math.min(1L << Math.min(keyBits, 31), Integer.MAX_VALUE);
    if ((long) shift + dictionary.size() > limit) {
      throw new UnsupportedFormatException(
          "Pages with different dictionaries hold more values together than "
              + type.bits()
              + "-bit keys can number; read fewer rows at once");
    }
    dictionaries.add(dictionary);
    shifts.add(shift);
    dictionarySize += dictionary.size();
    return shift;
  }

  @Override
  void addEmpty(int n) {
    long at = keys.size();
    long length = (long) n * type.bits() / 8;
    keys.grow(length);
    if (length > 0) {
      keys.buffer().setZero(at, length);
    }
  }

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    try (ItemSink values = ItemSink.of(type.values(), allocator, dictionarySize)) {
      for (Dictionary dictionary : dictionaries) {
        values.append(dictionary.items(), 0, dictionary.size());
      }
      ArrayData dictionary = values.finish(null, 0);
      ArrowBuf[] buffers = {validity, keys.take()};
      return new ArrayData(count(), nulls, buffers, new ArrayData[0], dictionary);
    }
  }

  @Override
  public void close() {
    keys.close();
  }
}
