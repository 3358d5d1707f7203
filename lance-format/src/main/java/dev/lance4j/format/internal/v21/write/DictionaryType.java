package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Keys into a dictionary.
 *
 * @param keyBits the width of the keys
 * @param signed whether keys are signed; negative ones are errors
 * @param values the dictionary's values
 */
record DictionaryType(int keyBits, boolean signed, LeafType values) implements LeafType {
  @Override
  public void check(ArrayData array, String path) {
    Check.layout(array, 2, 0, path);
    Check.capacity(array.buffer(1), (long) array.length() * (keyBits >> 3), "keys", path);
    if (array.dictionary() == null) {
      throw new InvalidInputException(
          "Field '" + path + "' came without its dictionary; pass the provider that holds it");
    }
    values.check(array.dictionary(), path);
    for (int i = 0; i < array.length(); i++) {
      if (array.isValid(i) && !isKey(key(array, i), array.dictionary().length())) {
        throw new InvalidInputException(
            "Field '"
                + path
                + "' has the key "
                + key(array, i)
                + " at value "
                + i
                + ", outside its dictionary of "
                + array.dictionary().length()
                + " values");
      }
    }
  }

  private static boolean isKey(long key, int length) {
    return key >= 0 && key < length;
  }

  private long key(ArrayData array, int i) {
    return switch (keyBits) {
      case 8 -> signed ? array.buffer(1).getByte(i) : array.buffer(1).getByte(i) & 0xFF;
      case 16 ->
          signed ? array.buffer(1).getShort(2L * i) : array.buffer(1).getShort(2L * i) & 0xFFFF;
      case 32 ->
          signed ? array.buffer(1).getInt(4L * i) : array.buffer(1).getInt(4L * i) & 0xFFFFFFFFL;
      default -> array.buffer(1).getLong(8L * i);
    };
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return (long) (to - from) * (keyBits >> 3);
  }

  /** Null keys and keys of null values are both nulls. */
  @Override
  public ByteBuffer validity(ArrayData array) {
    ArrayData dictionary = array.dictionary();
    if (dictionary.nullCount() == 0) {
      return Slots.validity(array);
    }
    ByteBuffer bits = Buffers.heap(Bits.bytes(array.length()));
    for (int i = 0; i < array.length(); i++) {
      Bits.set(bits, i, array.isValid(i) && dictionary.isValid((int) key(array, i)));
    }
    return bits;
  }

  @Override
  public DictionaryBlock block(ArrayData array, Slots slots, String path) {
    FixedBlock keys = new FixedType(keyBits).gather(array, slots.runs());
    if (slots.hasNullSlots()) {
      keys = zeroed(keys, slots.validSlots());
    }
    return new DictionaryBlock(keys, dictionary(array.dictionary(), path));
  }

  /** A copy with key 0 where the slot is null, because what lies there need not be a key. */
  private static FixedBlock zeroed(FixedBlock keys, boolean[] valid) {
    ByteBuffer copy = Buffers.heap(keys.bytes());
    for (int i = 0; i < valid.length; i++) {
      if (valid[i]) {
        copy.put(i * keys.width(), keys.values(), i * keys.width(), keys.width());
      }
    }
    return new FixedBlock(keys.bits(), keys.count(), copy);
  }

  private LeafBlock dictionary(ArrayData dictionary, String path) {
    Slots slots =
        Slots.rows(0, dictionary.length()).nulls(values.validity(dictionary), 0, true, path);
    return values.block(dictionary, slots, path);
  }

  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new DictionaryBuffer(keyBits, values.buffer(allocator), allocator);
  }
}
