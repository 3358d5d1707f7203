package dev.lance4j.compaction;

import dev.lance4j.index.IndexSegment;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * The state of a version of a table, as far as it tells whether the table needs care. Its text is a
 * table for people.
 *
 * @param version of the table
 * @param fragments each of its fragments
 * @param indices each of its indices
 * @param remapBacklog rewrites that some index has not caught up with, whose addresses readers must
 *     translate
 * @param remapBacklogRows rows that moved in these, once for each time
 */
public record MaintenanceReport(
    long version,
    List<FragmentState> fragments,
    List<IndexState> indices,
    int remapBacklog,
    long remapBacklogRows) {
  public MaintenanceReport {
    fragments = List.copyOf(fragments);
    indices = List.copyOf(indices);
  }

  /**
   * A fragment.
   *
   * @param id of the fragment
   * @param liveRows rows that are not deleted
   * @param deletedRows rows that are, and whose values are still stored
   * @param bytes of its data files, as far as the table records them
   * @param small whether it has fewer rows than fragments should have
   */
  public record FragmentState(
      long id, long liveRows, long deletedRows, long bytes, boolean small) {}

  /**
   * An index.
   *
   * @param name of the index
   * @param type the kind of index
   * @param indexedRows live rows that a segment covers
   * @param unindexedRows live rows that no segment covers, which queries scan
   * @param segments its segments
   */
  public record IndexState(
      String name, String type, long indexedRows, long unindexedRows, List<SegmentState> segments) {
    public IndexState {
      segments = List.copyOf(segments);
    }

    /** Which part of the live rows no segment covers, from 0 to 1. */
    public double unindexedRatio() {
      long rows = indexedRows + unindexedRows;
      return rows == 0 ? 0 : (double) unindexedRows / rows;
    }

    /** The size of all segments in bytes, as far as the table records it. */
    public long bytes() {
      return segments.stream().mapToLong(SegmentState::bytes).sum();
    }
  }

  /**
   * A segment of an index.
   *
   * @param uuid names it
   * @param rows live rows that it covers
   * @param bytes its size, or 0 if that is not recorded; see {@link IndexSegment#sizeBytes}
   */
  public record SegmentState(UUID uuid, long rows, long bytes) {}

  /** The number of live rows. */
  public long liveRows() {
    return fragments.stream().mapToLong(FragmentState::liveRows).sum();
  }

  /** The number of deleted rows whose values are still stored. */
  public long deletedRows() {
    return fragments.stream().mapToLong(FragmentState::deletedRows).sum();
  }

  /** The number of fragments with fewer rows than fragments should have. */
  public long smallFragments() {
    return fragments.stream().filter(FragmentState::small).count();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "version %d: %,d rows in %,d fragments (%,d small), %,d deleted rows",
        version,
        liveRows(),
        fragments.size(),
        smallFragments(),
        deletedRows());
    for (IndexState index : indices) {
      line(
          text,
          "%s %s: %,d segments, %,d bytes, %,d rows indexed, %,d not (%.1f %%)",
          index.type(),
          index.name(),
          index.segments().size(),
          index.bytes(),
          index.indexedRows(),
          index.unindexedRows(),
          100 * index.unindexedRatio());
    }
    if (remapBacklog > 0) {
      line(
          text,
          "%,d rewrites that indices have not caught up with, of %,d rows",
          remapBacklog,
          remapBacklogRows);
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(text.isEmpty() ? "" : "\n").append(String.format(Locale.ROOT, format, values));
  }
}
