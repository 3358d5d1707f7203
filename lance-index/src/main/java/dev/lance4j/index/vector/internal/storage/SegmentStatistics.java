package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.internal.hnsw.HnswOptions;
import dev.lance4j.index.vector.internal.quantize.FastRotation;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.quantize.ScalarQuantizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What statistics tell about one segment, as values that JSON can hold. */
public final class SegmentStatistics {
  private SegmentStatistics() {}

  /** The statistics of a segment. */
  public static Map<String, Object> of(
      SegmentModel model, PartitionRanges ranges, HnswOptions graphs, LayoutVersion version) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("index_type", model.type().name());
    all.put("metric_type", model.metric().toString());
    all.put("num_partitions", model.partitions());
    List<Map<String, Object>> partitions = new ArrayList<>();
    for (int length : ranges.lengths()) {
      partitions.add(Map.of("size", length));
    }
    all.put("partitions", partitions);
    all.put("loss", model.loss().isPresent() ? model.loss().getAsDouble() : null);
    all.put("index_file_version", version == LayoutVersion.LEGACY ? "Legacy" : "V3");
    all.put("centroids", centroids(model.centroids()));
    all.put("sub_index", subIndex(model, graphs));
    return all;
  }

  private static List<Object> centroids(Centroids centroids) {
    List<Object> rows = new ArrayList<>();
    int dimension = centroids.dimension();
    for (int c = 0; c < centroids.count(); c++) {
      int from = c * dimension;
      rows.add(
          centroids.floats() == null
              ? Arrays.copyOfRange(centroids.bits(), from, from + dimension)
              : Arrays.copyOfRange(centroids.floats(), from, from + dimension));
    }
    return rows;
  }

  private static Map<String, Object> subIndex(SegmentModel model, HnswOptions graphs) {
    Map<String, Object> sub = new LinkedHashMap<>();
    VectorIndexType type = model.type();
    sub.put("index_type", type.hasGraph() ? "HNSW" : quantization(type));
    sub.put("metric_type", model.metric().toString());
    describe(model.quantization().quantizer(), sub);
    if (type.hasGraph()) {
      sub.put(
          "params",
          Map.of(
              "max_level", graphs.maxLevel(),
              "m", graphs.m(),
              "ef_construction", graphs.efConstruction()));
    }
    return sub;
  }

  private static String quantization(VectorIndexType type) {
    return switch (type.quantization()) {
      case FLAT -> "FLAT";
      case SCALAR -> "SQ";
      case PRODUCT -> "PQ";
      case RABIT -> "RQ";
    };
  }

  private static void describe(Quantizer quantizer, Map<String, Object> sub) {
    sub.put("dim", quantizer.dimension());
    if (quantizer instanceof ScalarQuantizer scalar) {
      sub.put("num_bits", ScalarQuantizer.BITS);
      sub.put("bounds", Map.of("start", scalar.start(), "end", scalar.end()));
    } else if (quantizer instanceof ProductQuantizer product) {
      sub.put("nbits", product.bits());
      sub.put("num_sub_vectors", product.subVectors());
    } else if (quantizer instanceof RabitQuantizer rabit) {
      sub.put("num_bits", rabit.bits());
      sub.put("rotation_type", rabit.rotation() instanceof FastRotation ? "fast" : "matrix");
    }
  }
}
