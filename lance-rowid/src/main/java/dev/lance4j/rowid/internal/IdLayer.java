package dev.lance4j.rowid.internal;

import dev.lance4j.rowid.RowAddress;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Segments of row ids whose ranges do not overlap, by their smallest id; at least one. */
final class IdLayer {
  private static final int OBJECT_BYTES = 48;
  private static final int CHUNK_BYTES = 12;

  private final long[] starts;
  private final LiveRows[] chunks;

  private IdLayer(Collection<LiveRows> ascending) {
    this.starts = new long[ascending.size()];
    this.chunks = ascending.stream().map(LiveRows::prepared).toArray(LiveRows[]::new);
    for (int i = 0; i < starts.length; i++) {
      starts[i] = chunks[i].segment().min();
    }
  }

  /** Collects segments as long as they do not overlap. */
  static final class Builder {
    private final TreeMap<Long, LiveRows> chunksByStart = new TreeMap<>(Long::compareUnsigned);

    /** Adds rows; false if their range of ids overlaps with that of others. */
    boolean add(LiveRows rows) {
      Map.Entry<Long, LiveRows> before = chunksByStart.floorEntry(rows.segment().max());
      if (before != null
          && Long.compareUnsigned(before.getValue().segment().max(), rows.segment().min()) >= 0) {
        return false;
      }
      chunksByStart.put(rows.segment().min(), rows);
      return true;
    }

    boolean isEmpty() {
      return chunksByStart.isEmpty();
    }

    IdLayer build() {
      return new IdLayer(chunksByStart.values());
    }
  }

  /** The address of the row with an id, or {@link RowAddress#NONE}. */
  long rowAddress(long rowId) {
    // Halves without a branch that depends on the id: no processor could foresee it.
    int chunk = 0;
    for (int size = starts.length; size > 1; ) {
      int half = size >>> 1;
      chunk = Long.compareUnsigned(starts[chunk + half], rowId) <= 0 ? chunk + half : chunk;
      size -= half;
    }
    return chunks[chunk].rowAddress(rowId);
  }

  void forEach(LiveRows.Visitor visitor) {
    for (LiveRows chunk : chunks) {
      chunk.forEach(visitor);
    }
  }

  /** Bytes of memory that one more chunk takes. */
  static long chunkBytes(LiveRows rows) {
    return CHUNK_BYTES + rows.memoryBytes();
  }

  long memoryBytes() {
    long bytes = OBJECT_BYTES;
    for (LiveRows chunk : chunks) {
      bytes += chunkBytes(chunk);
    }
    return bytes;
  }
}
