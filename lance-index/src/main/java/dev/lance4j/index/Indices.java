package dev.lance4j.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.format.IndexNotFoundException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.index.internal.IndexCatalog;
import dev.lance4j.index.internal.IndexKinds;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.IndexMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/** The indices of a version of a table, those that it keeps for itself left out. Immutable. */
public final class Indices {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final IndexSource source;

  public Indices(IndexSource source) {
    this.source = source;
  }

  /** Describes all indices, also those of kinds that are not known, by name. */
  public List<IndexDescription> describe() {
    List<IndexDescription> all = new ArrayList<>();
    for (LogicalIndex index : LogicalIndex.all(source.version()).values()) {
      IndexMetadata first = index.segments().get(0);
      all.add(
          new IndexDescription(
              index.name(),
              IndexKinds.displayName(source, first),
              columns(first),
              rows(index.covered(source.version())),
              index.segments().stream().map(IndexSegment::new).toList()));
    }
    return all;
  }

  private List<String> columns(IndexMetadata segment) {
    List<String> paths = new ArrayList<>();
    for (int fieldId : segment.fieldIds()) {
      IndexedColumn.withId(source.version().manifest().schema(), fieldId)
          .ifPresent(column -> paths.add(column.name()));
    }
    return paths;
  }

  private long rows(RoaringBitmap fragmentIds) {
    long rows = 0;
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (fragmentIds.contains((int) fragment.id())) {
        rows += FragmentReader.liveRows(source.version(), fragment, source.session());
      }
    }
    return rows;
  }

  /**
   * Statistics of an index as JSON: an object with {@code index_type}, {@code name}, {@code
   * num_indices} and {@code num_segments}, {@code indices} and {@code segments} with what each kind
   * tells of its segments, {@code num_indexed_fragments}, {@code num_unindexed_fragments}, {@code
   * num_indexed_rows}, {@code num_unindexed_rows}, {@code num_indexed_rows_per_delta} and {@code
   * updated_at_timestamp_ms}. Opens the index.
   *
   * @throws IndexNotFoundException if there is no index of the name
   * @throws UnsupportedFormatException if its kind is not known
   */
  public String statistics(String name) {
    Map<String, LogicalIndex> indices = LogicalIndex.all(source.version());
    LogicalIndex index = indices.get(name);
    if (index == null) {
      throw new IndexNotFoundException(
          source.version().table().uri(), name, String.join(", ", indices.keySet()));
    }
    IndexCatalog catalog = IndexCatalog.of(source);
    for (VectorIndex vector : catalog.vector()) {
      if (vector.name().equals(name)) {
        return toJson(statistics(index, vector.type().toString(), vector.statistics()));
      }
    }
    ScalarIndex opened =
        catalog.scalar().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new UnsupportedFormatException(String.join("; ", catalog.unused())));
    return toJson(statistics(index, opened.kind().displayName(), opened.statistics()));
  }

  private Map<String, Object> statistics(
      LogicalIndex index, String type, List<Map<String, Object>> segments) {
    RoaringBitmap covered = index.covered(source.version());
    RoaringBitmap uncovered = LogicalIndex.fragments(source.version());
    uncovered.andNot(covered);
    List<Long> rowsPerSegment =
        index.segments().stream()
            .map(segment -> rows(LogicalIndex.covered(segment, source.version())))
            .toList();
    OptionalLong updated =
        index.segments().stream()
            .flatMapToLong(segment -> segment.createdAtMillis().stream())
            .max();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("index_type", type);
    all.put("name", index.name());
    all.put("num_indices", index.segments().size());
    all.put("num_segments", index.segments().size());
    all.put("indices", segments);
    all.put("segments", segments);
    all.put("num_indexed_fragments", covered.getCardinality());
    all.put("num_unindexed_fragments", uncovered.getCardinality());
    all.put("num_indexed_rows", rows(covered));
    all.put("num_unindexed_rows", rows(uncovered));
    all.put("num_indexed_rows_per_delta", rowsPerSegment);
    all.put("updated_at_timestamp_ms", updated.isPresent() ? updated.getAsLong() : null);
    return all;
  }

  private static String toJson(Map<String, Object> values) {
    try {
      return JSON.writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("statistics are plain values", e);
    }
  }
}
