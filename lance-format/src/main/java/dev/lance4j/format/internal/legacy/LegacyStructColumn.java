package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A struct: its children's pages of the same batches; it is never null. */
final class LegacyStructColumn implements LegacyColumn {
  private final List<LegacyColumn> children;

  LegacyStructColumn(List<LegacyColumn> children) {
    this.children = children;
  }

  @Override
  public FieldRead read(List<BatchRange> parts) {
    List<FieldRead> reads = new ArrayList<>(children.size());
    for (LegacyColumn child : children) {
      reads.add(child.read(parts));
    }
    int length = BatchRange.total(parts);
    return new FieldRead() {
      @Override
      public boolean request(RangeRequests requests) {
        boolean more = false;
        for (FieldRead read : reads) {
          more |= read.request(requests);
        }
        return more;
      }

      @Override
      public ArrayData decode(BufferAllocator allocator) {
        ArrayData[] arrays = new ArrayData[reads.size()];
        int done = 0;
        try {
          for (FieldRead read : reads) {
            arrays[done] = read.decode(allocator);
            done++;
          }
          return new ArrayData(length, 0, new ArrowBuf[] {null}, arrays);
        } finally {
          for (int i = 0; done < arrays.length && i < done; i++) {
            arrays[i].close();
          }
        }
      }
    };
  }
}
