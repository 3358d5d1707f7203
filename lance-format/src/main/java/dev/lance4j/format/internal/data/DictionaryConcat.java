package dev.lance4j.format.internal.data;

import dev.lance4j.format.UnsupportedFormatException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Joins dictionary arrays, each with a dictionary of its own, into one with one dictionary. */
final class DictionaryConcat {
  private DictionaryConcat() {}

  static ArrayData copy(Field field, List<ArrayData> parts, BufferAllocator allocator) {
    Field values = DictionaryIndex.values(field);
    DictionaryIndex index = new DictionaryIndex(values);
    ArrowType.Int keyType = field.getDictionary().getIndexType();
    int width = keyType.getBitWidth() / 8;
    List<int[]> renumbered = new ArrayList<>(parts.size());
    List<ArrayData> dictionaries = new ArrayList<>(parts.size());
    for (ArrayData part : parts) {
      renumbered.add(index.addUsed(part.dictionary(), usedKeys(part, width)));
      dictionaries.add(part.dictionary());
    }
    int length = ArrayConcat.length(ArrayConcat.rows(parts), field);
    checkKeys(field, keyType, index.size());
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrowBuf validity = ArrayConcat.validity(parts, length, owned);
      ArrowBuf keys = owned.zeros((long) length * width);
      long row = 0;
      for (int p = 0; p < parts.size(); p++) {
        ArrayData part = parts.get(p);
        int[] newKeys = renumbered.get(p);
        for (int i = 0; i < part.length(); i++) {
          if (part.isValid(i)) {
            Keys.set(keys, row, width, newKeys[(int) Keys.get(part.buffer(1), i, width)]);
          }
          row++;
        }
      }
      ArrayData dictionary = owned.own(index.gather(dictionaries, allocator));
      return owned.release(
          new ArrayData(
              length,
              ArrayConcat.nulls(parts),
              new ArrowBuf[] {validity, keys},
              new ArrayData[0],
              dictionary));
    }
  }

  private static BitSet usedKeys(ArrayData part, int width) {
    BitSet used = new BitSet(part.dictionary().length());
    for (int i = 0; i < part.length(); i++) {
      if (part.isValid(i)) {
        used.set((int) Keys.get(part.buffer(1), i, width));
      }
    }
    return used;
  }

  private static void checkKeys(Field field, ArrowType.Int keyType, int values) {
    if (values - 1L > Keys.max(keyType)) {
      throw new UnsupportedFormatException(
          "Field '"
              + field.getName()
              + "' has "
              + values
              + " different values among the rows read, too many for one dictionary with keys of "
              + keyType.getBitWidth()
              + " bits; read fewer rows at a time");
    }
  }
}
