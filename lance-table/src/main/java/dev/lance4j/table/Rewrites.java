package dev.lance4j.table;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.rowid.AddressMap;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/**
 * What rewrites that indices have not caught up with mean for the indices of a version.
 *
 * @param indices all segments as covering the fragments where their rows are now
 * @param moves where the rows are whose addresses they hold
 */
record Rewrites(List<IndexMetadata> indices, AddressMap moves) {
  Rewrites {
    indices = List.copyOf(indices);
  }

  static Rewrites of(TableVersion version) {
    try {
      Optional<FragmentReuse> reuse = FragmentReuse.of(version);
      return reuse.isEmpty()
          ? new Rewrites(version.indices(), AddressMap.IDENTITY)
          : new Rewrites(reuse.get().applyTo(version.indices()), reuse.get().addressMap());
    } catch (UnsupportedFormatException e) {
      return new Rewrites(
          version.indices().stream().map(Rewrites::coveringNothing).toList(), AddressMap.IDENTITY);
    }
  }

  private static IndexMetadata coveringNothing(IndexMetadata index) {
    return index.isSystem() ? index : index.withFragments(new RoaringBitmap());
  }
}
