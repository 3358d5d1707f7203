package dev.lance4j.index.internal.scalar;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.internal.data.RowGather;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.segment.IndexedRows;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexFile;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Segments in memory of the first column of tables, without a table of the format around them. */
public final class ColumnSegments implements AutoCloseable {
  private static final int BATCH_ROWS = 50;

  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Table table = Table.at(new StoreLocation(store, "t.lance", "memory://t.lance"));
  private final Session session = Session.create();
  private final ScalarKind kind;
  private final BufferAllocator allocator;
  private long memoryBytes = 1 << 20;

  public ColumnSegments(ScalarKind kind, BufferAllocator allocator) {
    this.kind = kind;
    this.allocator = allocator;
  }

  /** The most memory for rows that are sorted from now on. */
  public ColumnSegments withMemory(long bytes) {
    memoryBytes = bytes;
    return this;
  }

  /** The column of a table that is indexed. */
  public static LanceField field(ArrowTable rows) {
    return LanceSchema.fromArrow(rows.root().getSchema()).fields().get(0);
  }

  /**
   * Writes a segment.
   *
   * @param old segments whose rows are taken over
   * @param rows whose first column goes into the segment
   * @param numbers of the rows
   */
  public SegmentFiles write(
      ScalarIndexSpec spec, List<SegmentInput.Old> old, ArrowTable rows, long[] numbers) {
    LanceField field = field(rows);
    Field number = Field.notNullable("_rowid", new ArrowType.Int(64, false));
    Schema schema = new Schema(List.of(IndexedRows.valueField(field), number));
    try (SegmentWriter out = new SegmentWriter(table, allocator);
        Rows source = new Rows(rows, numbers, schema, allocator)) {
      kind.write(
          new SegmentInput(
              field,
              old,
              source,
              schema,
              new SortedRows.Memory(memoryBytes, null),
              allocator,
              IndexProgress.NONE),
          spec,
          out);
      IndexMetadata metadata =
          new IndexMetadata(
              out.uuid(),
              List.of(field.id()),
              "index",
              1,
              ByteString.EMPTY,
              Optional.of(new IndexDetails(kind.typeUrl(), ByteString.EMPTY)),
              OptionalInt.of(kind.version()),
              OptionalLong.empty(),
              OptionalInt.empty(),
              out.finish(),
              UnknownFieldSet.getDefaultInstance());
      return files(metadata, field);
    }
  }

  private SegmentFiles files(IndexMetadata metadata, LanceField field) {
    String path = table.indexPath(metadata.uuid());
    return new SegmentFiles(new StoreLocation(store, path, path), metadata, field, session);
  }

  /** The same files, opened through a session that knows nothing of them. */
  public static SegmentFiles afresh(SegmentFiles files, Session session) {
    return new SegmentFiles(files.location(), files.metadata(), files.field(), session);
  }

  /** The bytes of a file. */
  public byte[] bytes(SegmentFiles files, String name) {
    try (ObjectReader reader = store.open(files.path(name))) {
      byte[] bytes = new byte[(int) reader.size()];
      reader.read(0, bytes.length).get(bytes);
      return bytes;
    }
  }

  /** Puts other bytes into the place of a file, whose size is then the right one. */
  public SegmentFiles replace(SegmentFiles files, String name, byte[] bytes) {
    store.put(files.path(name), ByteBuffer.wrap(bytes));
    List<IndexFile> sizes =
        files.metadata().files().stream()
            .map(file -> file.path().equals(name) ? new IndexFile(name, bytes.length) : file)
            .toList();
    return withFiles(files, sizes);
  }

  /** A segment of other files. */
  public SegmentFiles of(LanceField field, Map<String, byte[]> files) {
    SegmentFiles empty =
        files(
            new IndexMetadata(
                UUID.randomUUID(),
                List.of(field.id()),
                "index",
                1,
                ByteString.EMPTY,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                List.of(),
                UnknownFieldSet.getDefaultInstance()),
            field);
    files.forEach((name, bytes) -> store.put(empty.path(name), ByteBuffer.wrap(bytes)));
    return empty;
  }

  /** The segment as if its metadata had other files. */
  public static SegmentFiles withFiles(SegmentFiles files, List<IndexFile> sizes) {
    IndexMetadata old = files.metadata();
    IndexMetadata metadata =
        new IndexMetadata(
            old.uuid(),
            old.fieldIds(),
            old.name(),
            old.datasetVersion(),
            old.fragmentBytes(),
            old.details(),
            old.indexVersion(),
            old.createdAtMillis(),
            old.baseId(),
            sizes,
            old.unknown());
    return new SegmentFiles(files.location(), metadata, files.field(), files.session());
  }

  @Override
  public void close() {
    session.close();
  }

  /** The rows of a table in batches, with their numbers. */
  private static final class Rows implements ArrayBatchReader.Source {
    private final List<Field> fields;
    private final ArrayBatch all;
    private final BufferAllocator allocator;
    private int next;

    Rows(ArrowTable rows, long[] numbers, Schema schema, BufferAllocator allocator) {
      this.fields = schema.getFields();
      this.allocator = allocator;
      LanceSchema own = LanceSchema.fromArrow(rows.root().getSchema());
      List<ArrayData> arrays = FieldArrays.of(own, rows.root(), rows.dictionaries());
      arrays.subList(1, arrays.size()).forEach(ArrayData::close);
      ArrowBuf buffer = allocator.buffer((long) numbers.length * Long.BYTES);
      for (int i = 0; i < numbers.length; i++) {
        buffer.setLong((long) i * Long.BYTES, numbers[i]);
      }
      ArrayData ids = new ArrayData(numbers.length, 0, new ArrowBuf[] {null, buffer});
      this.all = new ArrayBatch(numbers.length, List.of(arrays.get(0), ids));
    }

    @Override
    public ArrayBatch next() {
      if (next == all.rows()) {
        return null;
      }
      int from = next;
      next = Math.min(all.rows(), from + BATCH_ROWS);
      return RowGather.slice(fields, all, from, next - from, allocator);
    }

    @Override
    public void close() {
      all.close();
    }
  }
}
