package dev.lance4j.index.vector.internal.search;

import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.vector.internal.hnsw.HnswGraph;
import dev.lance4j.table.Session;
import java.util.function.IntFunction;

/** The partitions of one segment, which a session keeps in memory. Safe for use by many threads. */
public final class PartitionCache {
  /**
   * A partition in memory.
   *
   * @param graph null if the partition is scanned
   */
  public record Loaded(Partition partition, HnswGraph graph) {
    long memoryBytes() {
      return partition.memoryBytes() + (graph == null ? 0 : graph.memoryBytes());
    }
  }

  private record Key(ObjectStore store, String directory, int partition) {}

  private final ObjectStore store;
  private final String directory;
  private final int[] lengths;
  private final IntFunction<Loaded> loader;
  private final Session session;

  /**
   * A cache.
   *
   * @param directory of the segment in its store
   * @param lengths the number of rows of each partition
   * @param loader reads a partition
   */
  public PartitionCache(
      ObjectStore store,
      String directory,
      int[] lengths,
      IntFunction<Loaded> loader,
      Session session) {
    this.store = store;
    this.directory = directory;
    this.lengths = lengths;
    this.loader = loader;
    this.session = session;
  }

  /** The number of rows of a partition. */
  public int rows(int partition) {
    return lengths[partition];
  }

  /** A partition, which stays in memory until the use is closed. */
  public Use use(int partition) {
    return new Use(
        session.acquire(
            new Key(store, directory, partition),
            () -> loader.apply(partition),
            Loaded::memoryBytes));
  }

  /** The use of a partition. */
  public static final class Use implements AutoCloseable {
    private final Session.Lease<Loaded> lease;

    Use(Session.Lease<Loaded> lease) {
      this.lease = lease;
    }

    public Partition partition() {
      return lease.value().partition();
    }

    /** The partition's graph, or null if it has none. */
    public HnswGraph graph() {
      return lease.value().graph();
    }

    @Override
    public void close() {
      lease.close();
    }
  }
}
