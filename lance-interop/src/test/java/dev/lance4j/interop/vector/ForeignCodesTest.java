package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.format.store.LocalObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.quantize.ScalarQuantizer;
import dev.lance4j.index.vector.internal.search.Partition;
import dev.lance4j.index.vector.internal.search.PartitionReader;
import dev.lance4j.index.vector.internal.storage.CodeFile;
import dev.lance4j.index.vector.internal.storage.GraphFile;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With the models that the real library trains, we make the codes that it makes. */
@WithOracle
class ForeignCodesTest {
  private static final int ROWS = 700;
  private static final int PARTITIONS = 3;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @CsvSource({
    "sq, L2, 16, 8", "sq, COSINE, 16, 8", "sq, DOT, 16, 8",
    "pq, L2, 16, 8", "pq, COSINE, 16, 8", "pq, DOT, 16, 8",
    "pq, L2, 8, 4", "pq, COSINE, 8, 4", "pq, DOT, 8, 4",
    "rq, L2, 64, 1", "rq, COSINE, 64, 1", "rq, DOT, 64, 1",
    "rq, L2, 8, 3", "rq, COSINE, 40, 1", "rq, DOT, 8, 3"
  })
  void codesAreTheSame(String quantization, Metric metric, int dimension, int bits) {
    float[][] vectors = VectorTables.clustered(ROWS, dimension, 6, 5);
    String directory = create(quantization, metric, bits, vectors);
    LocalObjectStore store = new LocalObjectStore();
    int checked = 0;
    try (GraphFile graphs = GraphFile.open(store, directory);
        CodeFile codes = CodeFile.open(store, directory, graphs.type().quantization())) {
      assertThat(codes.metric()).isEqualTo(metric);
      Quantizer quantizer = codes.quantization().quantizer();
      for (int p = 0; p < PARTITIONS; p++) {
        Partition partition = new PartitionReader(codes, false).read(p, allocator);
        for (int row = 0; row < partition.size(); row++) {
          float[] vector = vectors[(int) partition.rowId(row)];
          float[] prepared = metric == Metric.COSINE ? unit(vector) : vector;
          byte[] stored = new byte[quantizer.codeBytes() + 2 * Float.BYTES];
          partition.copyCode(row, stored, 0);
          check(quantizer, metric, prepared, graphs.centroids().floats(), p, stored);
          checked++;
        }
      }
    }
    assertThat(checked).isEqualTo(ROWS);
  }

  private static float[] unit(float[] vector) {
    float squares = 0;
    for (float value : vector) {
      squares += value * value;
    }
    float norm = (float) Math.sqrt(squares);
    float[] unit = new float[vector.length];
    for (int d = 0; d < unit.length; d++) {
      unit[d] = vector[d] / norm;
    }
    return unit;
  }

  private static void check(
      Quantizer quantizer,
      Metric metric,
      float[] vector,
      float[] centroids,
      int partition,
      byte[] stored) {
    int dimension = vector.length;
    int centroid = partition * dimension;
    byte[] code = new byte[quantizer.codeBytes()];
    if (quantizer instanceof ScalarQuantizer scalar) {
      scalar.encode(vector, 0, code, 0);
    } else if (quantizer instanceof ProductQuantizer product) {
      float[] residual = vector.clone();
      for (int d = 0; d < dimension && metric != Metric.DOT; d++) {
        residual[d] -= centroids[centroid + d];
      }
      product.encode(residual, 0, 1, code, 0);
    } else {
      RabitQuantizer rabit = (RabitQuantizer) quantizer;
      float[] factors = new float[2];
      rabit.encode(
          metric == Metric.DOT,
          vector,
          0,
          centroids,
          centroid,
          new float[dimension],
          code,
          0,
          factors,
          0);
      // What is left of sums of products is off by some of the last places of these.
      double sums = 0;
      for (int d = 0; d < dimension; d++) {
        double value = Math.abs(vector[d]) + Math.abs(centroids[centroid + d]);
        sums += value * value;
      }
      ByteBuffer theirs = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
      for (int f = 0; f < 2; f++) {
        float their = theirs.getFloat(code.length + f * Float.BYTES);
        assertThat((double) factors[f])
            .isCloseTo(their, within(1e-4 * Math.max(1, Math.abs(their)) + sums * 0x1p-22));
      }
    }
    assertThat(code).isEqualTo(Arrays.copyOf(stored, code.length));
  }

  private String create(String quantization, Metric metric, int bits, float[][] vectors) {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), vectors, allocator)) {
      oracle.create(uri, "2.1", table);
    }
    ObjectNode args = Oracle.args(uri).put("type", "VECTOR");
    args.putArray("columns").add(VectorTables.COLUMN);
    ObjectNode vector = args.putObject("vector").put("partitions", PARTITIONS);
    vector.put("metric", metric == Metric.L2 ? "L2" : metric == Metric.DOT ? "Dot" : "Cosine");
    ObjectNode settings = vector.putObject(quantization);
    if (!quantization.equals("sq")) {
      settings.put("bits", bits);
    }
    if (quantization.equals("pq")) {
      settings.put("subVectors", 4);
    }
    String uuid = oracle.call("createIndex", args).get("uuid").asText();
    return uri + "/_indices/" + uuid;
  }
}
