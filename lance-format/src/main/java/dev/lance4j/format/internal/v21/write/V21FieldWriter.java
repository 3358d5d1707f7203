package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
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
  /** Leaves room for what encodings add. */
  private static final long MAX_ROW_BYTES = Integer.MAX_VALUE - (16L << 20);

  private final String name;
  private final FieldNode root;
  private final long maxBatchBytes;
  private final List<LeafColumn> columns = new ArrayList<>();

  V21FieldWriter(
      FieldTree tree,
      FileVersion version,
      BufferAllocator allocator,
      BufferSink sink,
      PageLimits limits) {
    this.name = tree.name();
    this.root = tree.root();
    long pages = Math.multiplyExact(limits.maxPageBytes(), tree.leaves().size());
    this.maxBatchBytes = Math.min(pages, MAX_ROW_BYTES);
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
    long bytes = root.bytes(rows, from, from + count);
    while (count > 1 && bytes > maxBatchBytes) {
      count = (count + 1) / 2;
      bytes = root.bytes(rows, from, from + count);
    }
    if (bytes > MAX_ROW_BYTES) {
      throw new InvalidInputException(
          "Field '" + name + "' has a row of about " + bytes + " bytes; at most 2 GiB");
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
