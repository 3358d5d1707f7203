package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.container.ColumnLayout;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.TableBlobs;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Writes columns of one fragment to a new data file, which is to lie beside those that the fragment
 * has and has as many rows as they. Values may be given for the rows that are not deleted only; the
 * others then get some value. The file of a writer that is closed before it finished is removed.
 */
public final class ColumnFileWriter implements AutoCloseable {
  // Rows that are made up at a time.
  private static final int FILL = 4096;

  private final LanceSchema columns;
  private final List<Field> fields;
  private final DeletionVector absent;
  private final long physicalRows;
  private final BufferAllocator allocator;
  private final TableVersion version;
  private final String fileName;
  private final LanceFileWriter file;
  private final List<ArrayData> last = new ArrayList<>();
  private long given;

  private ColumnFileWriter(
      Scan.Source source,
      LanceSchema columns,
      LanceSchema arrays,
      DeletionVector absent,
      long physicalRows,
      boolean externalBlobs) {
    this.version = source.version();
    this.columns = columns;
    this.fields = arrays.toArrow().getFields();
    this.absent = absent;
    this.physicalRows = physicalRows;
    this.allocator = source.allocator();
    this.fileName = DataFileNames.next();
    this.file =
        LanceFileWriter.create(
            version.table().store(),
            version.table().dataPath(fileName),
            columns,
            version.manifest().storageVersion(),
            new ExternalReferences(version.manifest().basePaths(), externalBlobs),
            new TableBlobs(source),
            allocator);
  }

  /**
   * Starts a file for which the values of all rows will be given, deleted ones included. Blobs come
   * as {@link PendingBlobs}.
   *
   * @param source the version that the fragment is of
   * @param columns to write, with the field ids that they will have in the table
   * @param externalBlobs whether blobs may lie outside of the table and its base paths
   * @throws dev.lance4j.format.UnsupportedFormatException if files of the table's version are not
   *     written
   */
  public static ColumnFileWriter ofAllRows(
      Scan.Source source, FragmentReader fragment, LanceSchema columns, boolean externalBlobs) {
    return new ColumnFileWriter(
        source,
        columns,
        PendingBlobs.of(columns),
        DeletionVector.NONE,
        fragment.physicalRows(),
        externalBlobs);
  }

  /**
   * As above, but values will be given only for rows that are not deleted.
   *
   * @param values says in which form blobs come
   */
  static ColumnFileWriter ofLiveRows(
      Scan.Source source, FragmentReader fragment, LanceSchema columns, ColumnValues values) {
    return new ColumnFileWriter(
        source,
        columns,
        values.arePendingBlobs() ? PendingBlobs.of(columns) : columns,
        fragment.deletions(),
        fragment.physicalRows(),
        values.mayBeExternal());
  }

  /** How many more rows are needed. */
  public long missingRows() {
    return physicalRows - absent.cardinality() - given;
  }

  /**
   * Writes the values of the next rows.
   *
   * @param arrays one for each column, borrowed
   * @param rows their length
   * @throws InvalidInputException if there are more values than rows
   */
  public void write(List<ArrayData> arrays, int rows) {
    if (rows > missingRows()) {
      throw new InvalidInputException(
          "There are more values than the "
              + (physicalRows - absent.cardinality())
              + " rows of the fragment");
    }
    if (rows == 0) {
      return;
    }
    RowRanges offsets = absent.toOffsets(RowRanges.of(given, given + rows));
    if (offsets.limit() - file.rowCount() == rows) {
      file.write(arrays, rows);
    } else {
      spread(arrays, offsets);
    }
    given += rows;
    keepLast(arrays, rows);
  }

  /** Writes values to the offsets that they belong to, and others to those between. */
  private void spread(List<ArrayData> arrays, RowRanges offsets) {
    int value = 0;
    for (int i = 0; i < offsets.size(); i++) {
      fill(arrays, value, offsets.start(i));
      int count = (int) (offsets.end(i) - offsets.start(i));
      int first = value;
      gather(arrays, IntStream.range(first, first + count).toArray(), false);
      value += count;
    }
  }

  /** Makes up values for the rows up to an offset. */
  private void fill(List<ArrayData> arrays, int copied, long end) {
    while (file.rowCount() < end) {
      int count = (int) Math.min(FILL, end - file.rowCount());
      gather(arrays, IntStream.generate(() -> copied).limit(count).toArray(), true);
    }
  }

  private void gather(List<ArrayData> arrays, int[] positions, boolean madeUp) {
    int[] nulls = new int[positions.length];
    Arrays.fill(nulls, ArrayGather.NULL);
    List<ArrayData> gathered = new ArrayList<>(fields.size());
    try {
      for (int i = 0; i < fields.size(); i++) {
        LanceField column = columns.fields().get(i);
        if (madeUp && BlobV2Fields.isBlob(column) && !column.nullable()) {
          gathered.add(PendingBlobs.empty(positions.length, allocator));
        } else {
          int[] from = madeUp && mayBeMadeUpOfNulls(column) ? nulls : positions;
          gathered.add(ArrayGather.gather(fields.get(i), arrays.get(i), from, allocator));
        }
      }
      file.write(gathered, positions.length);
    } finally {
      gathered.forEach(ArrayData::close);
    }
  }

  // Not all file versions can store a null whose children may not be null.
  private static boolean mayBeMadeUpOfNulls(LanceField column) {
    return column.nullable() && (column.children().isEmpty() || BlobV2Fields.isBlob(column));
  }

  /** Keeps a row to be repeated when deleted rows follow, unless there is none. */
  private void keepLast(List<ArrayData> arrays, int rows) {
    if (missingRows() > 0 || file.rowCount() == physicalRows) {
      return;
    }
    for (int i = 0; i < fields.size(); i++) {
      last.add(ArrayGather.gather(fields.get(i), arrays.get(i), new int[] {rows - 1}, allocator));
    }
  }

  /**
   * Completes the file.
   *
   * @return it, with the fields of all columns
   * @throws InvalidInputException if there are fewer values than rows
   */
  public DataFile finish() {
    if (missingRows() > 0) {
      throw new InvalidInputException(
          "The values ended " + missingRows() + " rows before the rows of the fragment");
    }
    if (file.rowCount() < physicalRows) {
      if (last.isEmpty()) {
        fields.forEach(field -> last.add(NullArrays.orBlanks(field, 1, allocator)));
      }
      fill(last, 0, physicalRows);
    }
    long size = file.finish();
    int[] ids = ColumnLayout.fields(columns, version.manifest().storageVersion());
    return DataFile.of(
        fileName,
        IntStream.of(ids).boxed().toList(),
        IntStream.range(0, ids.length).boxed().toList(),
        version.manifest().storageVersion(),
        size);
  }

  @Override
  public void close() {
    last.forEach(ArrayData::close);
    last.clear();
    file.close();
  }
}
