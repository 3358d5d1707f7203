package dev.lance4j.index.vector.internal.search;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.index.vector.internal.quantize.CodeLayout;
import dev.lance4j.index.vector.internal.quantize.FlatQuantizer;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.quantize.ScalarQuantizer;
import dev.lance4j.index.vector.internal.storage.CodeFile;
import dev.lance4j.index.vector.internal.storage.LegacyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Brings partitions of {@code auxiliary.idx} into memory. */
public final class PartitionReader {
  private final CodeFile file;
  private final boolean hasGraph;

  /**
   * A reader.
   *
   * @param hasGraph whether single rows will be wanted rather than all of them
   */
  public PartitionReader(CodeFile file, boolean hasGraph) {
    this.file = file;
    this.hasGraph = hasGraph;
  }

  /** Reads a partition. */
  public Partition read(int partition, BufferAllocator allocator) {
    int rows = file.ranges().lengths()[partition];
    Quantizer quantizer = file.quantization().quantizer();
    long[] rowIds = new long[rows];
    if (quantizer instanceof FlatQuantizer flat) {
      VectorRows vectors = VectorRows.allocate(flat.element(), rows, flat.dimension());
      read(partition, rowIds, vectors::set, allocator);
      return new FlatPartition(rowIds, vectors);
    }
    if (quantizer instanceof ScalarQuantizer scalar) {
      ByteRows codes = new ByteRows(rows, scalar.codeBytes(), true);
      read(partition, rowIds, codes::set, allocator);
      return new ScalarPartition(rowIds, scalar, codes);
    }
    if (quantizer instanceof ProductQuantizer product) {
      if (hasGraph) {
        ByteRows codes = new ByteRows(rows, product.codeBytes(), false);
        read(partition, rowIds, rowSink(codes, rows, product.codeBytes()), allocator);
        return new ProductPartition(rowIds, product, codes);
      }
      ColumnCodes codes = new ColumnCodes(rows, product.codeBytes());
      read(partition, rowIds, columnSink(codes), allocator);
      return new ProductPartition(rowIds, product, codes);
    }
    return rabit(partition, rowIds, (RabitQuantizer) quantizer, allocator);
  }

  /** Reads a partition of the legacy layout. */
  public static Partition read(LegacyFile file, int partition) {
    int rows = file.lengths()[partition];
    ProductQuantizer quantizer = (ProductQuantizer) file.model().quantization().quantizer();
    long[] rowIds = new long[rows];
    file.rowIds(partition).asLongBuffer().get(rowIds);
    byte[] stored = array(file.codes(partition), rows * quantizer.codeBytes());
    ColumnCodes codes = new ColumnCodes(rows, quantizer.codeBytes());
    for (int r = 0; r < rows; r++) {
      codes.setRow(r, stored, r * quantizer.codeBytes());
    }
    return new ProductPartition(rowIds, quantizer, codes);
  }

