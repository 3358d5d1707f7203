package dev.lance4j.index.vector.internal.build;

import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.storage.CodeFile;
import dev.lance4j.index.vector.internal.storage.Elements;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Takes vectors out of Arrow batches. Leaves out those that cannot be indexed: null ones, those
 * with a component that is null, not a number or infinite, and for cosine those without a
 * direction; the others are then of unit length.
 */
final class BatchDecoder {
  private final VectorColumn column;
  private final boolean normalize;

  BatchDecoder(VectorColumn column, Metric metric) {
    this.column = column;
    this.normalize = metric == Metric.COSINE;
  }

  /** The vectors of a batch. */
  VectorBatch decode(VectorSchemaRoot root) {
    UInt8Vector rowIds = rowIds(root);
    FieldVector vectors = vectors(root);
    FixedSizeListVector lists =
        (FixedSizeListVector) (column.isMulti() ? ((ListVector) vectors).getDataVector() : vectors);
    if (!(lists.getDataVector() instanceof BaseFixedWidthVector items)
        || lists.getListSize() != column.dimension()) {
      throw new SchemaMismatchException(
          "The vectors of column '" + vectors.getName() + "' are not what they were said to be");
    }
    int rows = root.getRowCount();
    int most = column.isMulti() ? lists.getValueCount() : rows;
    int[] places = new int[most];
    long[] ids = new long[most];
    int count = 0;
    boolean itemsMayBeNull = items.getNullCount() > 0;
    for (int r = 0; r < rows; r++) {
      if (vectors.isNull(r)) {
        continue;
      }
      int from = column.isMulti() ? ((ListVector) vectors).getElementStartIndex(r) : r;
      int to = column.isMulti() ? ((ListVector) vectors).getElementEndIndex(r) : r + 1;
      for (int place = from; place < to; place++) {
        if (!lists.isNull(place) && !(itemsMayBeNull && hasNull(items, place))) {
          places[count] = place;
          ids[count++] = rowIds.get(r);
        }
      }
    }
    return decode(items, places, ids, count);
  }

  private static UInt8Vector rowIds(VectorSchemaRoot root) {
    if (root.getVector(CodeFile.ROW_ID) instanceof UInt8Vector rowIds) {
      return rowIds;
    }
    throw new SchemaMismatchException("The rows to be indexed have no unsigned " + CodeFile.ROW_ID);
  }

  private static FieldVector vectors(VectorSchemaRoot root) {
    for (FieldVector vector : root.getFieldVectors()) {
      if (!vector.getName().equals(CodeFile.ROW_ID)) {
        return vector;
      }
    }
    throw new SchemaMismatchException("The rows to be indexed have no vectors");
  }

  private boolean hasNull(BaseFixedWidthVector items, int place) {
    int dimension = column.dimension();
    for (int i = place * dimension; i < (place + 1) * dimension; i++) {
      if (items.isNull(i)) {
        return true;
      }
    }
    return false;
  }

  private VectorBatch decode(BaseFixedWidthVector items, int[] places, long[] ids, int count) {
    VectorElement element = column.element();
    int dimension = column.dimension();
    ArrowBuf buffer = items.getDataBuffer();
    int vectorBytes = dimension * element.bytes();
    if (element.isBits()) {
      byte[] bits = new byte[count * dimension];
      for (int i = 0; i < count; i++) {
        buffer.getBytes((long) places[i] * vectorBytes, bits, i * dimension, dimension);
      }
      return new VectorBatch(count, ids, null, null, bits);
    }
    float[] floats = new float[Math.multiplyExact(count, dimension)];
    double[] doubles = element == VectorElement.FLOAT64 ? new double[floats.length] : null;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      ByteBuffer bytes =
          buffer
              .nioBuffer((long) places[i] * vectorBytes, vectorBytes)
              .order(ByteOrder.LITTLE_ENDIAN);
      Elements.toFloats(element, bytes, floats, kept * dimension, dimension);
      if (doubles != null) {
        bytes.asDoubleBuffer().get(doubles, kept * dimension, dimension);
      }
      if (prepare(floats, doubles, kept * dimension)) {
        ids[kept++] = ids[i];
      }
    }
    return new VectorBatch(
        kept,
        Arrays.copyOf(ids, kept),
        Arrays.copyOf(floats, kept * dimension),
        doubles == null ? null : Arrays.copyOf(doubles, kept * dimension),
        null);
  }

  /** Makes a vector what is indexed of it; false if it cannot be. */
  private boolean prepare(float[] floats, double[] doubles, int at) {
    int end = at + column.dimension();
    double squares = 0;
    for (int i = at; i < end; i++) {
      double value = doubles == null ? floats[i] : doubles[i];
      if (!Float.isFinite(floats[i])) {
        return false;
      }
      squares += value * value;
    }
    if (!normalize) {
      return true;
    }
    double norm = Math.sqrt(squares);
    if (norm == 0) {
      return false;
    }
    for (int i = at; i < end; i++) {
      if (doubles != null) {
        doubles[i] /= norm;
      }
      floats[i] = (float) (doubles == null ? floats[i] / norm : doubles[i]);
    }
    return true;
  }
}
