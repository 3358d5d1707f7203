package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Splits the rows of one top-level field into its leaves' columns. */
final class V21FieldWriter implements FieldWriter {
  private final FieldNode root;
  private final long maxBatchBytes;
  private final List<LeafColumn> columns = new ArrayList<>();

  V21FieldWriter(
      FieldTree tree,
      FileVersion version,
      BufferAllocator allocator,
      BufferSink sink,
      PageLimits limits) {
    this.root = tree.root();
    this.maxBatchBytes = Math.multiplyExact(limits.maxPageBytes(), tree.leaves().size());
    for (Leaf leaf : tree.leaves()) {
      columns.add(new LeafColumn(leaf, version, limits, sink, allocator));
    }
  }

  @Override
  public void append(ArrayData rows) {
    root.check(rows);
    int from = 0;
    while (from < rows.length()) {
      int to = endOfBatch(rows, from);
      List<LeafBatch> batches = new ArrayList<>(columns.size());
      root.shred(rows, Slots.rows(from, to), to - from, batches);
      for (int i = 0; i < batches.size(); i++) {
        columns.get(i).append(batches.get(i));
      }
      from = to;
    }
  }

  /** As many rows as fit into the largest pages, at least one. */
  private int endOfBatch(ArrayData rows, int from) {
    int count = rows.length() - from;
    while (count > 1 && root.bytes(rows, from, from + count) > maxBatchBytes) {
      count = (count + 1) / 2;
    }
    return from + count;
  }

  @Override
  public void finish() {
    columns.forEach(LeafColumn::finish);
  }

  @Override
  public List<ColumnMetadata> columns() {
    return columns.stream().map(LeafColumn::metadata).toList();
  }

  @Override
  public void close() {
    columns.forEach(LeafColumn::close);
  }
}