  private Partition rabit(
      int partition, long[] rowIds, RabitQuantizer quantizer, BufferAllocator allocator) {
    int rows = rowIds.length;
    ColumnCodes codes = new ColumnCodes(rows, quantizer.codeBytes());
    read(partition, rowIds, columnSink(codes), allocator);
    float[] added = new float[rows];
    float[] scales = new float[rows];
    if (rows > 0) {
      try (ArrowReader reader = file.read(partition, allocator, CodeFile.ADDED, CodeFile.SCALE)) {
        int first = 0;
        while (reader.loadNextBatch()) {
          VectorSchemaRoot root = reader.getVectorSchemaRoot();
          floats(root.getVector(CodeFile.ADDED), root.getRowCount(), added, first);
          floats(root.getVector(CodeFile.SCALE), root.getRowCount(), scales, first);
          first += root.getRowCount();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new RabitPartition(rowIds, quantizer, codes, added, scales);
  }

  /** Takes the bytes of consecutive rows of the column of codes, whatever their layout. */
  private interface Sink {
    void take(int first, int count, ByteBuffer bytes);
  }

  private void read(int partition, long[] rowIds, Sink sink, BufferAllocator allocator) {
    if (rowIds.length == 0) {
      return;
    }
    String column = file.codeColumn();
    try (ArrowReader reader = file.read(partition, allocator, CodeFile.ROW_ID, column)) {
      int first = 0;
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        int count = root.getRowCount();
        ids(root.getVector(CodeFile.ROW_ID), count, rowIds, first);
        sink.take(first, count, codes(root.getVector(column), count));
        first += count;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void ids(FieldVector vector, int count, long[] out, int at) {
    if (!(vector instanceof UInt8Vector) || vector.getNullCount() > 0) {
      throw new CorruptFileException(file.path(), -1, "the row ids are no unsigned numbers");
    }
    bytes(vector.getDataBuffer(), (long) count * Long.BYTES).asLongBuffer().get(out, at, count);
  }

  private void floats(FieldVector vector, int count, float[] out, int at) {
    if (!(vector instanceof Float4Vector) || vector.getNullCount() > 0) {
      throw new CorruptFileException(file.path(), -1, "the factors are no numbers");
    }
    bytes(vector.getDataBuffer(), (long) count * Float.BYTES).asFloatBuffer().get(out, at, count);
  }

  private ByteBuffer codes(FieldVector vector, int count) {
    if (vector instanceof FixedSizeListVector list
        && list.getDataVector() instanceof BaseFixedWidthVector items
        && vector.getNullCount() == 0
        && items.getNullCount() == 0) {
      long size = (long) count * file.quantization().quantizer().codeBytes();
      return bytes(items.getDataBuffer(), size);
    }
    throw new CorruptFileException(file.path(), -1, "the codes have nulls");
  }

  private static ByteBuffer bytes(ArrowBuf buffer, long size) {
    return buffer.nioBuffer(0, Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Arranges codes by rows. */
  private Sink rowSink(ByteRows codes, int rows, int width) {
    if (file.quantization().layout() == CodeLayout.ROWS) {
      return codes::set;
    }
    return (first, count, bytes) -> {
      long position = (long) first * width;
      for (int i = 0; i < count * width; i++, position++) {
        int row = (int) (position % rows);
        int at = codes.chunks().at(row) + (int) (position / rows);
        codes.array(row)[at] = bytes.get(i);
      }
    };
  }

  /** Arranges codes by columns. */
  private Sink columnSink(ColumnCodes codes) {
    int width = codes.width();
    int rows = codes.rows();
    return switch (file.quantization().layout()) {
      case ROWS ->
          (first, count, bytes) -> {
            byte[] taken = array(bytes, count * width);
            for (int r = 0; r < count; r++) {
              codes.setRow(first + r, taken, r * width);
            }
          };
      case COLUMNS -> (first, count, bytes) -> columns(codes, first, array(bytes, count * width));
      case BLOCKS -> {
        byte[] all = new byte[Math.multiplyExact(rows, width)];
        yield (first, count, bytes) -> {
          bytes.get(all, first * width, count * width);
          if (first + count == rows) {
            byte[] unpacked = CodeLayout.BLOCKS.toRows(all, rows, width);
            for (int r = 0; r < rows; r++) {
              codes.setRow(r, unpacked, r * width);
            }
          }
        };
      }
    };
  }

  /** Takes bytes of a partition that is stored column by column. */
  private static void columns(ColumnCodes codes, int firstRow, byte[] bytes) {
    int rows = codes.rows();
    long position = (long) firstRow * codes.width();
    for (int done = 0; done < bytes.length; ) {
      int row = (int) ((position + done) % rows);
      int column = (int) ((position + done) / rows);
      int together = Math.min(bytes.length - done, rows - row);
      codes.setColumn(column, row, bytes, done, together);
      done += together;
    }
  }

  private static byte[] array(ByteBuffer bytes, int length) {
    byte[] array = new byte[length];
    bytes.get(array);
    return array;
  }
}
