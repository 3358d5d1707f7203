package dev.lance4j.rowid.internal;

import dev.lance4j.format.CorruptFileException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * A set of unsigned 64-bit numbers, kept by their high words. What the numbers name is for {@link
 * dev.lance4j.rowid.RowSet} to say: a high word is a fragment only if they are row addresses.
 * Immutable.
 */
public final class WordMap {
  /** The set without numbers. */
  public static final WordMap EMPTY = new WordMap(new long[0], new WordBits[0], 0);

  private static final long LOW_WORD = 0xFFFFFFFFL;
  private static final int ENTRY_HEADER_BYTES = 8;

  // Ascending; none of the bits is empty.
  private final long[] keys;
  private final WordBits[] bits;

  private WordMap(long[] keys, WordBits[] bits, int size) {
    this.keys = Arrays.copyOf(keys, size);
    this.bits = Arrays.copyOf(bits, size);
  }

  /** Collects numbers. */
  public static final class Builder {
    private final TreeMap<Long, RoaringBitmap> words = new TreeMap<>();
    private final TreeMap<Long, WordBits> whole = new TreeMap<>();
    private long lastKey = -1;
    private RoaringBitmap last;

    private RoaringBitmap word(long key) {
      if (key != lastKey) {
        last = words.computeIfAbsent(key, k -> new RoaringBitmap());
        lastKey = key;
      }
      return last;
    }

    /** Adds a number. */
    public void add(long number) {
      word(number >>> 32).add((int) number);
    }

    /** Adds some numbers of an array. */
    public void add(long[] numbers, int from, int to) {
      for (int i = from; i < to; i++) {
        word(numbers[i] >>> 32).add((int) numbers[i]);
      }
    }

    /** Adds all numbers from {@code first} to {@code last}, both inclusive. */
    public void addRange(long first, long last) {
      long lastWord = last >>> 32;
      for (long key = first >>> 32; key <= lastWord; key++) {
        long from = key == first >>> 32 ? first & LOW_WORD : 0;
        long to = key == lastWord ? last & LOW_WORD : LOW_WORD;
        word(key).add(from, to + 1);
      }
    }

    /** Adds the numbers with a high word whose low words are in a bitmap, which is copied. */
    public void addWord(long key, RoaringBitmap lows) {
      word(key).or(lows);
    }

    /** Adds the numbers of a set. */
    public void addAll(WordMap that) {
      for (int i = 0; i < that.keys.length; i++) {
        if (that.bits[i].inverted()) {
          whole.merge(that.keys[i], that.bits[i], WordBits::or);
        } else {
          addWord(that.keys[i], that.bits[i].bits());
        }
      }
    }

    /** Adds all numbers with a high word. */
    public void addWhole(long key) {
      whole.put(key, WordBits.FULL);
    }

    /** The numbers added so far; the builder must not be used after this. */
    public WordMap build() {
      TreeMap<Long, WordBits> entries = new TreeMap<>(whole);
      for (Map.Entry<Long, RoaringBitmap> word : words.entrySet()) {
        if (!word.getValue().isEmpty()) {
          entries.merge(word.getKey(), WordBits.of(word.getValue()), WordBits::or);
        }
      }
      Output out = new Output(entries.size());
      entries.forEach(out::add);
      return out.finish();
    }
  }

  private static final class Output {
    private final long[] keys;
    private final WordBits[] bits;
    private int size;

    Output(int capacity) {
      keys = new long[capacity];
      bits = new WordBits[capacity];
    }

    void add(long key, WordBits word) {
      if (!word.isEmpty()) {
        keys[size] = key;
        bits[size] = word;
        size++;
      }
    }

    WordMap finish() {
      return new WordMap(keys, bits, size);
    }
  }

  /** Whether a number is in the set. */
  public boolean contains(long number) {
    int index = Arrays.binarySearch(keys, number >>> 32);
    return index >= 0 && bits[index].contains((int) number);
  }

  /** Whether there is no number in the set. */
  public boolean isEmpty() {
    return keys.length == 0;
  }

  /** The number of numbers; unknown if all of a high word are in the set. */
  public OptionalLong cardinality() {
    long total = 0;
    for (WordBits word : bits) {
      OptionalLong count = word.cardinality();
      if (count.isEmpty()) {
        return count;
      }
      total += count.getAsLong();
    }
    return OptionalLong.of(total);
  }

  /**
   * The number of numbers from {@code first} to {@code last}, both inclusive, where a word that is
   * whole counts with all of its numbers.
   */
  public long cardinality(long first, long last) {
    long total = 0;
    for (int i = ceiling(first >>> 32); i < keys.length && keys[i] <= last >>> 32; i++) {
      long from = keys[i] == first >>> 32 ? first & LOW_WORD : 0;
      long to = keys[i] == last >>> 32 ? last & LOW_WORD : LOW_WORD;
      long inside = bits[i].bits().rangeCardinality(from, to + 1);
      total += bits[i].inverted() ? to + 1 - from - inside : inside;
    }
    return total;
  }

  private int ceiling(long key) {
    int index = Arrays.binarySearch(keys, key);
    return index < 0 ? -index - 1 : index;
  }

  /** The high words, ascending. */
  public long[] highWords() {
    return keys.clone();
  }

  /** Whether all numbers with a high word are in the set. */
  public boolean containsWhole(long key) {
    int index = Arrays.binarySearch(keys, key);
    return index >= 0 && bits[index].isFull();
  }

  /** The low words below a limit of the numbers with a high word; the bitmap is the caller's. */
  public RoaringBitmap lowWords(long key, long limit) {
    int index = Arrays.binarySearch(keys, key);
    return index < 0 ? new RoaringBitmap() : bits[index].below(limit);
  }

