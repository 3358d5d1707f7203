package dev.lance4j.index.internal.segment;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.StructField;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.IndexSource;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.StableRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The values of a column of live rows with the numbers of the rows, in ascending order of their
 * addresses: batches of two arrays. For use by one thread.
 */
public final class IndexedRows implements ArrayBatchReader.Source {
  /** The name of the column of values. */
  public static final String VALUE = "value";

  /** The name of the column of row numbers where they are stable ids. */
  static final String ROW_ID = "_rowid";

  private static final int BATCH_ROWS = 8192;

  private final IndexSource source;
  private final IndexedColumn column;
  private final List<FragmentMetadata> fragments;
  private final RowNumbers numbers;
  private final IndexProgress progress;
  private final long total;
  // Which of the live rows to give, ascending; null for all.
  private final long[] chosen;
  private int next;
  private long given;
  private FragmentReader reader;
  private RowRanges live;
  private long done;
  private long rowsBefore;
  private int chosenBefore;

  /**
   * @param fragments whose rows to give, in order
   * @param numbers how to name the rows
   */
  public IndexedRows(
      IndexSource source,
      IndexedColumn column,
      List<FragmentMetadata> fragments,
      RowNumbers numbers,
      IndexProgress progress) {
    this(source, column, fragments, numbers, progress, null);
  }

  private IndexedRows(
      IndexSource source,
      IndexedColumn column,
      List<FragmentMetadata> fragments,
      RowNumbers numbers,
      IndexProgress progress,
      long[] chosen) {
    this.source = source;
    this.column = column;
    this.fragments = List.copyOf(fragments);
    this.numbers = numbers;
    this.progress = progress;
    this.chosen = chosen;
    this.total =
        chosen != null ? chosen.length : fragments.stream().mapToLong(this::liveRows).sum();
  }

  /**
   * Some of these rows.
   *
   * @param positions among all rows, ascending, each once
   */
  public IndexedRows choose(long[] positions) {
    return new IndexedRows(
        source, column, fragments, numbers, IndexProgress.NONE, positions.clone());
  }

  private long liveRows(FragmentMetadata fragment) {
    return FragmentReader.liveRows(source.version(), fragment, source.session());
  }

  /** The number of rows. */
  public long total() {
    return total;
  }

  /** The field of the values. */
  public Field valueField() {
    return valueField(column.field());
  }

  /** The field of the values of an indexed field. */
  public static Field valueField(LanceField indexed) {
    Field field = indexed.toArrow();
    FieldType type = new FieldType(true, field.getType(), field.getDictionary());
    return new Field(VALUE, type, field.getChildren());
  }

  /** The schema of the batches. */
  public Schema schema() {
    String name = isStable() ? ROW_ID : "_rowaddr";
    ArrowType unsigned = new ArrowType.Int(64, false);
    return new Schema(List.of(valueField(), Field.notNullable(name, unsigned)));
  }

  private boolean isStable() {
    return numbers == RowNumbers.IDS && source.version().manifest().hasStableRowIds();
  }

  @Override
  public ArrayBatch next() {
    while (reader == null || done >= live.rows()) {
      closeFragment();
      if (next == fragments.size()) {
        return null;
      }
      open(fragments.get(next++));
    }
    RowRanges offsets = live.select(done, BATCH_ROWS);
    int rows = (int) offsets.rows();
    done += rows;
    given += rows;
    progress.advanced("reading rows", given, total);
    return batch(offsets, rows);
  }

  private ArrayBatch batch(RowRanges offsets, int rows) {
    List<ArrayData> arrays = new ArrayList<>(2);
    boolean complete = false;
    try {
      ArrayData top = reader.read(offsets, source.allocator()).get(0);
      try (top) {
        arrays.add(StructField.extract(top, column.below(), source.allocator()));
      }
      arrays.add(numbers(offsets, rows));
      complete = true;
      return new ArrayBatch(rows, arrays);
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  private ArrayData numbers(RowRanges offsets, int rows) {
    FragmentMetadata fragment = reader.fragment();
    long[] values = new long[rows];
    RowIdSequence rowIds =
        isStable() ? new StableRows(source.version(), source.session()).rowIds(fragment) : null;
    int n = 0;
    for (int i = 0; i < offsets.size(); i++) {
      int count = (int) (offsets.end(i) - offsets.start(i));
      if (rowIds != null) {
        rowIds.copy(offsets.start(i), count, values, n);
      } else {
        for (int j = 0; j < count; j++) {
          values[n + j] = RowAddress.pack(fragment.id(), offsets.start(i) + j);
        }
      }
      n += count;
    }
    ArrowBuf buffer = source.allocator().buffer((long) rows * Long.BYTES);
    for (int i = 0; i < rows; i++) {
      buffer.setLong((long) i * Long.BYTES, values[i]);
    }
    return new ArrayData(rows, 0, new ArrowBuf[] {null, buffer});
  }

  private void open(FragmentMetadata fragment) {
    LanceSchema projection = column.projection();
    reader = FragmentReader.open(source.version(), fragment, projection, source.session());
    live = chosen == null ? reader.liveRanges() : reader.toOffsets(chosen(reader.liveRows()));
    done = 0;
  }

  /** The chosen rows of the next fragment, by their positions among its live rows. */
  private RowRanges chosen(long rows) {
    int from = chosenBefore;
    int to = from;
    while (to < chosen.length && chosen[to] < rowsBefore + rows) {
      to++;
    }
    long[] positions = new long[to - from];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = chosen[from + i] - rowsBefore;
    }
    rowsBefore += rows;
    chosenBefore = to;
    return RowRanges.ofSortedRows(positions);
  }

  private void closeFragment() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }

  @Override
  public void close() {
    closeFragment();
  }
}
