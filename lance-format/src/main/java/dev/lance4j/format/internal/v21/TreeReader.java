package dev.lance4j.format.internal.v21;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Reads a field through the columns of its leaves. */
final class TreeReader implements FieldReader {
  private final FieldNode root;
  private final List<LeafColumn> leaves;

  TreeReader(FieldNode root, List<LeafColumn> leaves) {
    this.root = root;
    this.leaves = List.copyOf(leaves);
  }

  @Override
  public FieldRead read(RowRanges rows) {
    List<LeafRead> reads = new ArrayList<>(leaves.size());
    for (LeafColumn leaf : leaves) {
      reads.add(leaf.read(rows));
    }
    return new TreeRead(reads, Math.toIntExact(rows.rows()));
  }

  private final class TreeRead implements FieldRead {
    private final List<LeafRead> reads;
    private final int rows;

    TreeRead(List<LeafRead> reads, int rows) {
      this.reads = reads;
      this.rows = rows;
    }

    @Override
    public boolean request(RangeRequests requests) {
      boolean asked = false;
      for (LeafRead read : reads) {
        asked |= read.request(requests);
      }
      return asked;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      ReadContext context = new ReadContext(reads, allocator);
      if (root instanceof FieldNode.Absent absent) {
        return absent.nulls(rows, context);
      }
      ArrayData data = root.assemble(context).data();
      if (data.length() != rows) {
        data.close();
        throw leaves
            .get(0)
            .corrupt("it has " + data.length() + " values for " + rows + " rows", null);
      }
      return data;
    }
  }
}
