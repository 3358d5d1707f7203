package dev.lance4j.index.internal.scalar;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.StoredRowNumbers;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.roaringbitmap.RoaringBitmap;

/**
 * A scalar index of a version of a table. It answers for the fragments that its segments cover, by
 * the addresses that the rows have in the version. Immutable and safe for use by many threads.
 */
public final class ScalarIndex {
  private final IndexSource source;
  private final String name;
  private final ScalarKind kind;
  private final IndexedColumn column;
  private final List<SegmentFiles> segments;

  /**
   * @param segments which are all of the kind; at least one
   */
  public ScalarIndex(
      IndexSource source,
      String name,
      ScalarKind kind,
      IndexedColumn column,
      List<SegmentFiles> segments) {
    this.source = source;
    this.name = name;
    this.kind = kind;
    this.column = column;
    this.segments = List.copyOf(segments);
  }

  public String name() {
    return name;
  }

  public ScalarKind kind() {
    return kind;
  }

  public IndexedColumn column() {
    return column;
  }

  public List<SegmentFiles> segments() {
    return segments;
  }

  /** What the index can say to a query. */
  public Support support(ScalarQuery query) {
    Support weakest = Support.EXACT;
    for (SegmentFiles segment : segments) {
      Support support = support(query, segment);
      weakest = support.compareTo(weakest) < 0 ? support : weakest;
    }
    return weakest;
  }

  /**
   * Stable ids of rows that were changed may have been merged into a segment by a writer that did
   * not look whether they had left its fragments: then its answers must be checked.
   */
  private Support support(ScalarQuery query, SegmentFiles segment) {
    Support support = kind.support(query, segment);
    return support == Support.EXACT && isStable() && !segment.hasLiveRowsOnly()
        ? Support.CANDIDATES
        : support;
  }

  private boolean isStable() {
    return kind.numbers() == RowNumbers.IDS && source.version().manifest().hasStableRowIds();
  }

  /**
   * The fragments that the index answers for; owned by the caller.
   *
   * @throws CorruptFileException if a segment is damaged
   */
  public RoaringBitmap coverage() {
    RoaringBitmap coverage = new RoaringBitmap();
    for (SegmentFiles segment : segments) {
      coverage.or(coverage(segment));
    }
    return coverage;
  }

  /**
   * The fragments that one of the segments answers for; owned by the caller.
   *
   * @throws CorruptFileException if the segment is damaged
   */
  public RoaringBitmap coverage(SegmentFiles segment) {
    return withOpen(segment, open -> covered(segment, open)).clone();
  }

  private RoaringBitmap covered(SegmentFiles segment, ScalarSegment<?> open) {
    return open.answersFor(
        LogicalIndex.covered(segment.metadata(), source.version()), this::hasDeletions);
  }

  private boolean hasDeletions(int fragmentId) {
    return source
        .version()
        .manifest()
        .fragment(Integer.toUnsignedLong(fragmentId))
        .filter(fragment -> fragment.deletionFile().isPresent())
        .isPresent();
  }

  /**
   * The rows of the covered fragments for which a query is true or null; deleted rows may be among
   * them.
   *
   * @param query one that the index {@linkplain #support supports}
   * @throws CorruptFileException if a segment is damaged; the message says what to do
   */
  public RowAnswer search(ScalarQuery query) {
    RowAnswer all = RowAnswer.none();
    for (SegmentFiles segment : segments) {
      all = joined(all, withOpen(segment, open -> search(segment, open, query)));
    }
    return all;
  }

  /**
   * About how many rows a search would find, if that is known with much less work; rows that have
   * left the fragments of the index count too.
   *
   * @param query one that the index {@linkplain #support supports}
   * @throws CorruptFileException if a segment is damaged
   */
  public OptionalLong estimate(ScalarQuery query) {
    long rows = 0;
    for (SegmentFiles segment : segments) {
      OptionalLong some = withOpen(segment, open -> open.estimate(query, source.allocator()));
      if (some.isEmpty()) {
        return some;
      }
      rows += some.getAsLong();
    }
    return OptionalLong.of(rows);
  }

  /** Segments answer for different rows: what one does not know, another may. */
  private static RowAnswer joined(RowAnswer a, RowAnswer b) {
    Guarantee guarantee = a.guarantee() == Guarantee.EXACT ? b.guarantee() : a.guarantee();
    return new RowAnswer(guarantee, a.rows().or(b.rows()), a.nulls().or(b.nulls()));
  }

  private <S extends RowSet<S>> RowAnswer search(
      SegmentFiles files, ScalarSegment<S> segment, ScalarQuery query) {
    SegmentAnswer<S> found = segment.search(query, source.allocator());
    StoredRowNumbers numbers = new StoredRowNumbers(source, covered(files, segment));
    RowAddressSet rows = numbers.toAddresses(found.rows());
    RowAddressSet nulls = numbers.toAddresses(found.nulls());
    boolean exact = found.guarantee() == Guarantee.EXACT && support(query, files) == Support.EXACT;
    return exact
        ? new RowAnswer(Guarantee.EXACT, RowMask.allow(rows), nulls)
        : new RowAnswer(Guarantee.AT_MOST, RowMask.allow(rows), RowAddressSet.EMPTY);
  }

  /** What statistics say of each segment. */
  public List<Map<String, Object>> statistics() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (SegmentFiles segment : segments) {
      all.add(withOpen(segment, ScalarSegment::statistics));
    }
    return all;
  }

  private record Key(ObjectStore store, String path, RowDomain<?> rows) {}

  private <R> R withOpen(SegmentFiles files, Function<ScalarSegment<?>, R> use) {
    RowDomain<?> rows = isStable() ? RowDomain.STABLE_IDS : RowDomain.ADDRESSES;
    Key key = new Key(files.location().store(), files.location().path(), rows);
    try (Session.Lease<ScalarSegment<?>> lease =
        source
            .session()
            .acquire(
                key,
                () -> kind.open(files, rows, source.allocator()),
                ScalarSegment::memoryBytes)) {
      return use.apply(lease.value());
    } catch (CorruptFileException | ObjectNotFoundException e) {
      throw damaged(files.metadata(), e);
    }
  }

  private CorruptFileException damaged(IndexMetadata segment, RuntimeException cause) {
    String path = source.version().table().indexPath(segment.uuid());
    return new CorruptFileException(
        path,
        -1,
        "index '"
            + name
            + "' is damaged ("
            + cause.getMessage()
            + "); rebuild it by creating it again with replace, drop it, or scan without scalar"
            + " indices",
        cause);
  }

  @Override
  public String toString() {
    return kind.displayName() + " " + name;
  }
}
