package dev.lance4j.index.internal.scalar;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.IndexFile;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.roaringbitmap.RoaringBitmap;

/** Writes and opens segments of one kind without a table around them. */
public final class SegmentBench implements AutoCloseable {
  private static final int BATCH_ROWS = 7;

  private final BufferAllocator allocator = new RootAllocator();
  private final Session session = Session.create(1 << 20);
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Table table = Table.at(new StoreLocation(store, "t.lance", "memory://t.lance"));
  private final ScalarKind kind;
  private final Field valueField;
  private final RowDomain<?> domain;
  private final long memoryBytes;

  /**
   * @param valueField named {@code value}
   * @param domain what the numbers of rows are
   * @param memoryBytes for building
   */
  public SegmentBench(ScalarKind kind, Field valueField, RowDomain<?> domain, long memoryBytes) {
    this.kind = kind;
    this.valueField = valueField;
    this.domain = domain;
    this.memoryBytes = memoryBytes;
  }

  public BufferAllocator allocator() {
    return allocator;
  }

  public MemoryObjectStore store() {
    return store;
  }

  /** The indexed field. */
  public LanceField field() {
    return LanceSchema.fromArrow(new Schema(List.of(valueField))).fields().get(0);
  }

  /** A segment of rows of a pool of values. */
  public SegmentFiles train(ScalarIndexSpec spec, ArrowTable pool, int[] picks, long[] rows) {
    return write(spec, List.of(), pool, picks, rows);
  }

  /** A segment of older ones and of rows. */
  public SegmentFiles write(
      ScalarIndexSpec spec, List<SegmentInput.Old> old, ArrowTable pool, int[] picks, long[] rows) {
    String number = domain == RowDomain.STABLE_IDS ? "_rowid" : "_rowaddr";
    Schema schema =
        new Schema(List.of(valueField, Field.notNullable(number, new ArrowType.Int(64, false))));
    try (SegmentWriter out = new SegmentWriter(table, allocator);
        Rows source = new Rows(pool, picks, rows)) {
      SegmentInput input =
          new SegmentInput(
              field(),
              old,
              source,
              schema,
              new SortedRows.Memory(memoryBytes, null),
              allocator,
              IndexProgress.NONE);
      kind.write(input, spec, out);
      return files(out);
    }
  }

  /**
   * A segment of one file with any content.
   *
   * @param version of the index's format
   */
  public SegmentFiles write(
      String file, int version, Schema schema, Consumer<LanceFileWriter> content) {
    try (SegmentWriter out = new SegmentWriter(table, allocator)) {
      out.write(file, schema, content);
      return files(out.uuid(), version, out.finish());
    }
  }

  private SegmentFiles files(SegmentWriter out) {
    return files(out.uuid(), kind.version(), out.finish());
  }

  private SegmentFiles files(UUID uuid, int version, List<IndexFile> files) {
    IndexMetadata metadata =
        new IndexMetadata(
            uuid,
            List.of(0),
            "value_idx",
            1,
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.of(version),
            OptionalLong.empty(),
            OptionalInt.empty(),
            files,
            UnknownFieldSet.getDefaultInstance());
    String path = table.indexPath(uuid);
    return new SegmentFiles(new StoreLocation(store, path, path), metadata, field(), session);
  }

  /** A copy of a segment of one file, with other content. */
  public SegmentFiles copy(SegmentFiles files, UnaryOperator<byte[]> change) {
    return put(files.names().get(0), change.apply(bytes(files)));
  }

  private SegmentFiles put(String name, byte[] bytes) {
    UUID uuid = UUID.randomUUID();
    store.put(table.indexPath(uuid) + '/' + name, ByteBuffer.wrap(bytes));
    return files(uuid, kind.version(), List.of(new IndexFile(name, bytes.length)));
  }

  /** A copy of a segment of one file of another bench. */
  public SegmentFiles adopt(SegmentBench owner, SegmentFiles files) {
    return put(files.names().get(0), owner.bytes(files));
  }

  /** A table without rows. */
  public static ArrowTable noRows(Field field, BufferAllocator allocator) {
    return RandomData.table(List.of(field), NullPattern.NONE, 0, 0, allocator);
  }

  /** The bytes of the file of a segment of one file. */
  public byte[] bytes(SegmentFiles files) {
    try (ObjectReader reader = store.open(files.path(files.names().get(0)))) {
      byte[] bytes = new byte[(int) reader.size()];
      reader.read(0, bytes.length).get(bytes);
      return bytes;
    }
  }

  /** An older segment whose rows are all taken over. */
  public static SegmentInput.Old whole(SegmentFiles files, RoaringBitmap fragments) {
    return new SegmentInput.Old(files, RowTranslation.KEEP, fragments);
  }

  /** Opens a segment and uses it. */
  public <R> R with(SegmentFiles files, Function<ScalarSegment<?>, R> use) {
    try (ScalarSegment<?> segment = kind.open(files, domain, allocator)) {
      return use.apply(segment);
    }
  }

  /** What a segment can say to a query. */
  public Support support(SegmentFiles files, ScalarQuery query) {
    return kind.support(query, files);
  }

  /** What a segment says to a query. */
  public SegmentAnswer<?> search(SegmentFiles files, ScalarQuery query) {
    return with(files, segment -> segment.search(query, allocator));
  }

  /** All of a set's rows. */
  public static List<Long> list(RowSet<?> rows) {
    List<Long> list = new ArrayList<>();
    rows.iterator().forEachRemaining((long row) -> list.add(row));
    return list;
  }

  @Override
  public void close() {
    session.close();
    allocator.close();
  }

  /** Rows in small batches. */
  private final class Rows implements ArrayBatchReader.Source {
    private final ArrowTable pool;
    private final int[] picks;
    private final long[] rows;
    private int done;

    Rows(ArrowTable pool, int[] picks, long[] rows) {
      this.pool = pool;
      this.picks = picks;
      this.rows = rows;
    }

    @Override
    public ArrayBatch next() {
      int count = Math.min(BATCH_ROWS, rows.length - done);
      if (count == 0) {
        return null;
      }
      int[] some = Arrays.copyOfRange(picks, done, done + count);
      try (ArrowTable values = Tables.gather(pool, some, allocator)) {
        ArrayData array =
            ArrayDataVectors.of(values.root().getVector(0), count, "value", values.dictionaries());
        ArrowBuf numbers = allocator.buffer((long) count * Long.BYTES);
        for (int i = 0; i < count; i++) {
          numbers.setLong((long) i * Long.BYTES, rows[done + i]);
        }
        done += count;
        return new ArrayBatch(
            count, List.of(array, new ArrayData(count, 0, new ArrowBuf[] {null, numbers})));
      }
    }

    @Override
    public void close() {}
  }
}
