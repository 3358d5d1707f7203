package dev.lance4j.index.vector;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.vector.internal.hnsw.HnswGraph;
import dev.lance4j.index.vector.internal.hnsw.HnswOptions;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.search.Partition;
import dev.lance4j.index.vector.internal.search.PartitionCache;
import dev.lance4j.index.vector.internal.search.PartitionReader;
import dev.lance4j.index.vector.internal.search.RowFilter;
import dev.lance4j.index.vector.internal.search.SegmentSearch;
import dev.lance4j.index.vector.internal.search.SimilaritySums;
import dev.lance4j.index.vector.internal.search.TopRows;
import dev.lance4j.index.vector.internal.storage.CodeFile;
import dev.lance4j.index.vector.internal.storage.GraphFile;
import dev.lance4j.index.vector.internal.storage.LayoutVersion;
import dev.lance4j.index.vector.internal.storage.LegacyFile;
import dev.lance4j.index.vector.internal.storage.PartitionRanges;
import dev.lance4j.index.vector.internal.storage.SegmentModel;
import dev.lance4j.index.vector.internal.storage.SegmentStatistics;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.table.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One segment of a vector index, open for searching. Partitions come into memory when they are
 * first searched, and a session keeps them. Safe for use by many threads.
 */
public final class VectorSegment implements AutoCloseable {
  /** How many times as many rows are sought for each vector of a list. */
  private static final int OVERFETCH = 10;

  private final SegmentModel model;
  private final PartitionRanges ranges;
  private final PartitionCache partitions;
  private final HnswOptions graphOptions;
  private final LayoutVersion version;
  private final List<AutoCloseable> files;
  private final long sizeBytes;

  private VectorSegment(
      SegmentModel model,
      PartitionRanges ranges,
      PartitionCache partitions,
      HnswOptions graphOptions,
      LayoutVersion version,
      List<AutoCloseable> files,
      long sizeBytes) {
    this.model = model;
    this.ranges = ranges;
    this.partitions = partitions;
    this.graphOptions = graphOptions;
    this.version = version;
    this.files = files;
    this.sizeBytes = sizeBytes;
  }

  /**
   * Opens a segment.
   *
   * @param directory that holds its files
   * @param session keeps partitions in memory
   * @param allocator for reading; must outlive the segment
   * @throws CorruptFileException if a file is damaged
   * @throws UnsupportedFormatException if the segment is of a version that is not known
   */
  public static VectorSegment open(
      ObjectStore store, String directory, Session session, BufferAllocator allocator) {
    if (LayoutVersion.of(store, directory) == LayoutVersion.LEGACY) {
      return legacy(LegacyFile.open(store, directory), store, directory, session);
    }
    GraphFile graphs = GraphFile.open(store, directory);
    CodeFile codes = null;
    try {
      codes = CodeFile.open(store, directory, graphs.type().quantization());
      check(graphs, codes);
      return of(graphs, codes, store, directory, session, allocator);
    } catch (RuntimeException e) {
      graphs.close();
      if (codes != null) {
        codes.close();
      }
      throw e;
    }
  }

  private static VectorSegment legacy(
      LegacyFile file, ObjectStore store, String directory, Session session) {
    PartitionRanges ranges = PartitionRanges.ofLengths(file.lengths());
    PartitionCache cache =
        new PartitionCache(
            store,
            directory,
            ranges.lengths(),
            p -> new PartitionCache.Loaded(PartitionReader.read(file, p), null),
            session);
    return new VectorSegment(
        file.model(),
        ranges,
        cache,
        HnswOptions.DEFAULT,
        LayoutVersion.LEGACY,
        List.of(file),
        file.size());
  }

