package dev.lance4j.write.internal;

import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.FragmentColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Gives rows of a fragment, which are found by a key, other values. */
public final class FragmentUpdate {
  private final Scan.Source source;
  private final FragmentMetadata fragment;

  public FragmentUpdate(Scan.Source source, FragmentMetadata fragment) {
    this.source = source;
    this.fragment = fragment;
  }

  /** The rows that have a partner: their offsets, and the rows of the right side. */
  private static final class Matches {
    private long[] offsets = new long[64];
    private int[] rows = new int[64];
    private int count;
    private long live;

    void add(int[] found, DeletionVector deletions) {
      RowRanges at = deletions.toOffsets(RowRanges.of(live, live + found.length));
      int i = 0;
      for (int range = 0; range < at.size(); range++) {
        for (long offset = at.start(range); offset < at.end(range); offset++) {
          if (found[i] != KeyTable.NONE) {
            add(offset, found[i]);
          }
          i++;
        }
      }
      live += found.length;
    }

    private void add(long offset, int row) {
      if (count == rows.length) {
        offsets = Arrays.copyOf(offsets, count * 2);
        rows = Arrays.copyOf(rows, count * 2);
      }
      offsets[count] = offset;
      rows[count++] = row;
    }

    long[] offsets() {
      return Arrays.copyOf(offsets, count);
    }
  }

  /** The fragment with the new values; unchanged if no row has a partner. */
  public FragmentColumns.Updated apply(BatchSource right, String leftOn, String rightOn) {
    LanceSchema schema = source.version().manifest().schema();
    LanceSchema given =
        InputSchemas.forUpdate(schema, JoinedRows.withoutKey(right.schema(), rightOn));
    LanceSchema columns = withWholeBlobs(given, schema);
    LeftKeys left = new LeftKeys(source, leftOn, Scan.DEFAULT_BATCH_SIZE);
    DeletionVector deletions = DeletionFiles.read(source.version(), fragment, source.session());
    Matches matches = new Matches();
    try (JoinedRows rows =
        JoinedRows.read(right, rightOn, left.field(), given, source.allocator())) {
      left.forEach(fragment, keys -> matches.add(rows.find(keys), deletions));
      if (matches.count == 0) {
        return new FragmentColumns.Updated(fragment, List.of(), List.of());
      }
      ColumnPatch patch = new ColumnPatch(source, columns, false);
      FragmentMetadata updated =
          patch.apply(
              fragment,
              matches.offsets(),
              (first, count) ->
                  PendingBlobs.ofGiven(
                      columns,
                      rows.gather(Arrays.copyOfRange(matches.rows, first, first + count)),
                      source.allocator()));
      return new FragmentColumns.Updated(
          updated,
          columns.flatten().stream().map(LanceField::id).toList(),
          LongStream.of(matches.offsets()).boxed().toList());
    }
  }

  /** Blobs are written whole, whether or not a part of an object can be given. */
  private static LanceSchema withWholeBlobs(LanceSchema given, LanceSchema table) {
    List<LanceField> fields = new ArrayList<>();
    for (LanceField field : given.fields()) {
      fields.add(BlobV2Fields.isBlob(field) ? table.field(field.name()) : field);
    }
    return new LanceSchema(fields, given.metadata());
  }
}
