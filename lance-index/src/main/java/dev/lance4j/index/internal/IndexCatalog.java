package dev.lance4j.index.internal;

import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.index.vector.VectorIndexDetails;
import dev.lance4j.table.IndexMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The indices of a version that can be used.
 *
 * @param scalar scalar indices by name
 * @param vector vector indices in the order of the manifest
 * @param unused why other indices cannot be used, a sentence for each
 */
public record IndexCatalog(
    List<ScalarIndex> scalar, List<VectorIndex> vector, List<String> unused) {
  private static final String VECTOR = "vector";

  public IndexCatalog {
    scalar = List.copyOf(scalar);
    vector = List.copyOf(vector);
    unused = List.copyOf(unused);
  }

  /** The indices of a version. */
  public static IndexCatalog of(IndexSource source) {
    return of(source, index -> true);
  }

  /** The indices of a version on some fields alone. */
  public static IndexCatalog of(IndexSource source, Set<Integer> fieldIds) {
    return of(
        source, index -> index.segments().get(0).fieldIds().stream().anyMatch(fieldIds::contains));
  }

  private static IndexCatalog of(IndexSource source, Predicate<LogicalIndex> wanted) {
    List<ScalarIndex> scalar = new ArrayList<>();
    List<VectorIndex> vector = new ArrayList<>();
    List<String> unused = new ArrayList<>();
    for (LogicalIndex index : LogicalIndex.all(source.version()).values()) {
      if (wanted.test(index)) {
        open(source, index, scalar, vector, unused);
      }
    }
    List<UUID> order = source.version().indices().stream().map(IndexMetadata::uuid).toList();
    vector.sort(
        Comparator.comparingInt(index -> order.indexOf(index.segments().get(0).metadata().uuid())));
    return new IndexCatalog(scalar, vector, unused);
  }

  private static void open(
      IndexSource source,
      LogicalIndex index,
      List<ScalarIndex> scalar,
      List<VectorIndex> vector,
      List<String> unused) {
    List<Integer> fieldIds = index.segments().get(0).fieldIds();
    Optional<IndexedColumn> column =
        fieldIds.size() == 1
            ? IndexedColumn.withId(source.version().manifest().schema(), fieldIds.get(0))
            : Optional.empty();
    if (column.isEmpty()) {
      unused.add("index '" + index.name() + "' is not one of a single column");
      return;
    }
    List<SegmentFiles> segments =
        index.segments().stream()
            .map(
                segment ->
                    SegmentFiles.of(
                        source.version(), segment, column.get().field(), source.session()))
            .toList();
    List<String> kindNames = segments.stream().map(SegmentKind::nameOf).distinct().toList();
    if (kindNames.equals(List.of(VECTOR))) {
      List<SegmentFiles> known = new ArrayList<>();
      for (SegmentFiles segment : segments) {
        if (VectorIndexDetails.canRead(segment.metadata())) {
          known.add(segment);
        } else {
          unused.add(newer(segment.metadata(), VECTOR));
        }
      }
      if (!known.isEmpty()) {
        vector.add(new VectorIndex(source, index.name(), column.get(), known));
      }
      return;
    }
    Optional<ScalarKind> kind =
        kindNames.size() == 1 ? IndexKinds.scalar(kindNames.get(0)) : Optional.empty();
    if (kind.isEmpty()) {
      unused.add("index '" + index.name() + "' is of the kind " + String.join(", ", kindNames));
      return;
    }
    List<SegmentFiles> readable = new ArrayList<>();
    for (SegmentFiles segment : segments) {
      if (IndexKinds.canRead(kind.get(), segment.metadata())) {
        readable.add(segment);
      } else {
        unused.add(newer(segment.metadata(), kind.get().name()));
      }
    }
    if (!readable.isEmpty()) {
      scalar.add(new ScalarIndex(source, index.name(), kind.get(), column.get(), readable));
    }
  }

  private static String newer(IndexMetadata segment, String kind) {
    return "segment "
        + segment.uuid()
        + " of index '"
        + segment.name()
        + "' has version "
        + segment.indexVersion().orElse(0)
        + " of the kind "
        + kind;
  }
}
