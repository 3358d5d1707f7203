package dev.lance4j.compaction.internal;

import dev.lance4j.rowid.AddressMap;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.IndexMetadata;
import java.util.Optional;

/** Translates the row addresses that index segments hold. */
public interface IndexRemap {
  /** Translates no kind of index. */
  IndexRemap NONE = (source, segment, moves) -> Optional.empty();

  /**
   * Writes a segment anew with other addresses, without the rows that are gone.
   *
   * @param source a version that has the segment
   * @param moves where the rows went whose addresses the segment's files hold
   * @return the segment in its new directory; nothing if segments of its kind cannot be translated,
   *     which then cover no row that moved
   */
  Optional<IndexMetadata> remap(Scan.Source source, IndexMetadata segment, AddressMap moves);
}
