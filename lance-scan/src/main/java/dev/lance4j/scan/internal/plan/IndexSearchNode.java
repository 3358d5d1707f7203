package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/** Has a vector index find rows. */
final class IndexSearchNode implements NeighborsNode {
  private final VectorIndex index;
  private final String kind;
  private final List<List<QueryVector>> queries;
  private final VectorSearch search;
  private final RoaringBitmap fragments;
  private final Optional<BatchNode> allowed;
  private final Optional<NeighborsNode> instead;
  private final RowDomain<?> domain;
  private final StepMetrics metrics = new StepMetrics();
  private String problem;

  /**
   * @param fragments where rows are wanted, all of which the index covers
   * @param allowed gives the ids of the rows that may be found; absent for all
   * @param instead finds them without the index, if it turns out to be damaged; absent to fail
   * @param domain of the ids
   */
  IndexSearchNode(
      VectorIndex index,
      List<List<QueryVector>> queries,
      VectorSearch search,
      RoaringBitmap fragments,
      Optional<BatchNode> allowed,
      Optional<NeighborsNode> instead,
      RowDomain<?> domain) {
    this.index = index;
    this.kind = index.type() + ", " + index.metric();
    this.queries = queries;
    this.search = search;
    this.fragments = fragments;
    this.allowed = allowed;
    this.instead = instead;
    this.domain = domain;
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder("Search index ");
    text.append(index.name()).append(" (").append(kind).append("): ");
    text.append(count(index.segments().size(), "segment")).append(" for ");
    text.append(count(fragments.getCardinality(), "fragment")).append(", ");
    text.append(count(search.candidates(), "candidate")).append(", probes ");
    text.append(search.minProbes()).append(" to ");
    search.maxProbes().ifPresentOrElse(text::append, () -> text.append("all"));
    search.ef().ifPresent(ef -> text.append(", ef ").append(ef));
    return problem == null ? text.toString() : text + ", without an answer: " + problem;
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  @Override
  public List<PlanNode> inputs() {
    return problem == null
        ? List.copyOf(allowed.stream().toList())
        : List.copyOf(instead.stream().toList());
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public List<Neighbors> find() {
    RowSet<?> among = allowed.map(rows -> RowFinder.find(rows, domain)).orElse(null);
    try {
      StepMetrics.Span span = metrics.begin();
      List<Neighbors> found = index.search(queries, search, fragments, among);
      span.end(found.stream().mapToLong(Neighbors::size).sum());
      return found;
    } catch (CorruptFileException e) {
      if (instead.isEmpty()) {
        throw e;
      }
      problem = e.getMessage();
      return instead.get().find();
    }
  }
}
