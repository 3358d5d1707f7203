package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Rows by value: batches of values and the rows that have them. A value comes once for as many rows
 * as fit in memory. For use by one thread.
 */
final class GroupedRows<S extends RowSet<S>> implements ArrayBatchReader.Source {
  // The lists and arrays around the rows and the value of a group.
  private static final long GROUP_BYTES = 96;
  private static final int MAX_KEY_BYTES = 1 << 30;

  private final ArrayBatchReader.Source rows;
  private final RowDomain<S> domain;
  private final long memoryBytes;
  private final ValueKeys keys;
  private final KeyedBitmaps out;
  private final List<byte[]> values = new ArrayList<>();
  private final List<RowList> groups = new ArrayList<>();
  private KeyTable table = new KeyTable();
  private RowList nulls = new RowList();
  private long rowBytes;
  private int given;
  private boolean atEnd;

  /**
   * @param rows values and numbers of rows; stays the caller's
   * @param memoryBytes about how much memory to use
   */
  GroupedRows(
      ArrayBatchReader.Source rows,
      Field valueField,
      RowDomain<S> domain,
      long memoryBytes,
      BufferAllocator allocator) {
    this.rows = rows;
    this.domain = domain;
    this.memoryBytes = memoryBytes;
    this.keys = ValueKeys.of(valueField);
    this.out = new KeyedBitmaps(KeyedBitmaps.largeSchema(valueField), allocator);
  }

  @Override
  public ArrayBatch next() {
    while (given == groups.size() && nulls.size() == 0 && !atEnd) {
      collect();
    }
    if (nulls.size() > 0) {
      out.add(null, nulls.toSet(domain).toBytes());
      nulls = new RowList();
    }
    while (given < groups.size() && !out.isFull()) {
      out.add(values.get(given), groups.get(given).toSet(domain).toBytes());
      // Let go of the memory as early as possible.
      groups.set(given++, null);
    }
    return out.size() == 0 ? null : out.take();
  }

  private void collect() {
    table = new KeyTable();
    values.clear();
    groups.clear();
    given = 0;
    rowBytes = 0;
    do {
      try (ArrayBatch batch = rows.next()) {
        if (batch == null) {
          atEnd = true;
          return;
        }
        add(batch.arrays().get(0), batch.arrays().get(1).buffer(1), batch.rows());
      }
    } while (!isFull());
  }

  private boolean isFull() {
    return rowBytes + table.memoryBytes() > memoryBytes || table.bytes() > MAX_KEY_BYTES;
  }

  private void add(ArrayData batch, ArrowBuf numbers, int count) {
    for (int row = 0; row < count; row++) {
      RowList group = keys.isNull(batch, row) ? nulls : group(batch, row);
      rowBytes += group.bytesToGrow();
      group.add(numbers.getLong((long) row * Long.BYTES));
    }
  }

  private RowList group(ArrayData batch, int row) {
    int length = keys.encode(batch, row);
    int number = table.add(keys.encoded(), length);
    if (number == groups.size()) {
      groups.add(new RowList());
      values.add(keys.bytes(batch, row));
      rowBytes += GROUP_BYTES + length;
    }
    return groups.get(number);
  }

  @Override
  public void close() {}
}
