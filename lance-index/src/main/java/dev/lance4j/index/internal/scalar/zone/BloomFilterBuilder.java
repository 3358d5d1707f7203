package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.hash.XxHash64;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.Field;

/** Puts the values of each zone into a filter. For use by one thread. */
final class BloomFilterBuilder implements Zones.Collector {
  private final ArrayLayout layout;
  private final int filterBytes;
  private final Consumer<BloomZone> zones;
  private byte[] values = new byte[0];
  private SplitBlockFilter filter;
  private boolean hasNull;

  /**
   * @param zones gets each zone when it is finished
   */
  BloomFilterBuilder(Field valueField, int filterBytes, Consumer<BloomZone> zones) {
    this.layout = ArrayLayout.of(valueField);
    this.filterBytes = filterBytes;
    this.zones = zones;
    start();
  }

  private void start() {
    filter = SplitBlockFilter.empty(filterBytes);
    hasNull = false;
  }

  @Override
  public void add(ArrayData array, int from, int to) {
    if (layout.isVariable()) {
      addVariable(array, from, to);
    } else {
      addFixed(array, from, to);
    }
  }

  private void addFixed(ArrayData array, int from, int to) {
    int width = layout.bits() / Byte.SIZE;
    copy(array.buffer(1), (long) from * width, (to - from) * width);
    for (int row = from; row < to; row++) {
      add(array, row, (row - from) * width, width);
    }
  }

  private void addVariable(ArrayData array, int from, int to) {
    long start = offset(array, from);
    copy(array.buffer(2), start, Math.toIntExact(offset(array, to) - start));
    for (int row = from; row < to; row++) {
      int at = (int) (offset(array, row) - start);
      add(array, row, at, (int) (offset(array, row + 1) - start) - at);
    }
  }

  private long offset(ArrayData array, int row) {
    ArrowBuf offsets = array.buffer(1);
    return layout.hasLongOffsets()
        ? offsets.getLong((long) row * Long.BYTES)
        : offsets.getInt((long) row * Integer.BYTES);
  }

  /** Values are hashed from an array, to which copying all of them at once is cheap. */
  private void copy(ArrowBuf from, long start, int length) {
    if (length > values.length) {
      values = new byte[length];
    }
    if (length > 0) {
      from.getBytes(start, values, 0, length);
    }
  }

  private void add(ArrayData array, int row, int at, int length) {
    if (array.isValid(row)) {
      filter.add(XxHash64.hash(values, at, length));
    } else {
      hasNull = true;
    }
  }

  @Override
  public void finish(ZoneRange zone) {
    zones.accept(new BloomZone(zone, hasNull, filter));
    start();
  }
}
