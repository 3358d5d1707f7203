package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** Finds the least and the greatest value of each zone. For use by one thread. */
final class ZoneMapBuilder implements Zones.Collector {
  private final ValueKeys keys;
  private final FloatBits floats;
  private final List<ZoneValues> zones = new ArrayList<>();
  private ZoneValues.Value least;
  private ZoneValues.Value greatest;
  private long nulls;
  private long nans;

  ZoneMapBuilder(Field valueField) {
    this.keys = ValueKeys.of(valueField);
    this.floats = FloatBits.of(valueField);
  }

  @Override
  public void add(ArrayData values, int from, int to) {
    for (int row = from; row < to; row++) {
      if (keys.isNull(values, row)) {
        nulls++;
      } else {
        addValue(values, row);
      }
    }
  }

  private void addValue(ArrayData values, int row) {
    if (floats.isFloating() && floats.isNaN(keys.bytes(values, row))) {
      nans++;
    }
    int length = keys.encode(values, row);
    byte[] key = keys.encoded();
    if (least == null || compare(key, length, least) < 0) {
      least = value(key, length, values, row);
    }
    if (greatest == null || compare(key, length, greatest) > 0) {
      greatest = value(key, length, values, row);
    }
  }

  private static int compare(byte[] key, int length, ZoneValues.Value that) {
    return Arrays.compareUnsigned(key, 0, length, that.key(), 0, that.key().length);
  }

  private ZoneValues.Value value(byte[] key, int length, ArrayData values, int row) {
    return new ZoneValues.Value(Arrays.copyOf(key, length), keys.bytes(values, row));
  }

  @Override
  public void finish(ZoneRange zone) {
    zones.add(new ZoneValues(zone, least, greatest, nulls, nans));
    least = null;
    greatest = null;
    nulls = 0;
    nans = 0;
  }

  /** The zones that were finished. */
  List<ZoneValues> zones() {
    return zones;
  }
}