  private static void check(GraphFile graphs, CodeFile codes) {
    if (graphs.centroids().count() != codes.ranges().count()) {
      throw new CorruptFileException(
          codes.path(),
          -1,
          String.format(
              "the file has %d partitions, but there are %d centroids",
              codes.ranges().count(), graphs.centroids().count()));
    }
    int dimension = codes.quantization().quantizer().dimension();
    if (graphs.centroids().dimension() != dimension) {
      throw new CorruptFileException(
          codes.path(),
          -1,
          String.format(
              "the vectors are of dimension %d, but the centroids of %d",
              dimension, graphs.centroids().dimension()));
    }
    if (graphs.centroids().element().isBits() != (graphs.metric() == Metric.HAMMING)) {
      throw new CorruptFileException(
          graphs.path(), -1, "the metric " + graphs.metric() + " does not fit the vectors");
    }
  }

  private static VectorSegment of(
      GraphFile graphs,
      CodeFile codes,
      ObjectStore store,
      String directory,
      Session session,
      BufferAllocator allocator) {
    SegmentModel model =
        new SegmentModel(
            graphs.type(),
            graphs.metric(),
            graphs.centroids(),
            codes.quantization(),
            graphs.loss());
    boolean hasGraph = graphs.type().hasGraph();
    PartitionReader reader = new PartitionReader(codes, hasGraph);
    PartitionCache cache =
        new PartitionCache(
            store,
            directory,
            codes.ranges().lengths(),
            p -> {
              Partition partition = reader.read(p, allocator);
              HnswGraph graph = hasGraph ? graphs.readGraph(p, partition.size(), allocator) : null;
              return new PartitionCache.Loaded(partition, graph);
            },
            session);
    return new VectorSegment(
        model,
        codes.ranges(),
        cache,
        graphs.options(),
        LayoutVersion.CURRENT,
        List.of(graphs, codes),
        graphs.size() + codes.size());
  }

  /** The kind of index. */
  public VectorIndexType type() {
    return model.type();
  }

  /** What its distances are. */
  public Metric metric() {
    return model.metric();
  }

  /** The dimension of the vectors in components; for vectors of bits, in bytes. */
  public int dimension() {
    return model.dimension();
  }

  /** The number of partitions. */
  public int partitionCount() {
    return model.partitions();
  }

  /** The number of rows of a partition, from 0 on. */
  public int partitionRows(int partition) {
    return ranges.lengths()[partition];
  }

  /** The number of rows. */
  public long rowCount() {
    return ranges.rows();
  }

  /** The sum of the distances of the rows to their centroids, if it was recorded. */
  public OptionalDouble loss() {
    return model.loss();
  }

  /**
   * What there is to tell about the segment, as statistics of indices have it: its kind, metric,
   * partitions with their sizes, loss, version, centroids, and how codes are made.
   */
  public Map<String, Object> statistics() {
    return SegmentStatistics.of(model, ranges, graphOptions, version);
  }

  /** The size of its files in bytes. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** The specification that builds such a segment from other rows, trained to those. */
  public VectorIndexSpec settings() {
    VectorIndexSpec spec =
        VectorIndexSpec.of(type())
            .metric(metric())
            .partitions(partitionCount())
            .maxLevel(graphOptions.maxLevel())
            .maxConnections(graphOptions.m())
            .constructionEf(graphOptions.efConstruction());
    Quantizer quantizer = model.quantization().quantizer();
    if (quantizer instanceof ProductQuantizer product) {
      return spec.subVectors(product.subVectors()).bits(product.bits());
    }
    return quantizer instanceof RabitQuantizer rabit ? spec.bits(rabit.bits()) : spec;
  }

  /** Whether rows of another segment can be taken over without the table's vectors. */
  public boolean fits(VectorSegment other) {
    return model.fits(other.model);
  }

  /** Its partitions. */
  PartitionCache partitions() {
    return partitions;
  }

  /** How its graphs were built; the default if it has none. */
  HnswOptions graphOptions() {
    return graphOptions;
  }

  /** What it was trained to. */
  SegmentModel model() {
    return model;
  }

  /**
   * Finds the nearest rows.
   *
   * @param mask the rows that may be found; null for all
   * @throws dev.lance4j.format.InvalidInputException if the query is of another dimension or kind
   *     than the vectors
   */
  public Neighbors search(QueryVector query, VectorSearch search, RowMask<?> mask) {
    List<RowMask<?>> masks = new ArrayList<>();
    masks.add(mask);
    return search(List.of(this), masks, query, search);
  }