  /** The numbers that are in one or both of the sets. */
  public WordMap or(WordMap that) {
    Output out = new Output(keys.length + that.keys.length);
    int i = 0;
    int j = 0;
    while (i < keys.length || j < that.keys.length) {
      if (j == that.keys.length || (i < keys.length && keys[i] < that.keys[j])) {
        out.add(keys[i], bits[i++]);
      } else if (i == keys.length || keys[i] > that.keys[j]) {
        out.add(that.keys[j], that.bits[j++]);
      } else {
        out.add(keys[i], bits[i++].or(that.bits[j++]));
      }
    }
    return out.finish();
  }

  /** The numbers that are in both sets. */
  public WordMap and(WordMap that) {
    Output out = new Output(Math.min(keys.length, that.keys.length));
    for (int i = 0; i < keys.length; i++) {
      int j = Arrays.binarySearch(that.keys, keys[i]);
      if (j >= 0) {
        out.add(keys[i], bits[i].and(that.bits[j]));
      }
    }
    return out.finish();
  }

  /** The numbers of this set that are not in the other. */
  public WordMap andNot(WordMap that) {
    Output out = new Output(keys.length);
    for (int i = 0; i < keys.length; i++) {
      int j = Arrays.binarySearch(that.keys, keys[i]);
      out.add(keys[i], j < 0 ? bits[i] : bits[i].andNot(that.bits[j]));
    }
    return out.finish();
  }

  /** The numbers whose high words are in a bitmap. */
  public WordMap retain(RoaringBitmap highWords) {
    Output out = new Output(keys.length);
    for (int i = 0; i < keys.length; i++) {
      if (highWords.contains((int) keys[i])) {
        out.add(keys[i], bits[i]);
      }
    }
    return out.finish();
  }

  /** Walks over numbers, ascending as unsigned numbers. */
  public final class Cursor {
    private final long last;
    private int entry;
    private PeekableIntIterator lows;
    private long number;

    private Cursor(long first, long last) {
      this.last = last;
      this.entry = ceiling(first >>> 32);
      openWord();
      if (lows != null && keys[entry] == first >>> 32) {
        lows.advanceIfNeeded((int) first);
      }
    }

    private void openWord() {
      lows = entry < keys.length ? bits[entry].expand().getIntIterator() : null;
    }

    /** Moves to the next number; false if there is none. */
    public boolean next() {
      while (lows != null && !lows.hasNext()) {
        entry++;
        openWord();
      }
      if (lows == null) {
        return false;
      }
      number = keys[entry] << 32 | Integer.toUnsignedLong(lows.next());
      return Long.compareUnsigned(number, last) <= 0;
    }

    /** The number that {@link #next} moved to. */
    public long number() {
      return number;
    }
  }

  /** The numbers from {@code first} to {@code last}, both inclusive. */
  public Cursor cursor(long first, long last) {
    return new Cursor(first, last);
  }

  /**
   * Parses the serialised form of a row set.
   *
   * @param path where the bytes are from, for errors
   * @throws CorruptFileException if the bytes are no row set
   */
  public static WordMap parse(ByteBuffer bytes, String path) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    require(in.remaining() >= Integer.BYTES, path, "the set of rows is cut off");
    long count = Integer.toUnsignedLong(in.getInt());
    require(
        count <= in.remaining() / ENTRY_HEADER_BYTES,
        path,
        "the set of rows has room for fewer than its " + count + " entries");
    Output out = new Output((int) count);
    long previous = -1;
    for (int i = 0; i < count; i++) {
      require(in.remaining() >= ENTRY_HEADER_BYTES, path, "the set of rows is cut off");
      long key = Integer.toUnsignedLong(in.getInt());
      require(key > previous, path, "the entries of the set of rows do not ascend");
      previous = key;
      out.add(key, parseBits(in, path));
    }
    require(!in.hasRemaining(), path, "there are bytes after the set of rows");
    return out.finish();
  }

  private static WordBits parseBits(ByteBuffer in, String path) {
    int size = in.getInt();
    if (size == 0) {
      return WordBits.FULL;
    }
    require(
        size > 0 && size <= in.remaining(),
        path,
        "an entry of the set of rows has "
            + Integer.toUnsignedString(size)
            + " bytes, but only "
            + in.remaining()
            + " are left");
    RoaringBitmap lows = RoaringBytes.parse(in.slice(in.position(), size), path, -1);
    require(
        lows.serializedSizeInBytes() == size,
        path,
        "an entry of the set of rows has " + size + " bytes, but its bitmap has other");
    in.position(in.position() + size);
    return WordBits.of(lows);
  }

  private static void require(boolean condition, String path, String otherwise) {
    if (!condition) {
      throw new CorruptFileException(path, -1, otherwise);
    }
  }

  /** Bytes of memory. */
  public long memoryBytes() {
    long bytes = 0;
    for (WordBits word : bits) {
      bytes += Long.BYTES + word.bits().getLongSizeInBytes();
    }
    return bytes;
  }

  /** The serialised form, in which a whole word takes no more than its entry. */
  public byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writeInt(out, keys.length);
    for (int i = 0; i < keys.length; i++) {
      writeInt(out, (int) keys[i]);
      if (bits[i].isFull()) {
        writeInt(out, 0);
      } else {
        byte[] lows = bits[i].toBytes();
        writeInt(out, lows.length);
        out.writeBytes(lows);
      }
    }
    return out.toByteArray();
  }

  private static void writeInt(ByteArrayOutputStream out, int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      out.write(value >>> shift);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WordMap that
        && Arrays.equals(keys, that.keys)
        && Arrays.equals(bits, that.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(keys) * 31 + Arrays.hashCode(bits);
  }
}
