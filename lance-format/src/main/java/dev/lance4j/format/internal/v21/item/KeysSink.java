package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Keys into dictionaries. The dictionaries of several pages become one after the other a single
 * dictionary; one that repeats an earlier one is not added again. When that has more values than
 * the keys can number, only the different values that items have are kept.
 */
final class KeysSink extends ItemSink {
  private final BufferAllocator allocator;
  private final ItemType.Keys type;
  private final int width;
  // While they are gathered keys take at least 32 bits.
  private final int stride;
  private final GrowableBuffer keys;
  private final List<Dictionary> dictionaries = new ArrayList<>();
  private final List<Integer> shifts = new ArrayList<>();
  private int dictionarySize;

  KeysSink(BufferAllocator allocator, ItemType.Keys type, int expected) {
    this.allocator = allocator;
    this.type = type;
    this.width = type.bits() / Byte.SIZE;
    this.stride = Math.max(Integer.BYTES, width);
    this.keys = new GrowableBuffer(allocator, (long) expected * stride);
  }

  @Override
  void add(Block block, int from, int to) {
    throw misfit(block, "dictionary keys");
  }

  @Override
  void addIndexed(int[] indices, int from, int to, Dictionary dictionary) {
    int shift = shiftOf(dictionary);
    int n = to - from;
    ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(n, stride));
    out.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = from; i < to; i++) {
      int key = indices[i] < 0 ? 0 : shift + indices[i];
      if (stride == Integer.BYTES) {
        out.putInt(key);
      } else {
        out.putLong(key);
      }
    }
    keys.append(out, 0, n * stride);
  }

  private int shiftOf(Dictionary dictionary) {
    for (int i = 0; i < dictionaries.size(); i++) {
      if (dictionaries.get(i) == dictionary || dictionaries.get(i).sameItems(dictionary)) {
        return shifts.get(i);
      }
    }
    int shift = dictionarySize;
    if (dictionary.size() > Integer.MAX_VALUE - shift) {
      throw tooManyValues();
    }
    dictionaries.add(dictionary);
    shifts.add(shift);
    dictionarySize += dictionary.size();
    return shift;
  }

  private UnsupportedFormatException tooManyValues() {
    return new UnsupportedFormatException(
        "The rows of one batch have more different values than "
            + type.bits()
            + "-bit keys can number; read fewer rows at once");
  }

  @Override
  void addEmpty(int n) {
    long at = keys.size();
    long length = (long) n * stride;
    keys.grow(length);
    if (length > 0) {
      keys.buffer().setZero(at, length);
    }
  }

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    try (ItemSink values = ItemSink.of(type.values(), allocator, 0)) {
      if (dictionarySize > mostValues()) {
        renumber(values, validity);
      } else {
        for (Dictionary dictionary : dictionaries) {
          values.append(dictionary.items(), 0, dictionary.size());
        }
      }
      ArrayData dictionary = values.finish(null, 0);
      ArrowBuf[] buffers = {validity, narrowed(keys.take())};
      return new ArrayData(count(), nulls, buffers, new ArrayData[0], dictionary);
    }
  }

  private long mostValues() {
    int keyBits = type.signed() ? type.bits() - 1 : type.bits();
    return Math.min(1L << Math.min(keyBits, 31), Integer.MAX_VALUE);
  }

  /** Numbers the different values of the valid items anew, in order of first appearance. */
  private void renumber(ItemSink values, ArrowBuf validity) {
    int[] numbers = new int[dictionarySize];
    Arrays.fill(numbers, -1);
    Map<ByteBuffer, Integer> known = new HashMap<>();
    ArrowBuf buffer = keys.buffer();
    for (int i = 0; i < count(); i++) {
      boolean valid = validity == null || (validity.getByte(i >> 3) >> (i & 7) & 1) != 0;
      int key = valid ? buffer.getInt((long) i * stride) : 0;
      if (valid && numbers[key] < 0) {
        numbers[key] = number(key, known, values);
      }
      buffer.setInt((long) i * stride, valid ? numbers[key] : 0);
    }
  }

  /** The new number of a value, which is appended if it is the first of its kind. */
  private int number(int key, Map<ByteBuffer, Integer> known, ItemSink values) {
    int part = shifts.size() - 1;
    while (shifts.get(part) > key) {
      part--;
    }
    Dictionary dictionary = dictionaries.get(part);
    int position = key - shifts.get(part);
    int fresh = known.size();
    Integer number = known.putIfAbsent(dictionary.item(position), fresh);
    if (number != null) {
      return number;
    }
    if (known.size() > mostValues()) {
      throw tooManyValues();
    }
    values.append(dictionary.items(), position, position + 1);
    return fresh;
  }

  /** Brings keys to the width of their type, in place. */
  private ArrowBuf narrowed(ArrowBuf wide) {
    if (width == Byte.BYTES) {
      for (int i = 0; i < count(); i++) {
        wide.setByte(i, wide.getInt((long) i * stride));
      }
    } else if (width == Short.BYTES) {
      for (int i = 0; i < count(); i++) {
        wide.setShort((long) i * Short.BYTES, wide.getInt((long) i * stride));
      }
    }
    wide.writerIndex((long) count() * width);
    return wide;
  }

  @Override
  public void close() {
    keys.close();
  }
}
