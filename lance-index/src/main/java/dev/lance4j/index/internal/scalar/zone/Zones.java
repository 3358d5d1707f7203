package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.index.internal.segment.Sources;
import dev.lance4j.rowid.RowAddress;
import org.apache.arrow.memory.ArrowBuf;

/** Cuts rows into zones: each holds so many live rows of one fragment, the last one fewer. */
final class Zones {
  /** Takes note of the values of a zone. */
  interface Collector {
    /** Some values of the current zone. */
    void add(ArrayData values, int from, int to);

    /** The current zone ends. */
    void finish(ZoneRange zone);
  }

  private final int rowsPerZone;
  private final Collector collector;
  private long first;
  private long last;
  private int rows;

  private Zones(int rowsPerZone, Collector collector) {
    this.rowsPerZone = rowsPerZone;
    this.collector = collector;
  }

  /**
   * Cuts all rows.
   *
   * @param source values and addresses of live rows in ascending order; stays the caller's
   */
  static void cut(ArrayBatchReader.Source source, int rowsPerZone, Collector collector) {
    Zones zones = new Zones(rowsPerZone, collector);
    Sources.forEach(
        source,
        batch -> zones.add(batch.arrays().get(0), batch.arrays().get(1).buffer(1), batch.rows()));
    zones.finish();
  }

  /** The number of rows of a zone, as a file has it. */
  static int rowsPerZone(LanceFileReader file, String key, int otherwise) {
    String text = file.metadata().get(key);
    if (text == null) {
      return otherwise;
    }
    try {
      long rows = Long.parseLong(text);
      if (rows > 0) {
        return (int) Math.min(rows, Integer.MAX_VALUE);
      }
    } catch (NumberFormatException e) {
      throw notANumber(file, key, text, e);
    }
    throw notANumber(file, key, text, null);
  }

  private static CorruptFileException notANumber(
      LanceFileReader file, String key, String text, RuntimeException cause) {
    return new CorruptFileException(
        file.path(), -1, "the metadata '" + key + "' is '" + text + "', no number of rows", cause);
  }

  private void add(ArrayData values, ArrowBuf addresses, int count) {
    int from = 0;
    while (from < count) {
      long address = address(addresses, from);
      if (rows == rowsPerZone || (rows > 0 && !inSameFragment(address))) {
        finish();
      }
      int to = end(addresses, from, Math.min(count, from + (rowsPerZone - rows)));
      if (rows == 0) {
        first = address;
      }
      last = address(addresses, to - 1);
      rows += to - from;
      collector.add(values, from, to);
      from = to;
    }
  }

  private static long address(ArrowBuf addresses, int row) {
    return addresses.getLong((long) row * Long.BYTES);
  }

  private boolean inSameFragment(long address) {
    return RowAddress.fragmentId(first) == RowAddress.fragmentId(address);
  }

  /** Where the rows of the fragment of a row end: the addresses ascend. */
  private static int end(ArrowBuf addresses, int from, int limit) {
    long fragment = RowAddress.fragmentId(address(addresses, from));
    int end = limit;
    while (RowAddress.fragmentId(address(addresses, end - 1)) != fragment) {
      end--;
    }
    return end;
  }

  private void finish() {
    if (rows > 0) {
      long start = RowAddress.offset(first);
      long length = RowAddress.offset(last) - start + 1;
      collector.finish(new ZoneRange(RowAddress.fragmentId(first), start, length));
      rows = 0;
    }
  }
}
