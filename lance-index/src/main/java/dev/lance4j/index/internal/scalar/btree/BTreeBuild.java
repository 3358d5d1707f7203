package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.sort.KeyColumn;
import dev.lance4j.format.internal.sort.MergedRows;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.arrow.vector.types.pojo.Field;

/** Writes segments: rows of older ones, which are in order, merged with others that are sorted. */
final class BTreeBuild {
  static final int BATCH_ROWS = 8192;

  private static final List<KeyColumn> BY_VALUE = List.of(new KeyColumn(0, false, true));

  private BTreeBuild() {}

  static void write(SegmentInput input, ScalarIndexSpec.BTree spec, SegmentWriter out) {
    Field values = BTreeKind.values(input.field());
    List<Field> columns = List.of(values, PageFile.ROW_IDS);
    List<BTreeFiles> old = new ArrayList<>();
    try {
      for (SegmentInput.Old segment : input.old()) {
        old.add(BTreeFiles.open(segment.files(), values, input.allocator()));
      }
      try (ArrayBatchReader.Source rows = rows(input, old, columns)) {
        new PageWriter(columns, spec.rowsPerPage(), input.progress(), out).write(rows);
      }
    } finally {
      old.forEach(BTreeFiles::close);
    }
  }

  /** All rows in the order of their values. */
  private static ArrayBatchReader.Source rows(
      SegmentInput input, List<BTreeFiles> old, List<Field> columns) {
    List<ArrayBatchReader.Source> stored = new ArrayList<>();
    for (int i = 0; i < old.size(); i++) {
      RowTranslation translation = input.old().get(i).rows();
      for (SortedPages part : old.get(i).parts()) {
        stored.add(new StoredRows(part.file(), translation, columns, input.allocator()));
      }
    }
    return KeyType.of(columns.get(0)) instanceof NumberType numbers
        ? NumberRows.of(stored, numbers, input)
        : others(stored, input, columns);
  }

  private static ArrayBatchReader.Source others(
      List<ArrayBatchReader.Source> stored, SegmentInput input, List<Field> columns) {
    List<ArrayBatchReader.Source> sources = new ArrayList<>(stored);
    sources.add(
        new SortedRows(
            new Borrowed(input.rows()),
            input.rowsSchema(),
            BY_VALUE,
            BATCH_ROWS,
            input.memory(),
            input.allocator(),
            new LongAdder()));
    return new MergedRows(sources, columns, BY_VALUE, BATCH_ROWS, input.allocator());
  }

  /** A source that stays open. */
  private record Borrowed(ArrayBatchReader.Source source) implements ArrayBatchReader.Source {
    @Override
    public ArrayBatch next() {
      return source.next();
    }

    @Override
    public void close() {}
  }
}
