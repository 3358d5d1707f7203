package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** Reads some columns of single rows of a version, mostly of one fragment after the other. */
final class TargetLookup implements AutoCloseable {
  private final Scan.Source source;
  private final LanceSchema columns;
  private final List<Field> fields;
  private FragmentReader reader;

  TargetLookup(Scan.Source source, LanceSchema columns) {
    this.source = source;
    this.columns = columns;
    this.fields = PendingBlobs.of(columns).toArrow().getFields();
  }

  /**
   * The values of rows.
   *
   * @param addresses of at least one row, strictly ascending
   * @return one array for each column, blobs as {@link PendingBlobs}; owned by the caller
   */
  List<ArrayData> read(long[] addresses) {
    if (fields.isEmpty()) {
      return List.of();
    }
    List<List<ArrayData>> batches = new ArrayList<>();
    boolean complete = false;
    try {
      for (int start = 0; start < addresses.length; ) {
        int end = endOfFragment(addresses, start);
        long[] offsets = new long[end - start];
        for (int i = 0; i < offsets.length; i++) {
          offsets[i] = RowAddress.offset(addresses[start + i]);
        }
        long fragmentId = RowAddress.fragmentId(addresses[start]);
        batches.add(read(open(fragmentId), offsets));
        start = end;
      }
      complete = true;
    } finally {
      if (!complete) {
        batches.forEach(Columns::close);
      }
    }
    return Columns.concat(fields, batches, source.allocator());
  }

  private List<ArrayData> read(FragmentReader fragment, long[] offsets) {
    long[] fragmentIds = new long[offsets.length];
    Arrays.fill(fragmentIds, fragment.fragment().id());
    List<ArrayData> read = fragment.read(RowRanges.ofSortedRows(offsets), source.allocator());
    return PendingBlobs.ofStored(columns, read, fragmentIds, source.allocator());
  }

  /** The end of the run of sorted addresses in the same fragment. */
  static int endOfFragment(long[] addresses, int start) {
    long fragmentId = RowAddress.fragmentId(addresses[start]);
    int end = start + 1;
    while (end < addresses.length && RowAddress.fragmentId(addresses[end]) == fragmentId) {
      end++;
    }
    return end;
  }

  private FragmentReader open(long fragmentId) {
    if (reader == null || reader.fragment().id() != fragmentId) {
      close();
      FragmentMetadata fragment = source.version().manifest().fragment(fragmentId).orElseThrow();
      LanceSchema described = BlobV2Fields.described(columns);
      reader = FragmentReader.open(source.version(), fragment, described, source.session());
    }
    return reader;
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
