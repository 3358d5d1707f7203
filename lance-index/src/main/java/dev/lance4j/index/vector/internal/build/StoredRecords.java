package dev.lance4j.index.vector.internal.build;

import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.vector.internal.search.Partition;
import dev.lance4j.index.vector.internal.search.PartitionCache;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The rows of a partition of another segment, without those that are gone. */
final class StoredRecords implements PartitionRecords {
  private static final int PIECE = 256;

  private final OldRows old;
  private final int partition;
  private final int recordBytes;
  private int count = -1;

  StoredRecords(OldRows old, int partition, int recordBytes) {
    this.old = old;
    this.partition = partition;
    this.recordBytes = recordBytes;
  }

  @Override
  public int count() {
    if (count < 0) {
      int kept = 0;
      if (old.partitions().rows(partition) > 0) {
        try (PartitionCache.Use use = old.partitions().use(partition)) {
          for (long rowId : use.partition().rowIds()) {
            kept += old.rows().translate(rowId) == RowTranslation.GONE ? 0 : 1;
          }
        }
      }
      count = kept;
    }
    return count;
  }

  @Override
  public void forEach(Visitor visitor) {
    if (count() == 0) {
      return;
    }
    try (PartitionCache.Use use = old.partitions().use(partition)) {
      Partition rows = use.partition();
      byte[] piece = new byte[PIECE * recordBytes];
      ByteBuffer ids = ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN);
      int filled = 0;
      for (int row = 0; row < rows.size(); row++) {
        long rowId = old.rows().translate(rows.rowId(row));
        if (rowId == RowTranslation.GONE) {
          continue;
        }
        ids.putLong(filled * recordBytes, rowId);
        rows.copyCode(row, piece, filled * recordBytes + Long.BYTES);
        if (++filled == PIECE) {
          visitor.visit(piece, 0, filled);
          filled = 0;
        }
      }
      visitor.visit(piece, 0, filled);
    }
  }
}
