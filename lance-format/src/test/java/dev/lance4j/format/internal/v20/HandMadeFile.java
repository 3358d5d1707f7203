package dev.lance4j.format.internal.v20;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Pages put together by hand, and read without a container around them. */
final class HandMadeFile implements BufferSink {
  private static final String PATH = "hand.lance";
  private static final int ALIGNMENT = 64;
  private static final byte PADDING = 0x48;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<ColumnMetadata.Builder> columns = new ArrayList<>();

  /** Bytes from hexadecimal digits with any spaces between them. */
  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replaceAll("\\s", ""));
  }

  /** Little-endian values of 64 bits. */
  static byte[] longs(long... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(values);
    return buffer.array();
  }

  /** Little-endian values of 32 bits. */
  static byte[] ints(int... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asIntBuffer().put(values);
    return buffer.array();
  }

  static ArrayEncoding encoding(String digits) {
    try {
      return ArrayEncoding.parseFrom(hex(digits));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public long write(ByteBuffer... parts) {
    long at = bytes.size();
    for (ByteBuffer part : parts) {
      byte[] copy = new byte[part.remaining()];
      part.slice().get(copy);
      bytes.writeBytes(copy);
    }
    while (bytes.size() % ALIGNMENT != 0) {
      bytes.write(PADDING);
    }
    return at;
  }

  /** Everything written so far. */
  byte[] toBytes() {
    return bytes.toByteArray();
  }

  /** Starts a column. */
  HandMadeFile column() {
    columns.add(ColumnMetadata.newBuilder().setEncoding(Encodings.values()));
    return this;
  }

  /** Starts a column whose values are elsewhere. */
  HandMadeFile blobColumn() {
    columns.add(ColumnMetadata.newBuilder().setEncoding(Encodings.blobs()));
    return this;
  }

  /** Adds columns as a writer made them. */
  HandMadeFile columns(List<ColumnMetadata> written) {
    written.forEach(column -> columns.add(column.toBuilder()));
    return this;
  }

  /** Adds a page to the newest column. */
  HandMadeFile page(long rows, ArrayEncoding encoding, byte[]... buffers) {
    PageBuilder page = new PageBuilder();
    for (byte[] buffer : buffers) {
      page.add(ByteBuffer.wrap(buffer));
    }
    columns.get(columns.size() - 1).addPages(page.write(this, rows, encoding));
    return this;
  }

  /** Adds a page to the newest column, the encoding as hexadecimal digits. */
  HandMadeFile page(long rows, String encoding, byte[]... buffers) {
    return page(rows, encoding(encoding), buffers);
  }

  List<ColumnInfo> columns() {
    List<ColumnInfo> infos = new ArrayList<>();
    for (ColumnMetadata.Builder builder : columns) {
      ColumnMetadata column = builder.build();
      List<PageInfo> pages = new ArrayList<>();
      long row = 0;
      for (ColumnMetadata.Page page : column.getPagesList()) {
        pages.add(new PageInfo(PATH, infos.size(), pages.size(), page, row));
        row += page.getLength();
      }
      infos.add(new ColumnInfo(infos.size(), column, pages, row));
    }
    return infos;
  }

  /** Columns in the order of the fields, as a file of version 2.0 has them. */
  static ColumnNode node(Field field) {
    return node(field, new int[1]);
  }

  private static ColumnNode node(Field field, int[] next) {
    int column = next[0]++;
    List<ColumnNode> children = new ArrayList<>();
    if (!PageTypes.isFixedSizeList(field)) {
      for (Field child : field.getChildren()) {
        children.add(node(child, next));
      }
    }
    return new ColumnNode(field, column, true, children);
  }

  FieldReader reader(ColumnNode node) {
    return V20FieldReaders.create(node, columns());
  }

  /** Reads rows of a field whose columns start with the first one. */
  List<Object> read(Field field, RowRanges rows, BufferAllocator allocator) {
    return read(node(field), rows, allocator);
  }

  List<Object> read(ColumnNode node, RowRanges rows, BufferAllocator allocator) {
    ObjectStore store = new MemoryObjectStore();
    store.put(PATH, ByteBuffer.wrap(toBytes()));
    try (ObjectReader object = store.open(PATH);
        ArrayData data = run(reader(node).read(rows), object, allocator)) {
      return values(node.field(), data, allocator);
    }
  }

  static ArrayData run(FieldRead read, ObjectReader object, BufferAllocator allocator) {
    RangeRequests requests = new RangeRequests(object);
    while (read.request(requests)) {
      requests.execute();
    }
    return read.decode(allocator);
  }

  static List<Object> values(Field field, ArrayData data, BufferAllocator allocator) {
    try (FieldVector vector = field.createVector(allocator)) {
      ArrayDataVectors.load(data, vector, allocator);
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < data.length(); i++) {
        values.add(text(vector.getObject(i)));
      }
      return values;
    }
  }

  /** Texts and bytes as strings, so that values can be compared. */
  private static Object text(Object value) {
    if (value instanceof byte[] raw) {
      return HexFormat.of().formatHex(raw);
    }
    return value == null ? null : value.toString();
  }
}
