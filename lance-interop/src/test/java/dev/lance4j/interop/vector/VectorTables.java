package dev.lance4j.interop.vector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.scan.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Tables of vectors and the real library's answers about them. */
final class VectorTables {
  /** The column of vectors. */
  static final String COLUMN = "v";

  private static final Field FLOAT = SampleFields.float32("item");

  private VectorTables() {}

  /** Vectors around some centres. */
  static float[][] clustered(int rows, int dimension, int clusters, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] centers = new float[clusters][dimension];
    for (float[] center : centers) {
      for (int d = 0; d < dimension; d++) {
        center[d] = (float) (random.nextGaussian() * 2);
      }
    }
    float[][] vectors = new float[rows][dimension];
    for (float[] vector : vectors) {
      float[] center = centers[random.nextInt(clusters)];
      for (int d = 0; d < dimension; d++) {
        vector[d] = center[d] + (float) random.nextGaussian();
      }
    }
    return vectors;
  }

  /** A table with a column {@code k} of positions and one of vectors; null ones are null. */
  static ArrowTable table(Field item, float[][] vectors, BufferAllocator allocator) {
    int dimension = vectors[0].length;
    Schema schema =
        new Schema(
            List.of(SampleFields.int64("k"), SampleFields.fixedSizeList(COLUMN, dimension, item)));
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    root.allocateNew();
    BigIntVector keys = (BigIntVector) root.getVector("k");
    FixedSizeListVector lists = (FixedSizeListVector) root.getVector(COLUMN);
    for (int r = 0; r < vectors.length; r++) {
      keys.setSafe(r, r);
      if (vectors[r] == null) {
        lists.setNull(r);
        continue;
      }
      lists.startNewValue(r);
      for (int d = 0; d < dimension; d++) {
        set(lists.getDataVector(), r * dimension + d, vectors[r][d]);
      }
    }
    root.setRowCount(vectors.length);
    return ArrowTable.of(root);
  }

  /** A table like above in which each row has a list of some of the vectors. */
  static ArrowTable lists(float[][] vectors, int perRow, BufferAllocator allocator) {
    Field vector = SampleFields.fixedSizeList("item", vectors[0].length, FLOAT);
    Schema schema = new Schema(List.of(SampleFields.int64("k"), SampleFields.list(COLUMN, vector)));
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    root.allocateNew();
    ListVector lists = (ListVector) root.getVector(COLUMN);
    int rows = vectors.length / perRow;
    try (ArrowTable all = table(FLOAT, vectors, allocator)) {
      for (int row = 0; row < rows; row++) {
        ((BigIntVector) root.getVector("k")).setSafe(row, row);
        lists.startNewValue(row);
        for (int i = 0; i < perRow; i++) {
          int at = row * perRow + i;
          lists.getDataVector().copyFromSafe(at, at, all.column(COLUMN));
        }
        lists.endValue(row, perRow);
      }
    }
    lists.getDataVector().setValueCount(rows * perRow);
    root.setRowCount(rows);
    return ArrowTable.of(root);
  }

  private static void set(FieldVector items, int i, float value) {
    if (items instanceof Float4Vector floats) {
      floats.setSafe(i, value);
    } else if (items instanceof Float8Vector doubles) {
      doubles.setSafe(i, value);
    } else if (items instanceof Float2Vector halves) {
      halves.setSafeWithPossibleTruncate(i, value);
    } else if (items instanceof TinyIntVector bytes) {
      bytes.setSafe(i, (byte) value);
    } else {
      ((UInt1Vector) items).setSafe(i, (byte) (int) value);
    }
  }

  /** Has the real library build an index. */
  static void index(
      Oracle oracle, String uri, String name, VectorIndexType type, Metric metric, int partitions) {
    ObjectNode args = Oracle.args(uri).put("type", "VECTOR").put("name", name);
    args.putArray("columns").add(COLUMN);
    ObjectNode vector = args.putObject("vector");
    vector.put("partitions", partitions).put("metric", name(metric));
    switch (type.quantization()) {
      case FLAT -> {}
      case SCALAR -> vector.putObject("sq");
      case PRODUCT -> vector.putObject("pq").put("subVectors", 4).put("bits", 8);
      case RABIT -> vector.putObject("rq").put("bits", 1);
    }
    if (type.hasGraph()) {
      vector.putObject("hnsw");
    }
    oracle.call("createIndex", args);
  }

  private static String name(Metric metric) {
    return metric == Metric.COSINE ? "Cosine" : metric == Metric.DOT ? "Dot" : "L2";
  }

  /**
   * The neighbours that the real library finds.
   *
   * @param filter applied before; null for none
   */
  static Neighbors nearest(
      Oracle oracle,
      String uri,
      float[] key,
      ObjectNode query,
      String filter,
      BufferAllocator allocator) {
    ObjectNode args = Oracle.args(uri).put("withRowId", true);
    if (filter != null) {
      args.put("filter", filter).put("prefilter", true);
    }
    args.putArray("columns").add("_distance");
    ask(args, key, query);
    try (ArrowTable found = oracle.fetch("scan", args, allocator)) {
      return neighbors(found);
    }
  }

  /** The ids of the rows that the real library finds near to each of some vectors. */
  static List<List<Long>> nearest(
      Oracle oracle, String uri, List<float[]> vectors, ObjectNode query) {
    ObjectNode args = Oracle.args(uri).set("query", query.put("column", COLUMN));
    ArrayNode keys = args.putArray("keys");
    for (float[] vector : vectors) {
      ArrayNode components = keys.addArray();
      for (float component : vector) {
        components.add(component);
      }
    }
    List<List<Long>> found = new ArrayList<>();
    for (JsonNode rowIds : oracle.call("nearest", args)) {
      List<Long> ids = new ArrayList<>();
      rowIds.forEach(rowId -> ids.add(rowId.asLong()));
      found.add(ids);
    }
    return found;
  }

  /** Adds a query for neighbours to the arguments of a scan. */
  static void ask(ObjectNode args, float[] key, ObjectNode query) {
    query.put("column", COLUMN);
    query.putArray("key");
    for (float value : key) {
      query.withArray("key").add(value);
    }
    args.set("nearest", query);
  }

  /** The neighbours that a scan of ours finds. */
  static Neighbors neighbors(Scan scan, BufferAllocator allocator) {
    try (ArrowTable found = Tables.drain(scan.select("_distance").withRowId().open(), allocator)) {
      return neighbors(found);
    }
  }

  private static Neighbors neighbors(ArrowTable found) {
    int rows = found.rowCount();
    long[] rowIds = new long[rows];
    float[] distances = new float[rows];
    for (int i = 0; i < rows; i++) {
      rowIds[i] = ((UInt8Vector) found.column("_rowid")).get(i);
      distances[i] = ((Float4Vector) found.column("_distance")).get(i);
    }
    return new Neighbors(rowIds, distances);
  }
}
