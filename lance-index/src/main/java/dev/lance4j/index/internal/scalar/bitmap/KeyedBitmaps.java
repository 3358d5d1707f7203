package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.index.internal.segment.StoredValues;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Keys and serialised sets of rows on their way into a batch. For use by one thread. */
final class KeyedBitmaps {
  /** The most keys of a batch. */
  static final int MAX_KEYS = 1024;

  private static final long MAX_BYTES = 32L << 20;

  private final List<Field> fields;
  private final BufferAllocator allocator;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<byte[]> bitmaps = new ArrayList<>();
  private long bytes;

  /**
   * @param schema of the batches: keys and bitmaps
   */
  KeyedBitmaps(Schema schema, BufferAllocator allocator) {
    this.fields = schema.getFields();
    this.allocator = allocator;
  }

  /** The schema of batches of bitmaps that may be larger together than files allow. */
  static Schema largeSchema(Field values) {
    return new Schema(
        List.of(
            BitmapFile.keyField(values),
            Field.notNullable(BitmapFile.BITMAPS, ArrowType.LargeBinary.INSTANCE)));
  }

  /** Adds a key, null for the null one, and its rows. */
  void add(byte[] key, byte[] bitmap) {
    keys.add(key);
    bitmaps.add(bitmap);
    bytes += (key == null ? 0 : key.length) + bitmap.length;
  }

  int size() {
    return keys.size();
  }

  /** Whether a batch should be made before more is added. */
  boolean isFull() {
    return keys.size() >= MAX_KEYS || bytes >= MAX_BYTES;
  }

  /** Gives what was added, and starts anew. */
  ArrayBatch take() {
    ArrayBatch batch = StoredValues.batch(fields, List.of(keys, bitmaps), allocator);
    keys.clear();
    bitmaps.clear();
    bytes = 0;
    return batch;
  }
}
