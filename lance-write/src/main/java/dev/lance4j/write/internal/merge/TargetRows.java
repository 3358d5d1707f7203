package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.lookup.KeyLookUp;
import dev.lance4j.scan.internal.read.ChosenRows;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.write.internal.BatchRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The live rows of a version: those of its columns that a merge compares. When the source is split
 * by keys, so are these, in files. Rows that an index knows to have none of the source's keys may
 * be left out.
 */
final class TargetRows implements AutoCloseable {
  private static final Field ADDRESS = Field.notNullable("address", new ArrowType.Int(64, false));

  private final Scan.Source source;
  private final LanceSchema columns;
  private final List<Field> fields;
  private final int[] keyColumns;
  private final Optional<KeyLookUp> known;
  private final PartitionedRows parts;

  /**
   * @param columns those to read, the key columns among them
   * @param known rows that may have a key of the source; absent if all are wanted
   * @param partCount how many parts the source has
   */
  TargetRows(
      Scan.Source source,
      LanceSchema columns,
      KeyColumns keys,
      Optional<KeyLookUp> known,
      int partCount,
      MergeMemory memory) {
    this.known = known;
    this.source = source;
    this.columns = columns;
    this.fields = columns.toArrow().getFields();
    this.keyColumns =
        keys.fields().stream().mapToInt(field -> indexOf(columns.fields(), field)).toArray();
    this.parts = partCount == 1 ? null : partition(keys, partCount, memory);
  }

  private static int indexOf(List<LanceField> fields, LanceField wanted) {
    int index = 0;
    while (fields.get(index).id() != wanted.id()) {
      index++;
    }
    return index;
  }

  private PartitionedRows partition(KeyColumns keys, int count, MergeMemory memory) {
    List<Field> stored = new ArrayList<>(fields);
    stored.add(ADDRESS);
    PartitionedRows rows = new PartitionedRows(stored, count, memory);
    boolean complete = false;
    try {
      scan(
          batch -> {
            List<ArrayData> all = new ArrayList<>(batch.columns());
            try (ArrayData addresses = FixedValues.of(batch.addresses(), source.allocator())) {
              all.add(addresses);
              rows.append(keys.read(keyColumns(batch), batch.rows()), all);
            }
          });
      rows.finish();
      complete = true;
      return rows;
    } finally {
      if (!complete) {
        rows.close();
      }
    }
  }

  /** The columns that are read, in the order of the batches. */
  LanceSchema columns() {
    return columns;
  }

  /** The key columns of a batch, in the order of the key. */
  List<ArrayData> keyColumns(TargetBatch batch) {
    List<ArrayData> keys = new ArrayList<>(keyColumns.length);
    for (int column : keyColumns) {
      keys.add(batch.columns().get(column));
    }
    return keys;
  }

  /** Calls back with all batches of a part, each of which is valid only during the call. */
  void forEachBatch(int part, Consumer<TargetBatch> consumer) {
    if (parts == null) {
      scan(consumer);
      return;
    }
    parts.forEachBatch(
        part,
        batch -> {
          ArrayData last = batch.arrays().get(fields.size());
          long[] addresses = FixedValues.read(last, Long.SIZE, batch.rows());
          consumer.accept(new TargetBatch(batch.arrays().subList(0, fields.size()), addresses));
        });
  }

  private void scan(Consumer<TargetBatch> consumer) {
    List<FragmentMetadata> fragments = source.version().manifest().fragments();
    int batchRows = BatchRows.of(fragments);
    for (FragmentMetadata fragment : fragments) {
      boolean isKnown = known.isPresent() && known.get().covers(fragment);
      if (isKnown && !known.get().mayBeIn(fragment)) {
        continue;
      }
      try (FragmentReader reader =
          FragmentReader.open(source.version(), fragment, columns, source.session())) {
        if (isKnown) {
          scanKnown(reader, batchRows, consumer);
        } else {
          scanAll(reader, batchRows, consumer);
        }
      }
    }
  }

  private void scanAll(FragmentReader reader, int batchRows, Consumer<TargetBatch> consumer) {
    RowRanges live = reader.liveRanges();
    for (long done = 0; done < live.rows(); done += batchRows) {
      accept(reader, live.select(done, batchRows), consumer);
    }
  }

  private void scanKnown(FragmentReader reader, int batchRows, Consumer<TargetBatch> consumer) {
    ChosenRows rows =
        known.get().rows(reader.fragment(), reader.physicalRows(), reader.deletions());
    for (long done = 0; done < rows.rows(); done += batchRows) {
      accept(reader, rows.offsets(done, Math.min(done + batchRows, rows.rows())), consumer);
    }
  }

  private void accept(FragmentReader reader, RowRanges offsets, Consumer<TargetBatch> consumer) {
    try (TargetBatch batch =
        new TargetBatch(
            reader.read(offsets, source.allocator()), addresses(reader.fragment(), offsets))) {
      consumer.accept(batch);
    }
  }

  private static long[] addresses(FragmentMetadata fragment, RowRanges offsets) {
    long[] addresses = new long[(int) offsets.rows()];
    int n = 0;
    for (int i = 0; i < offsets.size(); i++) {
      for (long offset = offsets.start(i); offset < offsets.end(i); offset++) {
        addresses[n++] = RowAddress.pack(fragment.id(), offset);
      }
    }
    return addresses;
  }

  @Override
  public void close() {
    if (parts != null) {
      parts.close();
    }
  }
}
