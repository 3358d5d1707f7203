package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.internal.hnsw.HnswSearch;
import dev.lance4j.index.vector.internal.hnsw.NodeHeap;
import dev.lance4j.index.vector.internal.storage.Centroids;
import dev.lance4j.index.vector.internal.storage.SegmentModel;

/** The search of one segment for the neighbours of one vector. Used by one thread. */
public final class SegmentSearch {
  /** A graph is searched unless fewer than one of so many rows may be found. */
  private static final int FEW = 10;

  /** Rows that are looked at to tell how many may be found. */
  private static final int SAMPLE = 512;

  private final SegmentModel model;
  private final PartitionCache partitions;
  private final QueryVector query;
  private final VectorSearch search;
  private final RowFilter filter;
  private final long selectable;
  private final ProbeOrder probes;
  private final PartitionScan scan = new PartitionScan();
  private final TopRows top;

  /**
   * Starts a search.
   *
   * @param query as the caller gave it
   */
  public SegmentSearch(
      SegmentModel model,
      PartitionCache partitions,
      QueryVector query,
      VectorSearch search,
      RowFilter filter) {
    query.check(model.dimension(), model.centroids().element().isBits());
    this.model = model;
    this.partitions = partitions;
    this.query = query.preparedFor(model.metric(), model.centroids().element());
    this.search = search;
    this.filter = filter;
    this.selectable = filter.selectable();
    this.probes = new ProbeOrder(model.centroids(), model.metric(), this.query, search);
    this.top = new TopRows(search.candidates());
  }

  /** The rows found so far. */
  public TopRows found() {
    return top;
  }

  /** At most how many rows there are to find. */
  public long selectable() {
    return selectable;
  }

  /** Searches the partitions that are searched in any case. */
  public void searchFirst() {
    while (!probes.isFirstPhaseOver()) {
      probe(probes.next());
    }
  }

  /** Searches one more partition, if one is left that may be searched. */
  public boolean searchNext() {
    if (probes.isOver()) {
      return false;
    }
    probe(probes.next());
    return true;
  }

  private void probe(int partition) {
    if (partitions.rows(partition) == 0) {
      return;
    }
    try (PartitionCache.Use use = partitions.use(partition)) {
      Centroids centroids = model.centroids();
      Metric metric = model.metric();
      RowScorer scorer =
          use.partition()
              .scorer(metric, query, centroids.floats(), partition * centroids.dimension());
      if (use.graph() == null || selectsFew(use.partition())) {
        scan.scan(use.partition(), scorer, filter, top);
      } else {
        searchGraph(use, scorer);
      }
    }
  }

  /** Whether so few rows may be found that a graph would lead past most of them. */
  private boolean selectsFew(Partition partition) {
    int size = partition.size();
    if (selectable < size / FEW) {
      return true;
    }
    if (filter.mask() == null) {
      return false;
    }
    int step = Math.max(1, size / SAMPLE);
    int seen = 0;
    int selected = 0;
    for (int row = 0; row < size; row += step) {
      seen++;
      selected += filter.selects(partition.rowId(row)) ? 1 : 0;
    }
    return selected < seen / FEW;
  }

  private void searchGraph(PartitionCache.Use use, RowScorer scorer) {
    Partition partition = use.partition();
    HnswSearch graph = new HnswSearch(use.graph(), partition.size(), scorer);
    NodeHeap found =
        graph.search(
            Math.min(search.effectiveEf(), partition.size()),
            (row, distance) -> filter.isInRange(distance) && filter.selects(partition.rowId(row)));
    for (int i = 0; i < found.size(); i++) {
      top.offer(found.distance(i), partition.rowId(found.node(i)));
    }
  }
}
