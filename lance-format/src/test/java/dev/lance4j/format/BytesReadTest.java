package dev.lance4j.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.format.testing.Tables;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A single row is read with hardly more bytes than its layout stores for it. */
class BytesReadTest {
  private static final String PATH = "file.lance";
  private static final int ROWS = 20_000;
  private static final int FOOTER = 40;

  /** Bytes read for each that the layout needs. */
  private static final double MOST = 1.2;

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore memory = new MemoryObjectStore();

  /** A column and how it is stored; version 2.0 has one layout only. */
  record Case(Field field, FileVersion version, String layout) {
    @Override
    public String toString() {
      return field + " in version " + version + ", " + layout;
    }
  }

  static List<Case> cases() {
    Field number = SampleFields.int64("x");
    Field text = SampleFields.utf8("x");
    List<Field> fields =
        List.of(
            number,
            text,
            SampleFields.list("x", SampleFields.int64("item")),
            SampleFields.list("x", SampleFields.utf8("item")),
            SampleFields.struct("x", SampleFields.int64("a"), SampleFields.utf8("b")),
            SampleFields.list(
                "x", SampleFields.struct("item", SampleFields.int64("a"), SampleFields.utf8("b"))),
            SampleFields.list("x", SampleFields.list("item", SampleFields.int64("item"))));
    List<Case> cases = new ArrayList<>();
    for (Field field : fields) {
      cases.add(new Case(field, FileVersion.V2_0, "flat"));
      for (FileVersion version : List.of(FileVersion.V2_1, FileVersion.V2_2)) {
        cases.add(new Case(field, version, "miniblock"));
        cases.add(new Case(field, version, "fullzip"));
      }
    }
    return cases;
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void oneRowIsReadAlone(Case cell) throws InvalidProtocolBufferException {
    CountingObjectStore store = new CountingObjectStore(memory);
    try (VectorSchemaRoot table = table(cell)) {
      write(table, cell.version);
      ByteBuffer file = fileBytes();
      try (LanceFileReader reader = LanceFileReader.open(store, PATH)) {
        readRow(reader, 0);
        for (int row : new SplittableRandom(5).ints(30, 0, ROWS).toArray()) {
          store.reset();
          readRow(reader, row);
          long needed =
              cell.version == FileVersion.V2_0
                  ? flatBytes(table.getVector(0), row, row + 1)
                  : neededBytes(file, cell.layout, row);
          assertThat((double) store.bytes(StoreCall.READ))
              .as("bytes read for row %s", row)
              .isPositive()
              .isLessThanOrEqualTo(MOST * needed);
        }
      }
    }
  }

  private void readRow(LanceFileReader reader, int row) {
    Tables.drain(reader.scan().rows(row).open(allocator), allocator).close();
  }

  private void write(VectorSchemaRoot table, FileVersion version) {
    LanceSchema schema = LanceSchema.fromArrow(table.getSchema());
    try (LanceFileWriter writer =
        LanceFileWriter.create(memory, PATH, schema, version, allocator)) {
      writer.write(table);
      writer.finish();
    }
  }

  private VectorSchemaRoot table(Case cell) {
    Map<String, String> metadata =
        cell.version == FileVersion.V2_0
            ? Map.of()
            : Map.of("lance-encoding:structural-encoding", cell.layout);
    FieldType type = new FieldType(true, cell.field.getType(), null, metadata);
    Field field = new Field("x", type, cell.field.getChildren());
    VectorSchemaRoot table = VectorSchemaRoot.create(new Schema(List.of(field)), allocator);
    fill(table.getVector(0), ROWS, new SplittableRandom(3));
    table.setRowCount(ROWS);
    return table;
  }

  private static void fill(FieldVector vector, int count, SplittableRandom random) {
    vector.setInitialCapacity(count);
    vector.allocateNew();
    if (vector instanceof BigIntVector numbers) {
      for (int i = 0; i < count; i++) {
        numbers.set(i, random.nextLong());
      }
    } else if (vector instanceof VarCharVector texts) {
      for (int i = 0; i < count; i++) {
        texts.setSafe(i, Long.toString(random.nextLong()).repeat(2).getBytes(US_ASCII));
      }
    } else if (vector instanceof ListVector lists) {
      int items = 0;
      for (int i = 0; i < count; i++) {
        int length = 1 + random.nextInt(5);
        lists.startNewValue(i);
        lists.endValue(i, length);
        items += length;
      }
      fill(lists.getDataVector(), items, random);
    } else {
      StructVector structs = (StructVector) vector;
      for (int i = 0; i < count; i++) {
        structs.setIndexDefined(i);
      }
      structs.getChildrenFromFields().forEach(child -> fill(child, count, random));
    }
    vector.setValueCount(count);
  }

  /** Values without nulls in version 2.0: 8 bytes for each number and each of two offsets. */
  private static long flatBytes(FieldVector vector, int from, int to) {
    long offsets = 8 * (to - from + 1L);
    if (vector instanceof BigIntVector) {
      return 8L * (to - from);
    } else if (vector instanceof VarCharVector texts) {
      return offsets + texts.getStartOffset(to) - texts.getStartOffset(from);
    } else if (vector instanceof ListVector lists) {
      int first = lists.getElementStartIndex(from);
      int end = lists.getElementEndIndex(to - 1);
      return offsets + flatBytes(lists.getDataVector(), first, end);
    }
    long bytes = 0;
    for (FieldVector child : vector.getChildrenFromFields()) {
      bytes += flatBytes(child, from, to);
    }
    return bytes;
  }

  private ByteBuffer fileBytes() {
    try (ObjectReader reader = memory.open(PATH)) {
      return reader.read(0, (int) reader.size()).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** What the columns, each of one page, store for a row, from the file's messages and tables. */
  private static long neededBytes(ByteBuffer file, String layout, int row)
      throws InvalidProtocolBufferException {
    int columns = file.getInt(file.limit() - 12);
    int table = (int) file.getLong(file.limit() - FOOTER + 8);
    long bytes = 0;
    for (int column = 0; column < columns; column++) {
      int at = (int) file.getLong(table + 16 * column);
      int size = (int) file.getLong(table + 16 * column + 8);
      ColumnMetadata metadata = ColumnMetadata.parseFrom(file.slice(at, size));
      assertThat(metadata.getPagesCount()).isEqualTo(1);
      ColumnMetadata.Page page = metadata.getPages(0);
      Any any = Any.parseFrom(page.getEncoding().getDirect().getEncoding());
      PageLayout message = PageLayout.parseFrom(any.getValue());
      assertThat(message.hasFullZipLayout()).isEqualTo(layout.equals("fullzip"));
      bytes +=
          message.hasFullZipLayout()
              ? zippedBytes(file, page, row)
              : chunkBytes(file, page, message.getMiniBlockLayout(), row);
    }
    return bytes;
  }

  private static ByteBuffer buffer(ByteBuffer file, ColumnMetadata.Page page, int index) {
    int offset = (int) page.getBufferOffsets(index);
    return file.slice(offset, (int) page.getBufferSizes(index)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A row between its two entries in the index, or a row of the one size where there is none. */
  private static long zippedBytes(ByteBuffer file, ColumnMetadata.Page page, int row) {
    if (page.getBufferSizesCount() == 1) {
      return page.getBufferSizes(0) / ROWS;
    }
    ByteBuffer index = buffer(file, page, 1);
    int width = index.limit() / (ROWS + 1);
    return 2L * width + entry(index, width, row + 1) - entry(index, width, row);
  }

  private static long entry(ByteBuffer index, int width, int i) {
    long value = 0;
    for (int b = width - 1; b >= 0; b--) {
      value = value << 8 | (index.get(i * width + b) & 0xFF);
    }
    return value;
  }

  /** The chunks from the one where a row begins to the one where it ends. */
  private static long chunkBytes(
      ByteBuffer file, ColumnMetadata.Page page, MiniBlockLayout layout, int row) {
    ByteBuffer words = buffer(file, page, 0);
    int width = layout.getHasLargeChunk() ? Integer.BYTES : Short.BYTES;
    int stride = (layout.getRepetitionIndexDepth() + 1) * Long.BYTES;
    ByteBuffer index =
        stride == Long.BYTES ? null : buffer(file, page, page.getBufferSizesCount() - 1);
    long bytes = 0;
    long rows = 0;
    boolean goesOn = false;
    for (int chunk = 0; rows <= row; chunk++) {
      long word = entry(words, width, chunk);
      long size = ((word >>> 4) + 1) * 8;
      if (index == null) {
        rows += (word & 15) == 0 ? ROWS : 1L << (word & 15);
      } else {
        rows += index.getLong(chunk * stride);
        goesOn = index.getLong(chunk * stride + Long.BYTES) > 0;
      }
      boolean holds = row < rows || (row == rows && goesOn);
      bytes += holds ? size : 0;
    }
    return bytes;
  }
}
