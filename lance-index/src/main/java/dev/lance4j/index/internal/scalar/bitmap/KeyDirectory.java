package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.segment.FileBatches;
import dev.lance4j.index.internal.segment.Sources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Where in a file each key is. A key may be there more than once, the null key among them.
 * Immutable.
 */
final class KeyDirectory {
  private static final long KEY_BYTES = 28;

  private final byte[][] keys;
  private final int[] positions;
  private final int[] nulls;
  private final long memoryBytes;

  private KeyDirectory(byte[][] keys, int[] positions, int[] nulls) {
    this.keys = keys;
    this.positions = positions;
    this.nulls = nulls;
    long bytes = 4L * nulls.length;
    for (byte[] key : keys) {
      bytes += KEY_BYTES + key.length;
    }
    this.memoryBytes = bytes;
  }

  /** Reads all keys of a file. */
  static KeyDirectory read(LanceFileReader file, Field valueField, BufferAllocator allocator) {
    Collected collected = new Collected(ValueKeys.of(valueField));
    try (FileBatches batches =
        new FileBatches(file, file.scan().select(BitmapFile.KEYS), allocator)) {
      Sources.forEach(batches, batch -> collected.add(batch.arrays().get(0)));
    }
    return collected.sorted();
  }

  private record Entry(byte[] key, int position) {}

  /** Keys as they are read. */
  private static final class Collected {
    private final ValueKeys encoder;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Integer> nulls = new ArrayList<>();

    Collected(ValueKeys encoder) {
      this.encoder = encoder;
    }

    void add(ArrayData keys) {
      for (int i = 0; i < keys.length(); i++) {
        int position = entries.size() + nulls.size();
        if (encoder.isNull(keys, i)) {
          nulls.add(position);
        } else {
          entries.add(new Entry(encoder.key(keys, i), position));
        }
      }
    }

    KeyDirectory sorted() {
      // Files that are sorted, as most are, take one pass.
      entries.sort(Comparator.comparing(Entry::key, Arrays::compareUnsigned));
      byte[][] keys = entries.stream().map(Entry::key).toArray(byte[][]::new);
      int[] positions = entries.stream().mapToInt(Entry::position).toArray();
      return new KeyDirectory(
          keys, positions, nulls.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  /** The number of keys that are not null. */
  int size() {
    return keys.length;
  }

  long memoryBytes() {
    return memoryBytes;
  }

  /** Where the null key is. */
  int[] nulls() {
    return nulls.clone();
  }

  /** Where a key is. */
  int[] positions(ScalarValue value) {
    return positions(lowerBound(value.key(), 0), lowerBound(value.key(), 1));
  }

  /** Where the keys are that are one of some values. */
  int[] positions(List<ScalarValue> values) {
    int[] found = new int[0];
    for (ScalarValue value : values) {
      int[] more = positions(value);
      int size = found.length;
      found = Arrays.copyOf(found, size + more.length);
      System.arraycopy(more, 0, found, size, more.length);
    }
    return found;
  }

  /** Where the keys of a range are. */
  int[] positions(ScalarQuery.Range range) {
    int from = range.lower().map(bound -> start(bound, bound.inclusive())).orElse(0);
    Optional<ScalarQuery.Bound> upper = range.upper();
    int to = upper.map(bound -> start(bound, !bound.inclusive())).orElse(keys.length);
    return positions(from, Math.max(from, to));
  }

  private int start(ScalarQuery.Bound bound, boolean atValue) {
    return lowerBound(bound.value().key(), atValue ? 0 : 1);
  }

  private int[] positions(int from, int to) {
    return Arrays.copyOfRange(positions, from, to);
  }

  /** The number of keys that are less than a key, or, with 1, not greater. */
  private int lowerBound(byte[] key, int orEqual) {
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(keys[middle], key) < orEqual) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
