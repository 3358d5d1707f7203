package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The {@code dictionary} encoding of a string field: index 0 is null, others count the items from 1.
 */
record StringDictionaryArray(Field field, PageIndices indices, PageArray items, int itemCount)
    implements PageArray {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(rows, indices.read(rows), items.read(RowRanges.of(0, itemCount)));
  }

  private final class Read implements FieldRead {
    private final RowRanges rows;
    private final FixedWidthRead indicesRead;
    private final FieldRead itemsRead;

    Read(RowRanges rows, FixedWidthRead indicesRead, FieldRead itemsRead) {
      this.rows = rows;
      this.indicesRead = indicesRead;
      this.itemsRead = itemsRead;
    }

    @Override
    public boolean request(RangeRequests requests) {
      return indicesRead.request(requests) | itemsRead.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      int[] picks = indices.values(rows, indicesRead, itemCount + 1L);
      for (int i = 0; i < picks.length; i++) {
        picks[i] = picks[i] == 0 ? ArrayGather.NULL : picks[i] - 1;
      }
      try (ArrayData dictionary = itemsRead.decode(allocator)) {
        return ArrayGather.of(field, dictionary, picks, allocator);
      }
    }
  }
}
