package dev.lance4j.rowid.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.rowid.RowAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Addresses of live rows by row id.
 *
 * <p>Rows whose ids follow a pattern stay in the segments that they came in: a look-up computes
 * their position, and a segment costs the same for one row and for a million. Segments overlap
 * where rows were moved, so they are in a few layers without overlaps. All other rows are in one
 * sorted table. A look-up therefore visits a bounded number of places, however often rows were
 * moved.
 */
public final class LiveRowIndex {
  private static final int MAX_LAYERS = 3;

  private final String table;
  private final List<IdLayer> layers;
  private final IdTable scattered;
  private final long rows;

  private LiveRowIndex(String table, List<IdLayer> layers, IdPairs scattered, long rows) {
    this.table = table;
    this.layers = layers;
    this.rows = rows;
    requireDistinct(scattered);
    this.scattered = new IdTable(scattered);
  }

  /** Collects the rows of fragments. */
  public static final class Builder {
    private final String table;
    private final List<LiveRows> patterned = new ArrayList<>();
    private final List<LiveRows> others = new ArrayList<>();

    /**
     * A builder without rows.
     *
     * @param table the path of the table, for errors
     */
    public Builder(String table) {
      this.table = table;
    }

    /** Adds a part of a fragment. */
    public void add(LiveRows part) {
      if (part.live() > 0) {
        (isPatterned(part) ? patterned : others).add(part);
      }
    }

    private static boolean isPatterned(LiveRows part) {
      return !(part.segment() instanceof ArraySegment)
          && !(part.segment() instanceof SortedArraySegment)
          && IdLayer.chunkBytes(part) <= part.live() * IdTable.ID_BYTES;
    }

    /**
     * The index of all rows added.
     *
     * @throws CorruptFileException if two live rows have the same id
     */
    public LiveRowIndex build() {
      long rows = live(patterned) + live(others);
      List<IdLayer> layers = layers();
      IdPairs scattered = new IdPairs(Math.toIntExact(live(others)));
      for (LiveRows part : others) {
        part.forEach(scattered::add);
      }
      scattered.sort();
      return new LiveRowIndex(table, layers, scattered, rows);
    }

    // Each segment goes to the first layer that has room for it, and those that are cheapest to
    // look
    // at and have most rows go first.
    private List<IdLayer> layers() {
      patterned.sort(
          Comparator.comparing((LiveRows part) -> part.segment() instanceof RangeWithBitmapSegment)
              .thenComparing(Comparator.comparingLong(LiveRows::live).reversed()));
      List<IdLayer.Builder> layers = new ArrayList<>();
      for (int i = 0; i < MAX_LAYERS; i++) {
        layers.add(new IdLayer.Builder());
      }
      for (LiveRows part : patterned) {
        if (layers.stream().noneMatch(layer -> layer.add(part))) {
          others.add(part);
        }
      }
      return layers.stream().filter(layer -> !layer.isEmpty()).map(IdLayer.Builder::build).toList();
    }

    private static long live(List<LiveRows> parts) {
      return parts.stream().mapToLong(LiveRows::live).sum();
    }
  }

  private void requireDistinct(IdPairs scatteredRows) {
    for (int i = 0; i < scatteredRows.size(); i++) {
      long rowId = scatteredRows.rowId(i);
      if (i > 0 && scatteredRows.rowId(i - 1) == rowId) {
        throw twice(table, rowId, scatteredRows.value(i - 1), scatteredRows.value(i));
      }
      requireMissing(rowId, scatteredRows.value(i), layers.size());
    }
    for (int i = 1; i < layers.size(); i++) {
      int layersBefore = i;
      layers.get(i).forEach((rowId, rowAddress) -> requireMissing(rowId, rowAddress, layersBefore));
    }
  }

  private void requireMissing(long rowId, long rowAddress, int inLayers) {
    for (int i = 0; i < inLayers; i++) {
      long other = layers.get(i).rowAddress(rowId);
      if (other != RowAddress.NONE) {
        throw twice(table, rowId, other, rowAddress);
      }
    }
  }

  /** The error of two live rows with the same id. */
  public static CorruptFileException twice(
      String table, long rowId, long rowAddress, long otherAddress) {
    return new CorruptFileException(
        table,
        -1,
        "stable row id "
            + Long.toUnsignedString(rowId)
            + " is live twice: at "
            + RowAddress.describe(rowAddress)
            + " and at "
            + RowAddress.describe(otherAddress));
  }

  /** The address of the live row with an id, or {@link RowAddress#NONE}. */
  public long rowAddress(long rowId) {
    for (int i = 0; i < layers.size(); i++) {
      long rowAddress = layers.get(i).rowAddress(rowId);
      if (rowAddress != RowAddress.NONE) {
        return rowAddress;
      }
    }
    return scattered.get(rowId);
  }

  /** The number of live rows. */
  public long rows() {
    return rows;
  }

  /** Bytes of memory, without the bitmaps of deleted rows. */
  public long memoryBytes() {
    return layers.stream().mapToLong(IdLayer::memoryBytes).sum() + scattered.memoryBytes();
  }
}
