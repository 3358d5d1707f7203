package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** An open file with the first and the last value of each page. */
final class LookupFile implements AutoCloseable {
  static final String MIN = "min";
  static final String MAX = "max";
  static final String NULL_COUNT = "null_count";
  static final String PAGE_IDX = "page_idx";
  static final String BATCH_SIZE = "batch_size";
  static final String RANGE_PARTITIONED = "range_partitioned";

  private static final String PARTITIONS = "page_num_per_range_partition";
  private static final long DEFAULT_BATCH_SIZE = 4096;
  private static final Pattern PARTITION = Pattern.compile("\\[(\\d{1,19}),(\\d{1,9})\\]");
  private static final ArrowType UINT32 = new ArrowType.Int(32, false);

  private final LanceFileReader file;

  LookupFile(LanceFileReader file) {
    this.file = file;
  }

  /**
   * A file of consecutive pages.
   *
   * @param id in the names of its files
   * @param pages how many
   */
  record Partition(long id, int pages) {}

  /** The number of rows of each page but the last one, for files that do not tell it. */
  long pageRows() {
    String text = file.metadata().get(BATCH_SIZE);
    try {
      long rows = text == null ? DEFAULT_BATCH_SIZE : Long.parseUnsignedLong(text);
      if (rows == 0) {
        throw corrupt("a page has no rows");
      }
      return rows < 0 ? Long.MAX_VALUE : rows;
    } catch (NumberFormatException e) {
      return DEFAULT_BATCH_SIZE;
    }
  }

  /** Whether each range of values has a file of its own. */
  boolean isPartitioned() {
    return "true".equals(file.metadata().get(RANGE_PARTITIONED));
  }

  /**
   * Whether the pages are sure to be those of the file of pages: releases that did not write this
   * mark could copy a lookup from a file whose rows were others.
   */
  boolean isMarked() {
    return file.metadata().containsKey(RANGE_PARTITIONED);
  }

  /** The files of pages in order, if each range of values has its own. */
  List<Partition> partitions() {
    String text = file.metadata().getOrDefault(PARTITIONS, "").replace(" ", "");
    List<Partition> partitions = new ArrayList<>();
    StringBuilder understood = new StringBuilder();
    Matcher matcher = PARTITION.matcher(text);
    long pages = 0;
    while (matcher.find()) {
      try {
        partitions.add(
            new Partition(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2))));
      } catch (NumberFormatException e) {
        throw corrupt("the number of a partition is too large in " + text, e);
      }
      understood.append(understood.isEmpty() ? "" : ",").append(matcher.group());
      pages += partitions.get(partitions.size() - 1).pages();
    }
    if (!text.equals("[" + understood + "]") || pages != file.rowCount()) {
      throw corrupt("the partitions of its " + file.rowCount() + " pages are said to be " + text);
    }
    return partitions;
  }

  /** The number of pages. */
  long pages() {
    return file.rowCount();
  }

  /**
   * Reads the entries of some pages.
   *
   * @param pages the file of those pages
   * @param from the first of them
   */
  PageLookup read(PageFile pages, long from, BufferAllocator allocator) {
    int count = pages.bounds().pages();
    List<LanceField> fields = PageFile.columns(file, fields(pages.values()));
    List<ArrayData> arrays =
        file.projection(new LanceSchema(fields, Map.of()), false)
            .read(RowRanges.of(from, from + count), allocator);
    try {
      long[] nullCounts = unsigned(arrays.get(2));
      long[] numbers = unsigned(arrays.get(3));
      for (int i = 0; i < count; i++) {
        if (numbers[i] != from + i) {
          throw corrupt("page " + numbers[i] + " is where page " + (from + i) + " should be");
        }
      }
      return PageLookup.of(pages, arrays.get(0), arrays.get(1), nullCounts);
    } finally {
      arrays.forEach(ArrayData::close);
    }
  }

  private long[] unsigned(ArrayData array) {
    if (array.nullCount() > 0) {
      throw corrupt("a number of a page is missing");
    }
    long[] numbers = new long[array.length()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Integer.toUnsignedLong(array.buffer(1).getInt((long) i * Integer.BYTES));
    }
    return numbers;
  }

  private CorruptFileException corrupt(String what) {
    return new CorruptFileException(file.path(), -1, what);
  }

  private CorruptFileException corrupt(String what, Throwable cause) {
    return new CorruptFileException(file.path(), -1, what, cause);
  }

  /** The columns of the file for values of a type. */
  static List<Field> fields(Field values) {
    return List.of(
        new Field(MIN, values.getFieldType(), null),
        new Field(MAX, values.getFieldType(), null),
        Field.notNullable(NULL_COUNT, UINT32),
        Field.notNullable(PAGE_IDX, UINT32));
  }

  @Override
  public void close() {
    file.close();
  }
}
