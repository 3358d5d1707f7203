package dev.lance4j.index.vector.internal.build;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.internal.quantize.CodeLayout;
import dev.lance4j.index.vector.internal.quantize.FlatQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.storage.CodeFile;
import dev.lance4j.index.vector.internal.storage.FileMetadata;
import dev.lance4j.index.vector.internal.storage.QuantizerMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes {@code auxiliary.idx}, partition after partition. */
final class CodeFileWriter implements AutoCloseable {
  private static final int BATCH_BYTES = 8 << 20;

  private final QuantizerMetadata quantization;
  private final int codeBytes;
  private final int recordBytes;
  private final boolean hasFactors;
  private final int valuesPerCode;
  private final BufferAllocator allocator;
  private final LanceFileWriter file;

  CodeFileWriter(
      ObjectStore store,
      String directory,
      VectorIndexType type,
      QuantizerMetadata quantization,
      FileVersion version,
      BufferAllocator allocator) {
    this.quantization = quantization;
    Quantizer quantizer = quantization.quantizer();
    this.codeBytes = quantizer.codeBytes();
    this.recordBytes = RecordEncoder.recordBytes(quantizer);
    this.hasFactors = quantizer instanceof RabitQuantizer;
    this.valuesPerCode =
        quantizer instanceof FlatQuantizer ? quantizer.dimension() : quantizer.codeBytes();
    this.allocator = allocator;
    this.file =
        LanceFileWriter.create(
            store,
            directory + "/" + CodeFile.NAME,
            LanceSchema.fromArrow(schema(type)),
            version,
            allocator);
  }

  private Schema schema(VectorIndexType type) {
    VectorElement element =
        quantization.quantizer() instanceof FlatQuantizer flat
            ? flat.element()
            : VectorElement.UINT8;
    boolean nullable = element == VectorElement.UINT8;
    List<Field> fields = new ArrayList<>();
    fields.add(field(CodeFile.ROW_ID, new ArrowType.Int(Long.SIZE, false), true));
    fields.add(
        new Field(
            CodeFile.codeColumn(type.quantization()),
            new FieldType(nullable, new ArrowType.FixedSizeList(valuesPerCode), null),
            List.of(field("item", type(element), true))));
    if (hasFactors) {
      fields.add(field(CodeFile.ADDED, type(VectorElement.FLOAT32), true));
      fields.add(field(CodeFile.SCALE, type(VectorElement.FLOAT32), true));
    }
    return new Schema(fields);
  }

  private static Field field(String name, ArrowType type, boolean nullable) {
    return new Field(name, new FieldType(nullable, type, null), null);
  }

  private static ArrowType type(VectorElement element) {
    return switch (element) {
      case FLOAT16 -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
      case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case UINT8 -> new ArrowType.Int(Byte.SIZE, false);
      default -> throw new IllegalArgumentException("no index keeps vectors of " + element);
    };
  }

  /** Writes the rows of the next partition. */
  void add(PartitionRecords records) {
    int rows = records.count();
    if (rows == 0) {
      return;
    }
    try (ArrowBuf ids = allocator.buffer((long) rows * Long.BYTES);
        ArrowBuf codes = allocator.buffer((long) rows * codeBytes);
        ArrowBuf factors = allocator.buffer(hasFactors ? 2L * rows * Float.BYTES : 0)) {
      fill(records, rows, ids, codes, factors);
      int step = Math.max(1, BATCH_BYTES / recordBytes);
      for (int from = 0; from < rows; from += step) {
        write(rows, from, Math.min(step, rows - from), ids, codes, factors);
      }
    }
  }

  private void fill(
      PartitionRecords records, int rows, ArrowBuf ids, ArrowBuf codes, ArrowBuf factors) {
    boolean byRows = quantization.layout() == CodeLayout.ROWS;
    byte[] all = byRows ? null : new byte[Math.multiplyExact(rows, codeBytes)];
    int[] done = {0};
    records.forEach(
        (bytes, from, count) -> {
          for (int i = 0; i < count; i++) {
            int at = from + i * recordBytes;
            long row = done[0]++;
            ids.setBytes(row * Long.BYTES, bytes, at, Long.BYTES);
            int code = at + Long.BYTES;
            if (byRows) {
              codes.setBytes(row * codeBytes, bytes, code, codeBytes);
            } else {
              System.arraycopy(bytes, code, all, (int) row * codeBytes, codeBytes);
            }
            if (hasFactors) {
              int factor = code + codeBytes;
              factors.setBytes(row * Float.BYTES, bytes, factor, Float.BYTES);
              factors.setBytes(
                  (rows + row) * Float.BYTES, bytes, factor + Float.BYTES, Float.BYTES);
            }
          }
        });
    if (!byRows) {
      codes.setBytes(0, quantization.layout().fromRows(all, rows, codeBytes));
    }
  }

  private void write(
      int rows, int from, int count, ArrowBuf ids, ArrowBuf codes, ArrowBuf factors) {
    List<ArrayData> arrays = new ArrayList<>();
    arrays.add(values(ids, (long) from * Long.BYTES, (long) count * Long.BYTES, count));
    int values = Math.multiplyExact(count, valuesPerCode);
    arrays.add(
        new ArrayData(
            count,
            0,
            new ArrowBuf[] {null},
            values(codes, (long) from * codeBytes, (long) count * codeBytes, values)));
    if (hasFactors) {
      long size = (long) count * Float.BYTES;
      arrays.add(values(factors, (long) from * Float.BYTES, size, count));
      arrays.add(values(factors, ((long) rows + from) * Float.BYTES, size, count));
    }
    // The arrays share the buffers, which stay with the caller.
    file.write(arrays, count);
  }

  private static ArrayData values(ArrowBuf buffer, long from, long size, int count) {
    return new ArrayData(count, 0, new ArrowBuf[] {null, buffer.slice(from, size)});
  }

  /** Ends the file; its size in bytes. */
  long finish(Metric metric, int[] lengths) {
    FileMetadata.describeCodes(file, metric, quantization, lengths);
    return file.finish();
  }

  @Override
  public void close() {
    file.close();
  }
}
