package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.data.DictionaryIndex;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.data.Keys;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Keys and one dictionary for the page, whatever dictionaries the rows came with. A null is the key
 * of an item that is null.
 */
final class DictionaryValues implements PageValues {
  private static final int NULL_KEY = -1;

  private final String path;
  private final Field valueField;
  private final int inputWidth;
  private final long maxKey;
  private final PageValues items;
  private final BufferAllocator allocator;
  private final GrowableBuffer keys;
  private DictionaryIndex index;
  private boolean hasNulls;
  private boolean hasValues;

  /**
   * @param field of the dictionary's keys and values
   * @param items takes the dictionary's values; closed with this
   */
  DictionaryValues(String path, Field field, PageValues items, BufferAllocator allocator) {
    this.path = path;
    this.valueField = DictionaryIndex.values(field);
    ArrowType.Int type = field.getDictionary().getIndexType();
    this.inputWidth = type.getBitWidth() / Byte.SIZE;
    this.maxKey = Keys.max(type);
    this.items = items;
    this.allocator = allocator;
    this.keys = new GrowableBuffer(allocator, 0);
    this.index = new DictionaryIndex(valueField);
  }

  @Override
  public boolean fits(ArrayData rows) {
    return index.size() + (long) index.countNew(rows.dictionary()) <= maxKey;
  }

  @Override
  public void append(ArrayData rows, ByteBuffer validity, RowRanges ranges) {
    if (ranges.isEmpty()) {
      return;
    }
    ArrayData dictionary = rows.dictionary();
    int[] numbers = addItems(dictionary);
    ArrowBuf input = rows.buffer(1);
    FixedValues.checkSize(path, input, ranges.limit() * inputWidth);
    ByteBuffer out = grow(ranges.rows());
    for (int i = 0; i < ranges.size(); i++) {
      for (long row = ranges.start(i); row < ranges.end(i); row++) {
        if (validity != null && !Bitmaps.get(validity, row)) {
          hasNulls = true;
          out.putInt(NULL_KEY);
          continue;
        }
        long key = Keys.get(input, row, inputWidth);
        if (key < 0 || key >= numbers.length) {
          throw new InvalidInputException(
              String.format(
                  "Field '%s' has the key %d, its dictionary has %d values",
                  path, key, numbers.length));
        }
        hasValues = true;
        out.putInt(numbers[(int) key]);
      }
    }
  }

  private ByteBuffer grow(long rows) {
    long at = keys.size();
    keys.grow(Math.multiplyExact(rows, Integer.BYTES));
    int length = Math.toIntExact(keys.size() - at);
    return keys.buffer().nioBuffer(at, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Adds the values that are new; gives the number of each. */
  private int[] addItems(ArrayData dictionary) {
    int known = index.size();
    int[] numbers = index.addAll(dictionary);
    RangeList fresh = new RangeList();
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] == known) {
        fresh.add(i, i + 1L);
        known++;
      }
    }
    items.append(dictionary, Validity.of(dictionary, null, path), fresh.toRanges());
    return numbers;
  }

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return ranges.rows() * inputWidth;
  }

  @Override
  public long bytes() {
    return keys.size() / Integer.BYTES * inputWidth + items.bytes();
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    if (!hasValues) {
      items.clear();
      index = new DictionaryIndex(valueField);
    }
    if (hasNulls && index.nullNumber() < 0) {
      try (ArrayData one = NullArrays.of(valueField, 1, allocator)) {
        addItems(one);
      }
    }
    int width = index.size() - 1 <= maxKey ? inputWidth : Integer.BYTES;
    ArrayEncoding indices = Encodings.flat((long) width * Byte.SIZE, page.add(narrow(width)));
    return Encodings.dictionary(Encodings.noNulls(indices), items.encode(page), index.size());
  }

  private ByteBuffer narrow(int width) {
    int count = (int) (keys.size() / Integer.BYTES);
    ByteBuffer narrow =
        ByteBuffer.allocate(Math.multiplyExact(count, width)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      int key = keys.buffer().getInt((long) i * Integer.BYTES);
      int number = key == NULL_KEY ? index.nullNumber() : key;
      switch (width) {
        case 1 -> narrow.put((byte) number);
        case 2 -> narrow.putShort((short) number);
        case 4 -> narrow.putInt(number);
        default -> narrow.putLong(number);
      }
    }
    return narrow.flip();
  }

  @Override
  public void clear() {
    keys.clear();
    items.clear();
    index = new DictionaryIndex(valueField);
    hasNulls = false;
    hasValues = false;
  }

  @Override
  public void close() {
    keys.close();
    items.close();
  }
}
