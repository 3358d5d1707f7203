package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.IndexCatalog;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.lookup.WhatIfDamaged;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.roaringbitmap.RoaringBitmap;

/**
 * Which index a search for nearest rows uses.
 *
 * @param index absent for none
 * @param metric of the index; absent without one
 * @param coverage the fragments that it answers for
 * @param notes why other indices are not used, a sentence for each
 */
record IndexChoice(
    Optional<VectorIndex> index,
    Optional<Metric> metric,
    RoaringBitmap coverage,
    List<String> notes) {

  /**
   * Chooses the first index of the manifest that can be used.
   *
   * @throws CorruptFileException if an index is damaged, unless that does not matter
   */
  static IndexChoice of(ScanRequest request) {
    NearestQuery query = request.nearest();
    List<String> notes = new ArrayList<>();
    if (query.asked().isIndexUsed() || request.fastSearch()) {
      Scan.Source source = request.source();
      IndexCatalog catalog =
          IndexCatalog.of(
              new IndexSource(source.version(), source.session(), source.allocator()),
              Set.of(query.column().fieldId()));
      notes.addAll(catalog.unused());
      for (VectorIndex index : catalog.vector()) {
        Optional<String> reason = whyNot(index, request);
        if (reason.isEmpty()) {
          return new IndexChoice(
              Optional.of(index), Optional.of(index.metric()), index.coverage(), notes);
        }
        notes.add("index " + index.name() + " is not used: " + reason.get());
      }
    }
    return new IndexChoice(Optional.empty(), Optional.empty(), new RoaringBitmap(), notes);
  }

  private static Optional<String> whyNot(VectorIndex index, ScanRequest request) {
    NearestQuery query = request.nearest();
    try {
      Metric metric = index.metric();
      if (query.asked().metric().isPresent() && query.asked().metric().get() != metric) {
        return Optional.of(
            "its distances are by " + metric + ", not by " + query.asked().metric().get());
      }
      return Optional.empty();
    } catch (UnsupportedFormatException e) {
      return Optional.of(e.getMessage());
    } catch (CorruptFileException e) {
      if (request.whatIfDamaged() == WhatIfDamaged.FAIL) {
        throw e;
      }
      return Optional.of(e.getMessage());
    }
  }

  /** Whether the index answers for a fragment. */
  boolean covers(FragmentMetadata fragment) {
    return coverage.contains((int) fragment.id());
  }
}
