package dev.lance4j.interop.vector;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorSource;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The vectors of the first fragment of a table, with their addresses. */
record TableVectors(TableVersion version, BufferAllocator allocator) implements VectorSource {
  private static final int BATCH = 500;

  private LanceField field() {
    return version.manifest().schema().project(List.of(VectorTables.COLUMN)).fields().get(0);
  }

  private FragmentMetadata fragment() {
    return version.manifest().fragments().get(0);
  }

  @Override
  public VectorColumn column() {
    return VectorColumn.of(schema().getFields().get(1));
  }

  private Schema schema() {
    Field rowId = Field.nullable("_rowid", new ArrowType.Int(Long.SIZE, false));
    LanceSchema vectors = new LanceSchema(List.of(field()), Map.of());
    return new Schema(List.of(rowId, vectors.toArrow().getFields().get(0)));
  }

  @Override
  public long rowCount() {
    return fragment().physicalRows();
  }

  @Override
  public ArrowReader sample(long rows, long seed) {
    return scan();
  }

  @Override
  public ArrowReader scan() {
    FragmentReader reader =
        FragmentReader.open(version, fragment(), new LanceSchema(List.of(field()), Map.of()));
    return new ArrayBatchReader(allocator, schema(), new Batches(reader));
  }

  private final class Batches implements ArrayBatchReader.Source {
    private final FragmentReader reader;
    private long done;

    Batches(FragmentReader reader) {
      this.reader = reader;
    }

    @Override
    public ArrayBatch next() {
      int rows = (int) Math.min(BATCH, reader.physicalRows() - done);
      if (rows == 0) {
        return null;
      }
      long[] offsets = new long[rows];
      ArrowBuf ids = allocator.buffer((long) rows * Long.BYTES);
      for (int i = 0; i < rows; i++) {
        offsets[i] = done + i;
        long address = RowAddress.pack(fragment().id(), offsets[i]);
        ids.setLong((long) i * Long.BYTES, address);
      }
      done += rows;
      List<ArrayData> arrays = new ArrayList<>();
      arrays.add(new ArrayData(rows, 0, new ArrowBuf[] {null, ids}));
      arrays.addAll(reader.take(offsets, allocator));
      return new ArrayBatch(rows, arrays);
    }

    @Override
    public void close() {
      reader.close();
    }
  }
}
