package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Builds arrays buffer by buffer, so that tests decide what lies under nulls. */
final class TestArrays {
  private final BufferAllocator allocator;

  TestArrays(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** 32-bit values; null stands for a null over a zero. */
  ArrayData ints(Integer... values) {
    ArrowBuf data = allocator.buffer(Math.max(1, 4L * values.length));
    for (int i = 0; i < values.length; i++) {
      data.setInt(4L * i, values[i] == null ? 0 : values[i]);
    }
    return array(values.length, i -> values[i] != null, data);
  }

  /** Values of {@code width} bytes each, none null. */
  ArrayData fixed(int width, byte[] bytes) {
    ArrowBuf data = allocator.buffer(Math.max(1, bytes.length));
    data.setBytes(0, bytes);
    return new ArrayData(bytes.length / width, 0, new ArrowBuf[] {null, data});
  }

  ArrayData bools(Boolean... values) {
    ArrowBuf data = bitmap(values.length, i -> Boolean.TRUE.equals(values[i]));
    return array(values.length, i -> values[i] != null, data);
  }

  ArrayData floats(int count, Float fill) {
    ArrowBuf data = allocator.buffer(Math.max(1, 4L * count));
    for (int i = 0; i < count; i++) {
      data.setFloat(4L * i, fill + i);
    }
    return new ArrayData(count, 0, new ArrowBuf[] {null, data});
  }

  ArrayData strings(String... values) {
    return variable(false, values);
  }

  ArrayData largeStrings(String... values) {
    return variable(true, values);
  }

  private ArrayData variable(boolean wide, String... values) {
    int width = wide ? 8 : 4;
    ArrowBuf offsets = allocator.buffer((values.length + 1L) * width);
    byte[] bytes =
        String.join("", Arrays.stream(values).map(v -> v == null ? "" : v).toList())
            .getBytes(StandardCharsets.UTF_8);
    ArrowBuf data = allocator.buffer(Math.max(1, bytes.length));
    data.setBytes(0, bytes);
    long at = 0;
    for (int i = 0; i <= values.length; i++) {
      setOffset(offsets, wide, i, at);
      if (i < values.length && values[i] != null) {
        at += values[i].getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return withValidity(values.length, i -> values[i] != null, offsets, data);
  }

  private static void setOffset(ArrowBuf offsets, boolean wide, int i, long value) {
    if (wide) {
      offsets.setLong(8L * i, value);
    } else {
      offsets.setInt(4L * i, (int) value);
    }
  }

  /** Strings whose nulls lie over bytes: null where {@code valid} says no. */
  ArrayData stringsOver(IntPredicate valid, String... values) {
    ArrayData all = strings(values);
    return revalidated(all, valid);
  }

  /** 32-bit values whose nulls lie over values. */
  ArrayData intsOver(IntPredicate valid, Integer... values) {
    return revalidated(ints(values), valid);
  }

  private ArrayData revalidated(ArrayData all, IntPredicate valid) {
    ArrowBuf[] buffers = new ArrowBuf[all.bufferCount()];
    for (int i = 1; i < buffers.length; i++) {
      buffers[i] = all.buffer(i);
    }
    if (all.buffer(0) != null) {
      all.buffer(0).close();
    }
    buffers[0] = validity(all.length(), valid);
    return new ArrayData(all.length(), nulls(all.length(), valid), buffers);
  }

  /**
   * Lists over neighbouring items.
   *
   * @param valid which lists are not null
   * @param offsets where lists begin, and the last one ends
   */
  ArrayData lists(IntPredicate valid, int[] offsets, ArrayData items) {
    int length = offsets.length - 1;
    ArrowBuf buffer = allocator.buffer(4L * offsets.length);
    for (int i = 0; i < offsets.length; i++) {
      buffer.setInt(4L * i, offsets[i]);
    }
    return new ArrayData(
        length, nulls(length, valid), new ArrowBuf[] {validity(length, valid), buffer}, items);
  }

  ArrayData structs(int length, IntPredicate valid, ArrayData... children) {
    return new ArrayData(
        length, nulls(length, valid), new ArrowBuf[] {validity(length, valid)}, children);
  }

  ArrayData fixedLists(int length, IntPredicate valid, ArrayData items) {
    return structs(length, valid, items);
  }

  ArrayData nulls(int length) {
    return new ArrayData(length, length, new ArrowBuf[0]);
  }

  /** 8-bit keys; null stands for a null over key 99. */
  ArrayData keys(ArrayData dictionary, Integer... keys) {
    ArrowBuf data = allocator.buffer(Math.max(1, keys.length));
    for (int i = 0; i < keys.length; i++) {
      data.setByte(i, keys[i] == null ? 99 : keys[i]);
    }
    IntPredicate valid = i -> keys[i] != null;
    return new ArrayData(
        keys.length,
        nulls(keys.length, valid),
        new ArrowBuf[] {validity(keys.length, valid), data},
        new ArrayData[0],
        dictionary);
  }

  private ArrayData array(int length, IntPredicate valid, ArrowBuf data) {
    return new ArrayData(
        length, nulls(length, valid), new ArrowBuf[] {validity(length, valid), data});
  }

  private ArrayData withValidity(int length, IntPredicate valid, ArrowBuf offsets, ArrowBuf data) {
    return new ArrayData(
        length, nulls(length, valid), new ArrowBuf[] {validity(length, valid), offsets, data});
  }

  private static int nulls(int length, IntPredicate valid) {
    int nulls = 0;
    for (int i = 0; i < length; i++) {
      nulls += valid.test(i) ? 0 : 1;
    }
    return nulls;
  }

  private ArrowBuf validity(int length, IntPredicate valid) {
    return nulls(length, valid) == 0 ? null : bitmap(length, valid);
  }

  private ArrowBuf bitmap(int length, IntPredicate set) {
    ArrowBuf bits = allocator.buffer((length + 7) / 8 + 1L);
    bits.setZero(0, bits.capacity());
    for (int i = 0; i < length; i++) {
      if (set.test(i)) {
        bits.setByte(i >> 3, bits.getByte(i >> 3) | 1 << (i & 7));
      }
    }
    return bits;
  }
}
