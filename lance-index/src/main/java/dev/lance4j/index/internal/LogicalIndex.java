package dev.lance4j.index.internal;

import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * The segments of one name.
 *
 * @param name of the index
 * @param segments in the order of the manifest; at least one
 */
public record LogicalIndex(String name, List<IndexMetadata> segments) {
  public LogicalIndex {
    segments = List.copyOf(segments);
  }

  /** The indices of a version by name, those that the table keeps for itself left out. */
  public static Map<String, LogicalIndex> all(TableVersion version) {
    Map<String, List<IndexMetadata>> byName = new LinkedHashMap<>();
    for (IndexMetadata segment : version.currentIndices()) {
      if (!segment.isSystem()) {
        byName.computeIfAbsent(segment.name(), name -> new ArrayList<>()).add(segment);
      }
    }
    Map<String, LogicalIndex> indices = new TreeMap<>();
    byName.forEach((name, segments) -> indices.put(name, new LogicalIndex(name, segments)));
    return indices;
  }

  /** The fragments that a segment covers and that exist. */
  public static RoaringBitmap covered(IndexMetadata segment, TableVersion version) {
    RoaringBitmap covered = segment.fragments().orElseGet(RoaringBitmap::new);
    covered.and(fragments(version));
    return covered;
  }

  /** The ids of the fragments of a version. */
  public static RoaringBitmap fragments(TableVersion version) {
    RoaringBitmap ids = new RoaringBitmap();
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      ids.add((int) fragment.id());
    }
    return ids;
  }

  /** The fragments that exist and that a segment covers. */
  public RoaringBitmap covered(TableVersion version) {
    RoaringBitmap covered = new RoaringBitmap();
    segments.forEach(segment -> covered.or(covered(segment, version)));
    return covered;
  }
}
