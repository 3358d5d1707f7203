package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.roaringbitmap.RoaringBitmap;

/**
 * An index that goes through the values of a column for each query. Unless it is exact, it finds
 * some rows too many and knows nothing of nulls.
 */
final class NaiveIndex implements FilterIndex {
  /** The rows of a fragment. */
  static final int FRAGMENT_ROWS = 16;

  private final String name;
  private final List<String> column;
  private final List<List<ScalarValue>> lists = new ArrayList<>();
  private final boolean exact;
  private final RoaringBitmap coverage;
  private int searches;
  private boolean damaged;
  private OptionalLong estimate = OptionalLong.empty();

  private NaiveIndex(String name, List<String> column, boolean exact, RoaringBitmap coverage) {
    this.name = name;
    this.column = column;
    this.exact = exact;
    this.coverage = coverage;
  }

  /**
   * An index on a column of single values, or of lists of them.
   *
   * @param coverage the fragments that it answers for
   */
  static NaiveIndex on(
      FieldVector values, List<String> column, boolean exact, RoaringBitmap coverage) {
    String name = (exact ? "exact " : "rough ") + String.join(".", column);
    NaiveIndex index = new NaiveIndex(name, column, exact, coverage);
    FieldVector items = values instanceof ListVector list ? list.getDataVector() : values;
    try (ArrayData array = ArrayDataVectors.of(items, items.getValueCount(), "", null)) {
      for (int row = 0; row < values.getValueCount(); row++) {
        index.lists.add(values.isNull(row) ? null : values(values, items, array, row));
      }
    }
    return index;
  }

  /** The values of a row, a null being one without a value. */
  private static List<ScalarValue> values(
      FieldVector values, FieldVector items, ArrayData array, int row) {
    int from = values instanceof ListVector list ? list.getElementStartIndex(row) : row;
    int to = values instanceof ListVector list ? list.getElementEndIndex(row) : row + 1;
    List<ScalarValue> all = new ArrayList<>();
    for (int i = from; i < to; i++) {
      all.add(items.isNull(i) ? null : ScalarValue.of(items.getField(), array, i, ""));
    }
    return all;
  }

  /** Lets ranges with one end be known to have so many rows. */
  void estimate(long rows) {
    estimate = OptionalLong.of(rows);
  }

  /** Lets every use fail. */
  void damage() {
    damaged = true;
  }

  int searches() {
    return searches;
  }

  @Override
  public List<String> column() {
    return column;
  }

  @Override
  public String describe() {
    return name;
  }

  @Override
  public Support support(ScalarQuery query) {
    return exact ? Support.EXACT : Support.CANDIDATES;
  }

  @Override
  public RoaringBitmap coverage() {
    failIfDamaged();
    return coverage;
  }

  private void failIfDamaged() {
    if (damaged) {
      throw new CorruptFileException("index", -1, name + " is damaged");
    }
  }

  @Override
  public OptionalLong estimate(ScalarQuery query) {
    return query instanceof ScalarQuery.Range range
            && (range.lower().isEmpty() || range.upper().isEmpty())
        ? estimate
        : OptionalLong.empty();
  }

  @Override
  public RowAnswer search(ScalarQuery query) {
    failIfDamaged();
    searches++;
    RowAddressSet.Builder rows = RowAddressSet.builder();
    RowAddressSet.Builder nulls = RowAddressSet.builder();
    for (int row = 0; row < lists.size(); row++) {
      int fragment = row / FRAGMENT_ROWS;
      long address = RowAddress.pack(fragment, row % FRAGMENT_ROWS);
      Boolean truth = truth(query, lists.get(row));
      boolean covered = coverage.contains(fragment);
      if (covered && (Boolean.TRUE.equals(truth) || (!exact && row % 3 == 0))) {
        rows.add(address);
      } else if (covered && truth == null && exact) {
        nulls.add(address);
      }
    }
    Guarantee guarantee = exact ? Guarantee.EXACT : Guarantee.AT_MOST;
    return new RowAnswer(guarantee, RowMask.allow(rows.build()), nulls.build());
  }

  private static Boolean truth(ScalarQuery query, List<ScalarValue> values) {
    if (query instanceof ScalarQuery.IsNull) {
      return values == null;
    } else if (values == null) {
      return null;
    } else if (query instanceof ScalarQuery.Equals equals) {
      return values.contains(equals.value());
    } else if (query instanceof ScalarQuery.In in) {
      return in.values().contains(values.get(0));
    } else if (query instanceof ScalarQuery.Range range) {
      return range.contains(values.get(0));
    } else if (query instanceof ScalarQuery.HasAny any) {
      return wanted(any.items(), any.nullToo()).stream().anyMatch(values::contains);
    }
    ScalarQuery.HasAll all = (ScalarQuery.HasAll) query;
    return values.containsAll(wanted(all.items(), all.nullToo()));
  }

  private static Set<ScalarValue> wanted(List<ScalarValue> items, boolean nullToo) {
    Set<ScalarValue> wanted = new HashSet<>(items);
    if (nullToo) {
      wanted.add(null);
    }
    return wanted;
  }
}
