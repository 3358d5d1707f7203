package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The {@code dictionary} encoding of a string field: index 0 is null, others count the items from
 * 1.
 *
 * @param wide whether the Arrow offsets have 64 bits
 */
record StringDictionaryArray(PageIndices indices, PageArray items, int itemCount, boolean wide)
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
      int[] picks = indices(itemCount + 1L);
      try (ArrayData dictionary = items().decode(allocator);
          OwnedBuffers owned = new OwnedBuffers(allocator)) {
        int[] starts = starts(dictionary);
        int[] lengths = new int[picks.length];
        int nulls = 0;
        for (int i = 0; i < picks.length; i++) {
          int item = picks[i] - 1;
          boolean valid = item >= 0 && dictionary.isValid(item);
          lengths[i] = valid ? starts[item + 1] - starts[item] : -1;
          nulls += valid ? 0 : 1;
        }
        RowSlots slots = new RowSlots(new long[picks.length], lengths, nulls);
        ArrowBuf validity = slots.validity(owned);
        ArrowBuf offsets = slots.offsets(wide, owned);
        ArrowBuf text = gather(dictionary.buffer(2), starts, picks, lengths, owned);
        ArrowBuf[] buffers = {validity, offsets, text};
        return owned.release(new ArrayData(picks.length, nulls, buffers));
      }
    }

    private int[] starts(ArrayData dictionary) {
      int[] starts = new int[dictionary.length() + 1];
      for (int i = 1; i < starts.length; i++) {
        starts[i] =
            wide
                ? Math.toIntExact(dictionary.buffer(1).getLong((long) i * Long.BYTES))
                : dictionary.buffer(1).getInt((long) i * Integer.BYTES);
      }
      return starts;
    }

    private static ArrowBuf gather(
        ArrowBuf items, int[] starts, int[] picks, int[] lengths, OwnedBuffers owned) {
      long total = 0;
      for (int length : lengths) {
        total += Math.max(0, length);
      }
      int bytes = ReadLimits.count(total);
      ArrowBuf text = owned.allocate(bytes);
      ByteBuffer target = text.nioBuffer(0, bytes);
      ByteBuffer source = items.nioBuffer(0, starts[starts.length - 1]);
      int at = 0;
      for (int i = 0; i < picks.length; i++) {
        if (lengths[i] > 0) {
          target.put(at, source, starts[picks[i] - 1], lengths[i]);
          at += lengths[i];
        }
      }
      return text;
    }
  }
}
