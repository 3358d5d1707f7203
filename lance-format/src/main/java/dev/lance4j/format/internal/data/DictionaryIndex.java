package dev.lance4j.format.internal.data;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Numbers the different values of dictionaries in order of first appearance. */
public final class DictionaryIndex {
  private final Field values;
  private final boolean binary;
  private final boolean wide;
  private final int bits;
  private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
  private final List<Integer> positions = new ArrayList<>();
  private int seen;
  private int nullNumber = -1;

  /**
   * @param values the type of the dictionaries: fixed-width, string or binary
   */
  public DictionaryIndex(Field values) {
    this.values = values;
    ArrayLayout layout = ArrayLayout.of(values);
    this.binary = layout.isVariable();
    this.wide = layout.hasLongOffsets();
    this.bits = layout.bits();
  }

  /** The values of a dictionary field as a field of their own. */
  public static Field values(Field dictionaryField) {
    FieldType type = FieldType.nullable(dictionaryField.getType());
    return new Field(dictionaryField.getName(), type, null);
  }

  /** The number of different values so far, null counting as one. */
  public int size() {
    return positions.size();
  }

  /** The number of the null value, or -1 when there is none so far. */
  public int nullNumber() {
    return nullNumber;
  }

  /** How many values of a dictionary are not known yet; repeated ones count each time. */
  public int countNew(ArrayData dictionary) {
    int fresh = 0;
    for (int i = 0; i < dictionary.length(); i++) {
      boolean known =
          dictionary.isValid(i) ? numbers.containsKey(key(dictionary, i)) : nullNumber >= 0;
      fresh += known ? 0 : 1;
    }
    return fresh;
  }

  /**
   * Adds the values of one more dictionary.
   *
   * @return for each of its values the number it has here
   */
  public int[] addAll(ArrayData dictionary) {
    return add(dictionary, null);
  }

  /**
   * Adds those values of one more dictionary that rows use.
   *
   * @param keys of the rows that are valid; each is in the dictionary
   * @return for each of its values the number it has here, or -1
   */
  int[] addUsed(ArrayData dictionary, BitSet keys) {
    return add(dictionary, keys);
  }

  private int[] add(ArrayData dictionary, BitSet used) {
    int[] result = new int[dictionary.length()];
    for (int i = 0; i < result.length; i++) {
      if (used != null && !used.get(i)) {
        result[i] = -1;
      } else {
        result[i] = dictionary.isValid(i) ? number(key(dictionary, i)) : addNull();
      }
      seen++;
    }
    return result;
  }

  private int number(ByteBuffer key) {
    Integer known = numbers.putIfAbsent(key, positions.size());
    if (known != null) {
      return known;
    }
    positions.add(seen);
    return positions.size() - 1;
  }

  private int addNull() {
    if (nullNumber < 0) {
      nullNumber = positions.size();
      positions.add(seen);
    }
    return nullNumber;
  }

  private ByteBuffer key(ArrayData dictionary, int i) {
    if (binary) {
      long start = ArrayConcat.offset(dictionary, i, wide);
      int length = Math.toIntExact(ArrayConcat.offset(dictionary, i + 1, wide) - start);
      return copy(dictionary.buffer(2), start, length);
    }
    if (bits == 1) {
      int bit = dictionary.buffer(1).getByte(i >> 3) >> (i & 7) & 1;
      return ByteBuffer.wrap(new byte[] {(byte) bit});
    }
    return copy(dictionary.buffer(1), (long) i * bits / 8, bits / 8);
  }

  private static ByteBuffer copy(ArrowBuf buffer, long start, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(start, bytes);
    return ByteBuffer.wrap(bytes);
  }

  /**
   * The different values in the order of their numbers.
   *
   * @param dictionaries all that were added, in order; borrowed
   */
  public ArrayData gather(List<ArrayData> dictionaries, BufferAllocator allocator) {
    try (ArrayData all = ArrayConcat.copy(values, dictionaries, allocator)) {
      int[] picks = positions.stream().mapToInt(Integer::intValue).toArray();
      return ArrayGather.gather(values, all, picks, allocator);
    }
  }
}
