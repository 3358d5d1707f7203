package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.data.Keys;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The {@code dictionary} encoding of a dictionary field: indices count from 0, and a null is the
 * index of an item that is null.
 */
record DictionaryArray(Field field, PageIndices indices, PageArray items, int itemCount)
    implements PageArray {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(rows);
  }

  private final class Read extends DictionaryRead {
    Read(RowRanges rows) {
      super(indices, items, itemCount, rows);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      int[] picks = indices(itemCount);
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrayData dictionary = owned.own(items().decode(allocator));
        int nulls = markNulls(picks, dictionary);
        ArrowBuf validity = nulls == 0 ? null : validity(picks, owned);
        ArrowBuf keys = keys(picks, owned);
        ArrowBuf[] buffers = {validity, keys};
        return owned.release(
            new ArrayData(picks.length, nulls, buffers, new ArrayData[0], dictionary));
      }
    }

    /** Makes picks of null items -1; tells how many. */
    private static int markNulls(int[] picks, ArrayData dictionary) {
      if (dictionary.nullCount() == 0) {
        return 0;
      }
      int nulls = 0;
      for (int i = 0; i < picks.length; i++) {
        if (!dictionary.isValid(picks[i])) {
          picks[i] = -1;
          nulls++;
        }
      }
      return nulls;
    }

    private static ArrowBuf validity(int[] picks, OwnedBuffers owned) {
      ArrowBuf validity = owned.zeros(Bitmaps.bytes(picks.length));
      for (int i = 0; i < picks.length; i++) {
        if (picks[i] >= 0) {
          validity.setByte(i >> 3, validity.getByte(i >> 3) | (1 << (i & 7)));
        }
      }
      return validity;
    }

    private ArrowBuf keys(int[] picks, OwnedBuffers owned) {
      ArrowType.Int type = field.getDictionary().getIndexType();
      int width = type.getBitWidth() / 8;
      long max = Keys.max(type);
      ArrowBuf keys = owned.zeros((long) picks.length * width);
      for (int i = 0; i < picks.length; i++) {
        if (picks[i] > max) {
          throw indices.page().corrupt("key " + picks[i] + " does not fit the type " + type);
        }
        Keys.set(keys, i, width, Math.max(0, picks[i]));
      }
      return keys;
    }
  }
}
