package dev.lance4j.format.internal.container;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.store.ObjectReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.types.pojo.Field;

/** Some fields of a file, ready to be read any number of times. Safe for use by many threads. */
public final class FileProjection {
  private final ObjectReader reader;
  private final List<Field> fields;
  private final List<FieldReader> readers;
  private final long rows;

  FileProjection(ObjectReader reader, List<Field> fields, List<FieldReader> readers, long rows) {
    this.reader = reader;
    this.fields = List.copyOf(fields);
    this.readers = List.copyOf(readers);
    this.rows = rows;
  }

  /** The fields in the order in which {@link #read} gives them. */
  public List<Field> fields() {
    return fields;
  }

  /** The number of rows in the file. */
  public long rows() {
    return rows;
  }

  /**
   * Reads rows of all fields. The ranges of all fields are asked of the store together.
   *
   * @param selection rows of the file, inside it
   * @return one array for each field, owned by the caller
   * @throws LanceException if the file is damaged, or the rows take more memory than the allocator
   *     has
   */
  public List<ArrayData> read(RowRanges selection, BufferAllocator allocator) {
    if (selection.limit() > rows) {
      throw new IllegalArgumentException(
          "rows " + selection + " reach beyond the " + rows + " of " + reader.path());
    }
    List<ArrayData> arrays = new ArrayList<>(readers.size());
    boolean complete = false;
    try {
      List<FieldRead> reads = fetch(selection);
      for (FieldRead read : reads) {
        ArrayData array = read.decode(allocator);
        arrays.add(array);
        if (array.length() != selection.rows()) {
          throw new CorruptFileException(
              reader.path(),
              -1,
              String.format(
                  "field '%s' has %d rows where %d were expected",
                  fields.get(arrays.size() - 1).getName(), array.length(), selection.rows()));
        }
      }
      complete = true;
      return arrays;
    } catch (OutOfMemoryException e) {
      throw tooLarge(selection.rows(), e);
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  /** The error for rows that the allocator has no room for. */
  LanceException tooLarge(long rowsToRead, OutOfMemoryException cause) {
    return new LanceException(
        String.format(
            "Reading %d rows of %s takes more memory than the allocator has; read fewer rows at a"
                + " time",
            rowsToRead, reader.path()),
        cause);
  }

  private List<FieldRead> fetch(RowRanges selection) {
    List<FieldRead> reads = new ArrayList<>(readers.size());
    for (FieldReader field : readers) {
      reads.add(field.read(selection));
    }
    List<FieldRead> waiting = new ArrayList<>(reads);
    while (!waiting.isEmpty()) {
      RangeRequests requests = new RangeRequests(reader);
      waiting.removeIf(read -> !read.request(requests));
      requests.execute();
    }
    return reads;
  }
}
