package dev.lance4j.index;

import dev.lance4j.table.IndexFile;
import dev.lance4j.table.IndexMetadata;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;

/**
 * A part of an index: immutable files that answer for some fragments. It may be built anywhere and
 * is part of the table once it is committed.
 *
 * @param metadata as tables record it
 */
public record IndexSegment(IndexMetadata metadata) implements Serializable {
  /** Names the segment. */
  public UUID uuid() {
    return metadata.uuid();
  }

  /** The fragments that the segment covers, ascending; some may no longer exist. */
  public List<Long> fragmentIds() {
    RoaringBitmap fragments = metadata.fragments().orElseGet(RoaringBitmap::new);
    List<Long> ids = new ArrayList<>(fragments.getCardinality());
    for (int id : fragments) {
      ids.add(Integer.toUnsignedLong(id));
    }
    return ids;
  }

  /** The size of the segment's files in bytes; 0 if it is not known. */
  public long sizeBytes() {
    return metadata.files().stream().mapToLong(IndexFile::sizeBytes).sum();
  }
}
