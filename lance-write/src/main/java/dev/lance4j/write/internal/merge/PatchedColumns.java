package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.write.internal.ColumnPatch;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Writes some columns of the touched fragments anew, beside the files that they have. Inserted rows
 * go to new fragments that have the source's columns only.
 */
final class PatchedColumns implements UpdatedRows {
  private final Scan.Source target;
  private final LanceSchema columns;
  private final List<Field> fields;
  private final boolean externalBlobs;
  private final int[] sourceColumns;
  private final RewrittenRows inserted;
  private final SpilledPatches spilled;
  private final List<FragmentMetadata> patched = new ArrayList<>();
  private final LongList addresses = new LongList();
  private final LongList sourceRows = new LongList();
  private boolean finished;

  /**
   * @param inserted where new rows go
   * @param memory what the source fits into; null if it does, so that it comes in one part
   */
  PatchedColumns(MergePlan plan, Scan.Source target, RewrittenRows inserted, MergeMemory memory) {
    this.target = target;
    this.columns = plan.columnsInPlace();
    this.externalBlobs = plan.options().externalBlobs();
    this.fields = PendingBlobs.of(columns).toArrow().getFields();
    this.sourceColumns = columns.fields().stream().mapToInt(plan.source()::indexOf).toArray();
    this.inserted = inserted;
    this.spilled = memory == null ? null : new SpilledPatches(fields, memory);
  }

  @Override
  public void update(SourcePart part, int[] rows, long[] rowAddresses) {
    if (spilled != null) {
      List<ArrayData> some = Columns.gather(fields, values(part), rows, target.allocator());
      try {
        spilled.append(rowAddresses, some);
      } finally {
        Columns.close(some);
      }
      return;
    }
    for (int i = 0; i < rows.length; i++) {
      addresses.add(rowAddresses[i]);
      sourceRows.add(rows[i]);
    }
  }

  private List<ArrayData> values(SourcePart part) {
    List<ArrayData> values = new ArrayList<>(sourceColumns.length);
    for (int column : sourceColumns) {
      values.add(part.columns().get(column));
    }
    return values;
  }

  @Override
  public void flush(SourcePart part) {
    if (spilled == null) {
      int[] rows = new int[sourceRows.size()];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = (int) sourceRows.get(i);
      }
      patch(addresses.toArray(), rows, values(part));
    }
  }

  private void patchUnordered(long[] unordered, List<ArrayData> values) {
    long[] sorted = unordered.clone();
    Arrays.sort(sorted);
    int[] rows = new int[sorted.length];
    for (int i = 0; i < rows.length; i++) {
      rows[Arrays.binarySearch(sorted, unordered[i])] = i;
    }
    patch(sorted, rows, values);
  }

  /** Patches all fragments that rows are in; {@code rows} says where in the values each is. */
  private void patch(long[] sorted, int[] rows, List<ArrayData> values) {
    for (int start = 0; start < sorted.length; ) {
      int end = TargetLookup.endOfFragment(sorted, start);
      long[] offsets = new long[end - start];
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = RowAddress.offset(sorted[start + i]);
      }
      long fragmentId = RowAddress.fragmentId(sorted[start]);
      patch(fragmentId, offsets, Arrays.copyOfRange(rows, start, end), values);
      start = end;
    }
  }

  private void patch(long fragmentId, long[] offsets, int[] rows, List<ArrayData> values) {
    FragmentMetadata fragment = target.version().manifest().fragment(fragmentId).orElseThrow();
    ColumnPatch patch = new ColumnPatch(target, columns, externalBlobs);
    patched.add(
        patch.apply(
            fragment,
            offsets,
            (first, count) ->
                Columns.gather(
                    fields,
                    values,
                    Arrays.copyOfRange(rows, first, first + count),
                    target.allocator())));
  }

  @Override
  public void insert(SourcePart part, int[] rows) {
    inserted.insert(part, rows);
  }

  @Override
  public Written finish() {
    if (spilled != null) {
      spilled.forEachGroup(this::patchUnordered);
    }
    Written rows = inserted.finish();
    finished = true;
    List<DataFile> files = new ArrayList<>(rows.files());
    for (FragmentMetadata fragment : patched) {
      files.add(fragment.files().get(fragment.files().size() - 1));
    }
    return new Written(List.copyOf(patched), rows.added(), files);
  }

  @Override
  public void close() {
    try (inserted) {
      if (spilled != null) {
        spilled.close();
      }
      if (!finished) {
        WrittenFiles.remove(target.version(), patched);
      }
    }
  }
}
