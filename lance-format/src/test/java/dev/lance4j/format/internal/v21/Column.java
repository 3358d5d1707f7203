package dev.lance4j.format.internal.v21;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.proto.file.v2.DirectEncoding;
import dev.lance4j.format.proto.file.v2.Encoding;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.types.pojo.ArrowType.ArrowTypeID;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A column of hand-made pages, in a file of its own in memory. */
final class Column {
  static final String PATH = "column";
  private static final int ALIGNMENT = 64;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private List<PageInfo> pages = new ArrayList<>();
  private List<ColumnMetadata.Page> messages = new ArrayList<>();
  private int index;
  private long rows;

  /** The same pages with some bytes of the file or of one page's message changed. */
  Column damaged(SplittableRandom random) {
    Column copy = new Column();
    byte[] bytes = file.toByteArray();
    int target = random.nextInt(3);
    for (int i = random.nextInt(1, 6); i > 0 && target == 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) damagedByte(random);
    }
    copy.file.writeBytes(bytes);
    int damagedPage = random.nextInt(pages.size());
    for (int i = 0; i < pages.size(); i++) {
      ColumnMetadata.Page.Builder message = messages.get(i).toBuilder();
      if (i == damagedPage && target == 1) {
        damageEncoding(message, random);
      }
      if (i == damagedPage && target == 2) {
        damageSizes(message, random);
      }
      copy.add(message.build());
    }
    return copy;
  }

  private static int damagedByte(SplittableRandom random) {
    return random.nextBoolean() ? random.nextInt(256) : random.nextBoolean() ? 0xff : 0;
  }

  private static void damageEncoding(ColumnMetadata.Page.Builder message, SplittableRandom random) {
    byte[] encoding = message.getEncoding().getDirect().getEncoding().toByteArray();
    // The type's name comes first; damage there only makes the message unknown.
    int from = Math.min(33, encoding.length - 1);
    encoding[random.nextInt(from, encoding.length)] = (byte) damagedByte(random);
    message.getEncodingBuilder().getDirectBuilder().setEncoding(ByteString.copyFrom(encoding));
  }

  private static void damageSizes(ColumnMetadata.Page.Builder message, SplittableRandom random) {
    if (random.nextBoolean() || message.getBufferSizesCount() == 0) {
      message.setLength(
          random.nextBoolean() ? random.nextInt(20) : random.nextLong(1L << random.nextInt(1, 40)));
    } else {
      int buffer = random.nextInt(message.getBufferSizesCount());
      message.setBufferSizes(buffer, random.nextLong(message.getBufferSizes(buffer) + 1));
    }
  }

  /** Appends bytes outside any page and returns their position. */
  long bytes(byte[] bytes) {
    long position = file.size();
    file.writeBytes(bytes);
    while (file.size() % ALIGNMENT != 0) {
      file.write('H');
    }
    return position;
  }

  /** Makes the next pages those of another column. */
  void beginColumn() {
    index += pages.isEmpty() ? 0 : 1;
    pages = new ArrayList<>();
    messages = new ArrayList<>();
    rows = 0;
  }

  /** Appends a page. */
  Column page(PageLayout layout, long pageRows, byte[]... buffers) {
    ColumnMetadata.Page.Builder page = ColumnMetadata.Page.newBuilder().setLength(pageRows);
    for (byte[] buffer : buffers) {
      page.addBufferSizes(buffer.length);
      page.addBufferOffsets(bytes(buffer));
    }
    page.setEncoding(
        Encoding.newBuilder()
            .setDirect(
                DirectEncoding.newBuilder().setEncoding(Any.pack(layout, "").toByteString())));
    add(page.build());
    return this;
  }

  private void add(ColumnMetadata.Page message) {
    messages.add(message);
    pages.add(new PageInfo(PATH, index, pages.size(), message, rows));
    rows += message.getLength();
  }

  long rows() {
    return rows;
  }

  List<PageInfo> pages() {
    return pages;
  }

  ColumnInfo info() {
    return new ColumnInfo(index, ColumnMetadata.getDefaultInstance(), pages, rows);
  }

  /** The file with the pages written so far. */
  ObjectReader open() {
    return store().open(PATH);
  }

  /** A store with the pages written so far in the file {@link #PATH}. */
  ObjectStore store() {
    ObjectStore store = new MemoryObjectStore();
    store.putIfAbsent(PATH, ByteBuffer.wrap(file.toByteArray()));
    return store;
  }

  /** A reader of the column as a field, all of whose leaves are this column. */
  FieldReader reader(Field field) {
    return V21FieldReaders.create(PATH, node(field), List.of(info()));
  }

  private static ColumnNode node(Field field) {
    boolean list =
        switch (field.getType().getTypeID()) {
          case List, LargeList, Map -> true;
          case Struct -> field.getMetadata().isEmpty() && !field.getChildren().isEmpty();
          case FixedSizeList -> {
            Field item = field.getChildren().get(0);
            yield item.getType().getTypeID() == ArrowTypeID.Struct;
          }
          default -> false;
        };
    if (!list) {
      return new ColumnNode(field, 0, true, List.of());
    }
    return new ColumnNode(
        field, ColumnNode.NONE, true, field.getChildren().stream().map(Column::node).toList());
  }

  /** The values of all rows as text. */
  List<String> read(Field field) {
    return read(field, RowRanges.of(0, rows));
  }

  /** The values of some rows as text. */
  List<String> read(Field field, RowRanges ranges) {
    try (ObjectReader reader = open();
        BufferAllocator allocator = new RootAllocator()) {
      FieldRead read = reader(field).read(ranges);
      return text(field, fetch(read, reader, allocator), allocator);
    }
  }

  static ArrayData fetch(FieldRead read, ObjectReader reader, BufferAllocator allocator) {
    RangeRequests requests = new RangeRequests(reader);
    while (read.request(requests)) {
      requests.execute();
    }
    return read.decode(allocator);
  }

  /** The values of an array, which is closed, as text. */
  static List<String> text(Field field, ArrayData array, BufferAllocator allocator) {
    try (array) {
      if (field.getDictionary() != null) {
        return decodedText(field, array, allocator);
      }
      try (FieldVector vector = field.createVector(allocator)) {
        ArrayDataVectors.load(array, vector, allocator);
        return text(vector);
      }
    }
  }

  private static List<String> decodedText(Field field, ArrayData array, BufferAllocator allocator) {
    Field keys =
        new Field(
            field.getName(),
            new FieldType(true, field.getDictionary().getIndexType(), field.getDictionary()),
            List.of());
    Field values = new Field("values", FieldType.nullable(field.getType()), List.of());
    try (FieldVector keyVector = keys.createVector(allocator);
        FieldVector valueVector = values.createVector(allocator)) {
      ArrayDataVectors.load(array, keyVector, allocator);
      ArrayDataVectors.load(array.dictionary(), valueVector, allocator);
      Dictionary dictionary = new Dictionary(valueVector, field.getDictionary());
      try (FieldVector decoded =
          (FieldVector) DictionaryEncoder.decode(keyVector, dictionary, allocator)) {
        return text(decoded);
      }
    }
  }

  private static List<String> text(FieldVector vector) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < vector.getValueCount(); i++) {
      Object value = vector.getObject(i);
      values.add(
          value instanceof byte[] bytes
              ? new String(bytes, StandardCharsets.UTF_8)
              : String.valueOf(value));
    }
    return values;
  }
}
