package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.SequenceLocation;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.UInt8Vector;

/** The stable ids of rows that are written anew, in the order in which they are written. */
public final class MovedRowIds {
  private final RowIdSequence.Builder ids = RowIdSequence.builder();
  private long[] batch = new long[0];

  /** Adds the values of a column {@code _rowid}. */
  public void add(UInt8Vector rowIds) {
    int count = rowIds.getValueCount();
    if (batch.length < count) {
      batch = new long[count];
    }
    for (int i = 0; i < count; i++) {
      batch[i] = rowIds.get(i);
    }
    add(batch, count);
  }

  /** Adds the first ids of an array. */
  public void add(long[] rowIds, int count) {
    ids.append(rowIds, 0, count);
  }

  /**
   * Gives the ids to the rows of new fragments. Rows after the last id, which are new, get theirs
   * when they are committed. To be called once.
   *
   * @throws InvalidInputException if there are more ids than rows
   */
  public List<FragmentMetadata> assign(List<FragmentMetadata> fragments) {
    long[] rows = fragments.stream().mapToLong(FragmentMetadata::physicalRows).toArray();
    List<RowIdSequence> parts = RowIdSequence.rechunk(List.of(ids.build()), rows, true);
    List<FragmentMetadata> assigned = new ArrayList<>(fragments.size());
    for (int i = 0; i < rows.length; i++) {
      RowIdSequence part = parts.get(i);
      FragmentMetadata fragment = fragments.get(i);
      assigned.add(
          part.length() == 0
              ? fragment
              : fragment.withRowIds(new SequenceLocation.Inline(part.toByteString())));
    }
    return assigned;
  }
}
