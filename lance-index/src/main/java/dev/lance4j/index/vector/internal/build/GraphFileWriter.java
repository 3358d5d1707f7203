package dev.lance4j.index.vector.internal.build;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.internal.hnsw.BuiltGraph;
import dev.lance4j.index.vector.internal.storage.Centroids;
import dev.lance4j.index.vector.internal.storage.FileMetadata;
import dev.lance4j.index.vector.internal.storage.GraphFile;
import dev.lance4j.index.vector.internal.storage.HnswMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes {@code index.idx}, partition after partition. */
final class GraphFileWriter implements AutoCloseable {
  /** Rows of the graph that are written at a time. */
  private static final int BATCH = 1 << 14;

  private static final ArrowType UINT32 = new ArrowType.Int(Integer.SIZE, false);

  private final VectorIndexType type;
  private final BufferAllocator allocator;
  private final LanceFileWriter file;
  private final List<String> subIndices = new ArrayList<>();
  private final List<Integer> lengths = new ArrayList<>();

  GraphFileWriter(
      ObjectStore store,
      String directory,
      VectorIndexType type,
      FileVersion version,
      BufferAllocator allocator) {
    this.type = type;
    this.allocator = allocator;
    this.file =
        LanceFileWriter.create(
            store,
            directory + "/" + GraphFile.NAME,
            LanceSchema.fromArrow(schema(type)),
            version,
            allocator);
  }

  private static Schema schema(VectorIndexType type) {
    if (!type.hasGraph()) {
      ArrowType marker = new ArrowType.Int(Long.SIZE, false);
      return new Schema(
          List.of(new Field("__flat_marker", new FieldType(false, marker, null), null)));
    }
    ArrowType distance = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    return new Schema(
        List.of(
            Field.nullable(GraphFile.NODE, UINT32),
            list(GraphFile.NEIGHBORS, UINT32),
            list(GraphFile.DISTANCES, distance)));
  }

  private static Field list(String name, ArrowType item) {
    return new Field(
        name, FieldType.nullable(new ArrowType.List()), List.of(Field.nullable("item", item)));
  }

  /** Adds a partition that is scanned, or one without rows. */
  void addWithoutGraph() {
    subIndices.add("");
    lengths.add(0);
  }

  /** Adds a partition with a graph. */
  void add(BuiltGraph graph) {
    int levels = graph.options().maxLevel();
    int[] offsets = new int[levels + 1];
    for (int level = 0; level < levels; level++) {
      int[] rows = graph.rows(level);
      for (int from = 0; from < rows.length; from += BATCH) {
        write(graph, level, rows, from, Math.min(rows.length, from + BATCH));
      }
      offsets[level + 1] = Math.addExact(offsets[level], rows.length);
    }
    lengths.add(offsets[levels]);
    subIndices.add(
        new HnswMetadata(0, levels, graph.options().m(), graph.options().efConstruction(), offsets)
            .json());
  }

  private void write(BuiltGraph graph, int level, int[] rows, int from, int to) {
    int count = to - from;
    int edges = 0;
    for (int i = from; i < to; i++) {
      edges += graph.degree(level, rows[i]);
    }
    try (ArrowBuf nodes = allocator.buffer((long) count * Integer.BYTES);
        ArrowBuf offsets = allocator.buffer((count + 1L) * Integer.BYTES);
        ArrowBuf neighbors = allocator.buffer((long) edges * Integer.BYTES);
        ArrowBuf distances = allocator.buffer((long) edges * Float.BYTES)) {
      int edge = 0;
      offsets.setInt(0, 0);
      for (int i = 0; i < count; i++) {
        int row = rows[from + i];
        nodes.setInt((long) i * Integer.BYTES, row);
        int degree = graph.degree(level, row);
        for (int n = 0; n < degree; n++, edge++) {
          neighbors.setInt((long) edge * Integer.BYTES, graph.neighbor(level, row, n));
          distances.setFloat((long) edge * Float.BYTES, graph.distance(level, row, n));
        }
        offsets.setInt((i + 1L) * Integer.BYTES, edge);
      }
      file.write(
          List.of(
              new ArrayData(count, 0, new ArrowBuf[] {null, nodes}),
              listOf(count, offsets, edges, neighbors),
              listOf(count, offsets, edges, distances)),
          count);
    }
  }

  private static ArrayData listOf(int count, ArrowBuf offsets, int edges, ArrowBuf values) {
    return new ArrayData(
        count,
        0,
        new ArrowBuf[] {null, offsets},
        new ArrayData(edges, 0, new ArrowBuf[] {null, values}));
  }

  /** Ends the file; its size in bytes. */
  long finish(Metric metric, Centroids centroids, double loss) {
    int[] rows = lengths.stream().mapToInt(Integer::intValue).toArray();
    FileMetadata.describeGraphs(file, type, metric, centroids, rows, loss, subIndices);
    return file.finish();
  }

  @Override
  public void close() {
    file.close();
  }
}
