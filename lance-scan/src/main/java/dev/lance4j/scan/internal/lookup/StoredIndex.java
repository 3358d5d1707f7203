package dev.lance4j.scan.internal.lookup;

import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.index.internal.scalar.Support;
import java.util.List;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/** A scalar index of a table. For use by one thread. */
final class StoredIndex implements FilterIndex {
  private final ScalarIndex index;
  private RoaringBitmap coverage;

  StoredIndex(ScalarIndex index) {
    this.index = index;
  }

  @Override
  public List<String> column() {
    return index.column().path();
  }

  @Override
  public String describe() {
    return index.toString();
  }

  @Override
  public Support support(ScalarQuery query) {
    return index.support(query);
  }

  @Override
  public RoaringBitmap coverage() {
    if (coverage == null) {
      coverage = index.coverage();
    }
    return coverage;
  }

  @Override
  public OptionalLong estimate(ScalarQuery query) {
    return index.estimate(query);
  }

  @Override
  public RowAnswer search(ScalarQuery query) {
    return index.search(query);
  }
}