  /**
   * Finds the nearest rows of several segments: first in the partitions of each that are nearest,
   * and while they hold fewer rows than are sought, in further ones.
   *
   * @param masks the rows of each segment that may be found; null for all
   */
  public static Neighbors search(
      List<VectorSegment> segments,
      List<RowMask<?>> masks,
      QueryVector query,
      VectorSearch search) {
    return search(segments, masks, query, search, false);
  }

  /**
   * Searches as above.
   *
   * @param areLists whether rows have several vectors, and may be found several times
   */
  private static Neighbors search(
      List<VectorSegment> segments,
      List<RowMask<?>> masks,
      QueryVector query,
      VectorSearch search,
      boolean areLists) {
    List<SegmentSearch> searches = new ArrayList<>(segments.size());
    for (int i = 0; i < segments.size(); i++) {
      VectorSegment segment = segments.get(i);
      RowFilter filter = new RowFilter(masks.get(i), search.lower(), search.upper());
      searches.add(new SegmentSearch(segment.model, segment.partitions, query, search, filter));
    }
    for (SegmentSearch one : searches) {
      one.searchFirst();
    }
    long wanted = Math.min(search.k(), selectable(searches));
    boolean more = true;
    while (more && found(searches, areLists) < wanted) {
      more = false;
      for (SegmentSearch one : searches) {
        more |= one.searchNext();
      }
    }
    TopRows all = searches.get(0).found();
    for (SegmentSearch one : searches.subList(1, searches.size())) {
      all.addAll(one.found());
    }
    return Neighbors.of(all);
  }

  /**
   * Finds the rows whose lists of vectors are most similar to a list of vectors: rows whose
   * similarities, of each vector of the query to the one most similar of the row, have the greatest
   * sum. Only rows that are near to one of the query's vectors are looked at, and where one of them
   * was not met, its similarity is taken to be the least one that was. Distances are the number of
   * the query's vectors less the sum.
   *
   * @param masks the rows of each segment that may be found; null for all
   */
  public static Neighbors searchLists(
      List<VectorSegment> segments,
      List<RowMask<?>> masks,
      List<QueryVector> queries,
      VectorSearch search) {
    SimilaritySums sums = new SimilaritySums();
    for (QueryVector query : queries) {
      sums.add(searchList(segments, masks, query, search));
    }
    return Neighbors.of(sums.top(search.candidates()));
  }

  /** The nearest vectors: so many that the rows they are of are as many as are sought. */
  private static Neighbors searchList(
      List<VectorSegment> segments,
      List<RowMask<?>> masks,
      QueryVector query,
      VectorSearch search) {
    VectorSearch wider = search;
    Neighbors found;
    do {
      int most = Integer.MAX_VALUE / search.k();
      wider = wider.refine((int) Math.min(most, (long) wider.refine() * OVERFETCH));
      found = search(segments, masks, query, wider, true);
    } while (found.size() == wider.candidates()
        && Arrays.stream(found.rowIds()).distinct().count() < search.candidates());
    return found;
  }

  /** At most how many rows there are to find. */
  private static long selectable(List<SegmentSearch> searches) {
    long rows = 0;
    for (SegmentSearch one : searches) {
      if (one.selectable() == Long.MAX_VALUE) {
        return Long.MAX_VALUE;
      }
      rows += one.selectable();
    }
    return rows;
  }

  private static long found(List<SegmentSearch> searches, boolean areLists) {
    if (areLists) {
      LongStream rows = searches.stream().flatMapToLong(one -> one.found().rowIds());
      return rows.distinct().count();
    }
    long found = 0;
    for (SegmentSearch one : searches) {
      found += one.found().size();
    }
    return found;
  }

  @Override
  public void close() {
    for (AutoCloseable file : files) {
      try {
        file.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("a file could not be closed", e);
      }
    }
  }
}
