package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.read.ChosenRows;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.roaringbitmap.RoaringBitmap;

/**
 * The rows of a version that may have one of some keys, as far as an index knows: in the fragments
 * that it covers all others have none of them.
 */
public final class KeyLookUp {
  private final RoaringBitmap covered;
  private final RowMask<RowAddressSet> rows;

  private KeyLookUp(RoaringBitmap covered, RowMask<RowAddressSet> rows) {
    this.covered = covered;
    this.rows = rows;
  }

  /**
   * Asks the first index there is on one of the columns of the keys.
   *
   * @param columns of the keys, which are top-level columns
   * @param values of the columns, one for each key; stay the caller's
   * @param count the number of keys
   * @return nothing if there is no such index
   * @throws dev.lance4j.format.CorruptFileException if the index is damaged
   */
  public static Optional<KeyLookUp> of(
      Scan.Source source, List<LanceField> columns, List<ArrayData> values, int count) {
    for (int i = 0; i < columns.size(); i++) {
      List<String> path = List.of(columns.get(i).name());
      for (FilterIndex index : FilterIndices.on(List.of(path), source).usable()) {
        Optional<KeyLookUp> found = of(index, columns.get(i).toArrow(), values.get(i), count);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<KeyLookUp> of(
      FilterIndex index, Field field, ArrayData values, int count) {
    if (values.dictionary() != null || !field.getChildren().isEmpty()) {
      return Optional.empty();
    }
    List<ScalarValue> wanted = new ArrayList<>(count);
    for (int row = 0; row < count; row++) {
      if (values.isValid(row)) {
        wanted.add(ScalarValue.of(field, values, row, ""));
      }
    }
    ScalarQuery query = new ScalarQuery.In(wanted);
    RoaringBitmap covered = index.coverage();
    if (covered.isEmpty() || index.support(query) == Support.NONE) {
      return Optional.empty();
    }
    RowAnswer answer = index.search(query);
    return answer.guarantee() == Guarantee.AT_LEAST
        ? Optional.empty()
        : Optional.of(new KeyLookUp(covered, answer.selected()));
  }

  /** Whether the index knows the rows of a fragment. */
  public boolean covers(FragmentMetadata fragment) {
    return covered.contains((int) fragment.id());
  }

  /** Whether a row of a covered fragment may have one of the keys. */
  public boolean mayBeIn(FragmentMetadata fragment) {
    return ChosenRows.mayBeIn(fragment.id(), rows);
  }

  /**
   * The live rows of a covered fragment that may have one of the keys.
   *
   * @param physicalRows the number of rows of the fragment, deleted ones included
   */
  public ChosenRows rows(FragmentMetadata fragment, long physicalRows, DeletionVector deletions) {
    return ChosenRows.of(rows, fragment.id(), physicalRows, deletions);
  }
}
