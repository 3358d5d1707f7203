package dev.lance4j;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What becomes of a table with a vector index, one state after the other. */
enum VectorStates {
  FRESH,
  APPENDED,
  DELETED,
  COMPACTED,
  OPTIMIZED,
  MERGED;

  static final int PARTITIONS = 4;

  /** A kind of index on a table with or without stable row ids. */
  record Kind(VectorIndexType type, boolean stable) {
    VectorIndexSpec spec(Metric metric) {
      VectorIndexSpec spec = VectorIndexSpec.of(type).metric(metric).partitions(PARTITIONS);
      return isProduct() ? spec.subVectors(4).bits(4) : spec;
    }

    boolean isProduct() {
      return type.quantization() == VectorIndexType.Quantization.PRODUCT;
    }

    /** Whether what is found in all partitions are the true neighbours as it is. */
    boolean isExact() {
      return type == VectorIndexType.IVF_FLAT;
    }
  }

  /** All kinds. */
  static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (VectorIndexType type : VectorIndexType.values()) {
      kinds.add(new Kind(type, false));
      kinds.add(new Kind(type, true));
    }
    return kinds;
  }

  /** All kinds, by squared distance and by angle. */
  record Measured(Kind kind, Metric metric) {}

  static List<Measured> measured() {
    List<Measured> all = new ArrayList<>();
    for (Kind kind : kinds()) {
      all.add(new Measured(kind, Metric.L2));
      all.add(new Measured(kind, Metric.COSINE));
    }
    return all;
  }

  /** Brings a table from the state before to this one; rows that are appended are copies. */
  void enter(VectorTwin twin) {
    switch (this) {
      case FRESH -> {}
      case APPENDED -> {
        Map<Long, double[][]> more = new TreeMap<>();
        long next = twin.rows().size();
        twin.rows().entrySet().stream()
            .filter(row -> row.getKey() % 11 == 5)
            .forEach(row -> more.put(next + row.getKey(), row.getValue()));
        twin.append(more);
      }
      case DELETED -> twin.delete(9, 4);
      case COMPACTED ->
          twin.maintain(
              dataset ->
                  dataset
                      .compact(CompactionOptions.builder().targetRowsPerFragment(400).build())
                      .dataset());
      case OPTIMIZED -> twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.append()));
      case MERGED -> twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.merge(9)));
    }
  }
}
