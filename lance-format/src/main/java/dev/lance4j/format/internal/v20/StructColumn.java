package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A struct, whose children have columns of their own. Version 2.0 does not store its nulls. */
record StructColumn(List<FieldReader> children) implements FieldReader {
  @Override
  public FieldRead read(RowRanges rows) {
    List<FieldRead> reads = children.stream().map(child -> child.read(rows)).toList();
    return new Read(ReadLimits.count(rows.rows()), reads);
  }

  private record Read(int rows, List<FieldRead> children) implements FieldRead {
    @Override
    public boolean request(RangeRequests requests) {
      boolean asked = false;
      for (FieldRead child : children) {
        asked |= child.request(requests);
      }
      return asked;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrayData[] arrays = new ArrayData[children.size()];
        for (int i = 0; i < arrays.length; i++) {
          arrays[i] = owned.own(children.get(i).decode(allocator));
        }
        return owned.release(new ArrayData(rows, 0, new ArrowBuf[] {null}, arrays));
      }
    }
  }
}
