package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.internal.DataWriter;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Writes some columns of the touched fragments anew, beside the files that they have, with new
 * values for updated rows and the old ones for all others, deleted ones included. Inserted rows go
 * to new fragments that have the source's columns only.
 */
final class PatchedColumns implements UpdatedRows {
  private static final int BATCH_ROWS = 8192;

  private final Scan.Source target;
  private final LanceSchema columns;
  private final List<Field> fields;
  private final int[] sourceColumns;
  private final RewrittenRows inserted;
  private final List<FragmentMetadata> patched = new ArrayList<>();
  private final List<FragmentMetadata> patchFiles = new ArrayList<>();
  private final LongList addresses = new LongList();
  private final LongList sourceRows = new LongList();
  private boolean finished;

  /**
   * @param inserted where new rows go
   */
  PatchedColumns(MergePlan plan, Scan.Source target, RewrittenRows inserted) {
    this.target = target;
    this.columns = plan.columnsInPlace();
    this.fields = columns.toArrow().getFields();
    this.sourceColumns = columns.fields().stream().mapToInt(plan.source()::indexOf).toArray();
    this.inserted = inserted;
  }

  @Override
  public void update(SourcePart part, int[] rows, long[] rowAddresses) {
    for (int i = 0; i < rows.length; i++) {
      addresses.add(rowAddresses[i]);
      sourceRows.add(rows[i]);
    }
  }

  @Override
  public void flush(SourcePart part) {
    List<ArrayData> values = new ArrayList<>(sourceColumns.length);
    for (int column : sourceColumns) {
      values.add(part.columns().get(column));
    }
    long[] all = addresses.toArray();
    for (int start = 0; start < all.length; ) {
      int end = TargetLookup.endOfFragment(all, start);
      long[] offsets = new long[end - start];
      int[] rows = new int[end - start];
      for (int i = 0; i < rows.length; i++) {
        offsets[i] = RowAddress.offset(all[start + i]);
        rows[i] = (int) sourceRows.get(start + i);
      }
      long id = RowAddress.fragmentId(all[start]);
      patch(target.version().manifest().fragment(id).orElseThrow(), offsets, rows, values);
      start = end;
    }
  }

  private void patch(
      FragmentMetadata fragment, long[] offsets, int[] rows, List<ArrayData> values) {
    InsertOptions oneFile =
        new InsertOptions(
            target.allocator(), Optional.empty(), Long.MAX_VALUE, Long.MAX_VALUE, false);
    try (FragmentReader reader =
            FragmentReader.open(target.version(), fragment, columns, target.session());
        DataWriter writer =
            new DataWriter(
                target.version().table(),
                columns,
                target.version().manifest().storageVersion(),
                oneFile)) {
      int next = 0;
      for (long start = 0; start < reader.physicalRows(); start += BATCH_ROWS) {
        long end = Math.min(reader.physicalRows(), start + BATCH_ROWS);
        int first = next;
        while (next < offsets.length && offsets[next] < end) {
          next++;
        }
        int[] batchRows = Arrays.copyOfRange(rows, first, next);
        int[] places = new int[next - first];
        for (int i = 0; i < places.length; i++) {
          places[i] = (int) (offsets[first + i] - start);
        }
        write(writer, overlay(reader, start, (int) (end - start), places, batchRows, values));
      }
      FragmentMetadata file = writer.finish().get(0);
      patchFiles.add(file);
      patched.add(withFile(fragment, file.files().get(0)));
    }
  }

  private static void write(DataWriter writer, List<ArrayData> batch) {
    try {
      writer.write(batch, batch.get(0).length());
    } finally {
      Columns.close(batch);
    }
  }

  /** A run of the fragment's rows with new values at some places. */
  private List<ArrayData> overlay(
      FragmentReader reader,
      long start,
      int count,
      int[] places,
      int[] rows,
      List<ArrayData> values) {
    BufferAllocator allocator = target.allocator();
    if (places.length == count) {
      return Columns.gather(fields, values, rows, allocator);
    }
    List<ArrayData> old = reader.read(RowRanges.of(start, start + count), allocator);
    if (places.length == 0) {
      return old;
    }
    List<List<ArrayData>> both = new ArrayList<>(List.of(old));
    boolean complete = false;
    try {
      both.add(Columns.gather(fields, values, rows, allocator));
      complete = true;
    } finally {
      if (!complete) {
        Columns.close(old);
      }
    }
    List<ArrayData> joined = Columns.concat(fields, both, allocator);
    try {
      int[] picks = Columns.range(0, count);
      for (int i = 0; i < places.length; i++) {
        picks[places[i]] = count + i;
      }
      return Columns.gather(fields, joined, picks, allocator);
    } finally {
      Columns.close(joined);
    }
  }

  private FragmentMetadata withFile(FragmentMetadata fragment, DataFile file) {
    Set<Integer> replaced = new HashSet<>();
    columns.flatten().forEach(field -> replaced.add(field.id()));
    List<DataFile> files = new ArrayList<>(fragment.files().size() + 1);
    for (DataFile old : fragment.files()) {
      files.add(
          old.withFieldIds(
              old.fieldIds().stream()
                  .map(id -> replaced.contains(id) ? Integer.valueOf(DataFile.TOMBSTONE) : id)
                  .toList()));
    }
    files.add(file);
    return fragment.withFiles(files);
  }

  @Override
  public void insert(SourcePart part, int[] rows) {
    inserted.insert(part, rows);
  }

  @Override
  public Written finish() {
    Written rows = inserted.finish();
    finished = true;
    List<DataFile> files = new ArrayList<>(rows.files());
    patchFiles.forEach(file -> files.addAll(file.files()));
    return new Written(List.copyOf(patched), rows.added(), files);
  }

  @Override
  public void close() {
    try (inserted) {
      if (!finished) {
        WrittenFiles.remove(target.version().table(), patchFiles);
      }
    }
  }
}
