package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.KeyColumn;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.internal.sort.ValueKeys;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.index.internal.segment.Sources;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes keys and their rows in order, the null key first, joining what is known of a key in
 * several places. For use by one thread.
 */
final class BitmapWriter<S extends RowSet<S>> {
  // So few that even the sets of very large tables fit into memory together.
  private static final int SORTED_BATCH_KEYS = 64;
  private static final String SORTED = "sorted bitmaps";

  private final Field valueField;
  private final RowDomain<S> domain;
  private final SortedRows.Memory memory;
  private final BufferAllocator allocator;
  private final LanceFileWriter file;
  private final ValueKeys keys;
  private final ValueKeys bitmapBytes;
  private final KeyedBitmaps out;
  private byte[] key;
  private byte[] value;
  private byte[] bitmap;
  private RowSet.Builder<S> joined;

  private BitmapWriter(
      SegmentInput input, Field valueField, RowDomain<S> domain, LanceFileWriter file) {
    this.valueField = valueField;
    this.domain = domain;
    this.memory = BitmapSources.half(input.memory());
    this.allocator = input.allocator();
    this.file = file;
    this.keys = ValueKeys.of(valueField);
    this.bitmapBytes = ValueKeys.of(KeyedBitmaps.largeSchema(valueField).getFields().get(1));
    this.out = new KeyedBitmaps(BitmapFile.schema(valueField), allocator);
  }

  /**
   * Writes the file of a segment.
   *
   * @param valueField of the keys
   * @param sources batches of keys and bitmaps, of which none is open yet
   * @param more writes metadata and global buffers
   */
  static <S extends RowSet<S>> void write(
      SegmentInput input,
      Field valueField,
      RowDomain<S> domain,
      List<ArrayBatchReader.Source> sources,
      SegmentWriter out,
      Consumer<LanceFileWriter> more) {
    out.write(
        BitmapFile.NAME,
        BitmapFile.schema(valueField),
        file -> {
          new BitmapWriter<>(input, valueField, domain, file).write(sources);
          more.accept(file);
        });
  }

  private void write(List<ArrayBatchReader.Source> sources) {
    Schema schema = KeyedBitmaps.largeSchema(valueField);
    List<KeyColumn> order = List.of(new KeyColumn(0, false, true));
    try (SortedRows sorted =
        new SortedRows(
            new Chained(sources),
            schema,
            order,
            SORTED_BATCH_KEYS,
            memory,
            allocator,
            new LongAdder())) {
      Sources.forEach(
          sorted, batch -> add(batch.arrays().get(0), batch.arrays().get(1), batch.rows()));
    }
    finishKey();
    flush();
    file.addMetadata(BitmapFile.STATISTICS, "{\"num_bitmaps\":" + file.rowCount() + "}");
  }

  private void add(ArrayData keyArray, ArrayData bitmaps, int count) {
    for (int i = 0; i < count; i++) {
      boolean isNull = keys.isNull(keyArray, i);
      byte[] next = isNull ? null : keys.key(keyArray, i);
      if (bitmap == null || !Arrays.equals(key, next)) {
        finishKey();
        key = next;
        value = isNull ? null : keys.bytes(keyArray, i);
        bitmap = bitmapBytes.bytes(bitmaps, i);
      } else {
        join(bitmapBytes.bytes(bitmaps, i));
      }
    }
  }

  private void join(byte[] more) {
    if (joined == null) {
      joined = domain.builder();
      joined.addAll(domain.parse(ByteBuffer.wrap(bitmap), SORTED));
    }
    joined.addAll(domain.parse(ByteBuffer.wrap(more), SORTED));
  }

  private void finishKey() {
    if (bitmap == null) {
      return;
    }
    out.add(value, joined == null ? bitmap : joined.build().toBytes());
    bitmap = null;
    joined = null;
    if (out.isFull()) {
      flush();
    }
  }

  private void flush() {
    if (out.size() > 0) {
      try (ArrayBatch batch = out.take()) {
        file.write(batch.arrays(), batch.rows());
      }
    }
  }

  /** One source after another. */
  private static final class Chained implements ArrayBatchReader.Source {
    private final List<ArrayBatchReader.Source> sources;
    private int current;

    Chained(List<ArrayBatchReader.Source> sources) {
      this.sources = sources;
    }

    @Override
    public ArrayBatch next() {
      while (current < sources.size()) {
        ArrayBatch batch = sources.get(current).next();
        if (batch != null) {
          return batch;
        }
        current++;
      }
      return null;
    }

    @Override
    public void close() {
      Sources.closeAll(sources);
    }
  }
}
