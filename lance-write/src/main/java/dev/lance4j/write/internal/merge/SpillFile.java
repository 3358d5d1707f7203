package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.DictionaryIndex;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Batches that do not fit memory, in a temporary object. They are written first, and can then be
 * read again and again. A batch is a number of rows and, for each column, the arrays as they are in
 * memory. Not safe for use by many threads.
 */
final class SpillFile implements AutoCloseable {
  private static final int FIRST_CAPACITY = 1 << 16;

  private final ObjectStore store;
  private final String path;
  private final List<Field> fields;
  private final ObjectWriter writer;
  private ByteBuffer buffer = newBuffer(FIRST_CAPACITY);
  private ObjectReader reader;
  private long position;

  SpillFile(ObjectStore store, String path, List<Field> fields) {
    this.store = store;
    this.path = path;
    this.fields = fields;
    this.writer = store.create(path);
  }

  private static ByteBuffer newBuffer(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The number of bytes written. */
  long bytes() {
    return writer.position();
  }

  /** Adds a batch, which stays the caller's. */
  void append(List<ArrayData> columns, int count) {
    buffer.clear();
    reserve(Integer.BYTES);
    buffer.putInt(count);
    for (int i = 0; i < fields.size(); i++) {
      put(fields.get(i), columns.get(i));
    }
    flush();
  }

  private void flush() {
    writer.write(buffer.flip());
    buffer.clear();
  }

  private void reserve(int bytes) {
    if (buffer.remaining() < bytes) {
      flush();
      if (buffer.capacity() < bytes) {
        buffer = newBuffer(bytes);
      }
    }
  }

  private void put(Field field, ArrayData array) {
    ArrayLayout layout = ArrayLayout.of(field);
    reserve(2 * Integer.BYTES);
    buffer.putInt(array.length()).putInt(array.nullCount());
    for (int i = 0; i < array.bufferCount(); i++) {
      put(array.buffer(i), size(layout, array, i));
    }
    if (field.getDictionary() != null) {
      put(DictionaryIndex.values(field), array.dictionary());
      return;
    }
    for (int i = 0; i < field.getChildren().size(); i++) {
      put(field.getChildren().get(i), array.child(i));
    }
  }

  /** The bytes of a buffer that are in use; 0 when it is absent. */
  private static long size(ArrayLayout layout, ArrayData array, int index) {
    if (array.buffer(index) == null) {
      return 0;
    }
    int length = array.length();
    int offsetWidth = layout.hasLongOffsets() ? Long.BYTES : Integer.BYTES;
    if (index == 0) {
      return (length + 7L) >>> 3;
    } else if (index == 2) {
      return length == 0 ? 0 : offset(array, length, layout);
    } else if (layout.kind() == ArrayLayout.Kind.FIXED) {
      return ((long) length * layout.bits() + 7) >>> 3;
    }
    return (length + 1L) * offsetWidth;
  }

  private static long offset(ArrayData array, int row, ArrayLayout layout) {
    ArrowBuf offsets = array.buffer(1);
    return layout.hasLongOffsets() ? offsets.getLong(8L * row) : offsets.getInt(4L * row);
  }

  private void put(ArrowBuf values, long size) {
    reserve(Long.BYTES + 1);
    buffer.put((byte) (values == null ? 0 : 1)).putLong(size);
    for (long at = 0; at < size; ) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int part = (int) Math.min(size - at, buffer.remaining());
      buffer.limit(buffer.position() + part);
      values.getBytes(at, buffer);
      buffer.limit(buffer.capacity());
      at += part;
    }
  }

  /** Ends the writing. */
  void finish() {
    writer.commit();
    buffer = null;
    reader = store.open(path);
  }

  /** Calls back with all batches, each of which is valid only during the call. */
  void forEachBatch(BufferAllocator allocator, Consumer<ArrayBatch> consumer) {
    position = 0;
    while (position < reader.size()) {
      try (ArrayBatch batch = next(allocator)) {
        consumer.accept(batch);
      }
    }
  }

  /** All batches, owned by the caller. */
  List<List<ArrayData>> readAll(BufferAllocator allocator) {
    List<List<ArrayData>> batches = new ArrayList<>();
    boolean complete = false;
    try {
      position = 0;
      while (position < reader.size()) {
        batches.add(next(allocator).arrays());
      }
      complete = true;
      return batches;
    } finally {
      if (!complete) {
        batches.forEach(Columns::close);
      }
    }
  }

  private ArrayBatch next(BufferAllocator allocator) {
    int count = read(Integer.BYTES).getInt();
    List<ArrayData> columns = new ArrayList<>(fields.size());
    boolean complete = false;
    try {
      for (Field field : fields) {
        columns.add(array(field, allocator));
      }
      complete = true;
      return new ArrayBatch(count, columns);
    } finally {
      if (!complete) {
        Columns.close(columns);
      }
    }
  }

  private ArrayData array(Field field, BufferAllocator allocator) {
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrayLayout layout = ArrayLayout.of(field);
      ByteBuffer head = read(2 * Integer.BYTES);
      int length = head.getInt();
      int nulls = head.getInt();
      ArrowBuf[] buffers = new ArrowBuf[bufferCount(layout)];
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = values(owned);
      }
      if (field.getDictionary() != null) {
        ArrayData dictionary = owned.own(array(DictionaryIndex.values(field), allocator));
        return owned.release(new ArrayData(length, nulls, buffers, new ArrayData[0], dictionary));
      }
      ArrayData[] children = new ArrayData[field.getChildren().size()];
      for (int i = 0; i < children.length; i++) {
        children[i] = owned.own(array(field.getChildren().get(i), allocator));
      }
      return owned.release(new ArrayData(length, nulls, buffers, children));
    }
  }

  private static int bufferCount(ArrayLayout layout) {
    return switch (layout.kind()) {
      case NULL -> 0;
      case FIXED, LIST, LARGE_LIST -> 2;
      case VARIABLE, LARGE_VARIABLE -> 3;
      case STRUCT, FIXED_SIZE_LIST -> 1;
    };
  }

  private ArrowBuf values(OwnedBuffers owned) {
    ByteBuffer head = read(1 + Long.BYTES);
    boolean present = head.get() != 0;
    long size = head.getLong();
    if (!present) {
      return null;
    }
    ArrowBuf values = owned.allocate(size);
    for (long at = 0; at < size; ) {
      int part = (int) Math.min(size - at, Integer.MAX_VALUE);
      values.setBytes(at, read(part));
      at += part;
    }
    return values;
  }

  private ByteBuffer read(int bytes) {
    ByteBuffer read = reader.read(position, bytes);
    position += bytes;
    return read;
  }

  @Override
  public void close() {
    try (writer) {
      if (reader != null) {
        reader.close();
        store.delete(path);
      }
    }
  }
}
