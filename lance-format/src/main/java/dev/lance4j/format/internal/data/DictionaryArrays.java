package dev.lance4j.format.internal.data;

import dev.lance4j.format.InvalidInputException;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes dictionary arrays of plain ones. */
public final class DictionaryArrays {
  private DictionaryArrays() {}

  /**
   * Keys into the different values of an array.
   *
   * @param field a field with a dictionary
   * @param values of the dictionary's type; still owned by the caller
   * @return owned by the caller
   * @throws InvalidInputException if there are more different values than keys
   */
  public static ArrayData encode(Field field, ArrayData values, BufferAllocator allocator) {
    int length = values.length();
    BitSet valid = new BitSet(length);
    for (int i = 0; i < length; i++) {
      valid.set(i, values.isValid(i));
    }
    DictionaryIndex index = new DictionaryIndex(DictionaryIndex.values(field));
    int[] numbers = index.addUsed(values, valid);
    ArrowType.Int keyType = field.getDictionary().getIndexType();
    if (index.size() - 1L > Keys.max(keyType)) {
      throw new InvalidInputException(
          "Field '"
              + field.getName()
              + "' has "
              + index.size()
              + " different values in one batch, too many for a dictionary with keys of "
              + keyType.getBitWidth()
              + " bits");
    }
    int width = keyType.getBitWidth() / Byte.SIZE;
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrowBuf keys = owned.zeros((long) length * width);
      for (int i = valid.nextSetBit(0); i >= 0; i = valid.nextSetBit(i + 1)) {
        Keys.set(keys, i, width, numbers[i]);
      }
      ArrowBuf validity = values.validity();
      if (validity != null) {
        validity.getReferenceManager().retain();
        owned.own(validity);
      }
      ArrayData dictionary = owned.own(index.gather(List.of(values), allocator));
      return owned.release(
          new ArrayData(
              length,
              values.nullCount(),
              new ArrowBuf[] {validity, keys},
              new ArrayData[0],
              dictionary));
    }
  }
}
