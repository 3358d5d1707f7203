package dev.lance4j.index.vector.internal.hnsw;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.search.Partition;
import dev.lance4j.index.vector.internal.search.RowScorer;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Builds the graph of a partition by inserting one row after the other: a search from row 0, which
 * is on all levels, finds those near to the row, and it is connected to some that lie in different
 * directions. With several threads the graph differs from build to build.
 */
public final class HnswBuilder {
  /** Rows that one thread inserts at a time. */
  private static final int STEP = 64;

  private final Partition partition;
  private final Metric metric;
  private final HnswOptions options;
  private final Neighborhoods[] levels;
  private final byte[] levelOf;
  private final Copies copies;
  private final ConcurrentLinkedQueue<Insertion> insertions = new ConcurrentLinkedQueue<>();

  private HnswBuilder(
      Partition partition, int codeBytes, Metric metric, HnswOptions options, long seed) {
    this.partition = partition;
    this.metric = metric;
    this.options = options;
    this.copies = new Copies(partition, codeBytes);
    this.levelOf = levels(options, seed);
    this.levels = new Neighborhoods[options.maxLevel()];
    for (int level = 0; level < levels.length; level++) {
      levels[level] = new Neighborhoods(levelOf, level, options.maxNeighbors(level));
    }
  }

  /**
   * Builds a graph.
   *
   * @param partition with at least one row
   * @param codeBytes what is stored of a row
   * @param seed of the choice of levels
   */
  public static BuiltGraph build(
      Partition partition,
      int codeBytes,
      Metric metric,
      HnswOptions options,
      long seed,
      ParallelRanges parallel) {
    HnswBuilder builder = new HnswBuilder(partition, codeBytes, metric, options, seed);
    parallel.run(partition.size() - 1, STEP, (from, to) -> builder.insert(from + 1, to + 1));
    builder.copies.connect(builder.levels[0], metric, options.m());
    new Reachability(builder.levels[0], partition, metric).establish();
    return new BuiltGraph(builder.levels, options);
  }

  /**
   * The highest level of each row: that of row 0 is the last one, that of copies the lowest, others
   * are rarer the higher.
   */
  private byte[] levels(HnswOptions options, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double scale = 1 / Math.log(options.m());
    byte[] levels = new byte[partition.size()];
    for (int row = 1; row < levels.length; row++) {
      double level = -Math.log(1 - random.nextDouble()) * scale;
      levels[row] = copies.isCopy(row) ? 0 : (byte) Math.min((int) level, options.maxLevel() - 1);
    }
    levels[0] = (byte) (options.maxLevel() - 1);
    return levels;
  }

  private void insert(int from, int to) {
    Insertion insertion = insertions.poll();
    if (insertion == null) {
      insertion = new Insertion();
    }
    for (int row = from; row < to; row++) {
      if (!copies.isCopy(row)) {
        insertion.insert(row);
      }
    }
    insertions.add(insertion);
  }

  /** What one thread needs to insert rows. */
  private final class Insertion {
    private final int[] visited = new int[partition.size()];
    private final NodeHeap candidates = NodeHeap.nearestFirst(options.efConstruction());
    private final NodeHeap results = NodeHeap.farthestFirst(options.efConstruction());
    private final int[] around = new int[options.maxNeighbors(0) + 1];
    private final int[] nodes = new int[options.efConstruction() + 1];
    private final float[] distances = new float[options.efConstruction() + 1];
    private final int[][] chosen = new int[levels.length][options.m()];
    private final float[][] chosenDistances = new float[levels.length][options.m()];
    private final int[] chosenCounts = new int[levels.length];
    private int turn;

    void insert(int row) {
      RowScorer scorer = partition.scorerOf(metric, row);
      int nearest = 0;
      float distance = scorer.score(0);
      int top = levelOf[row];
      for (int level = levels.length - 1; level > top; level--) {
        boolean moved = true;
        while (moved) {
          moved = false;
          int count = levels[level].copyNeighbors(nearest, around);
          for (int i = 0; i < count; i++) {
            float other = scorer.score(around[i]);
            if (other < distance) {
              distance = other;
              nearest = around[i];
              moved = true;
            }
          }
        }
      }
      for (int level = top; level >= 0; level--) {
        spread(levels[level], scorer, row, nearest, distance);
        int count = sortResults();
        if (count > 0) {
          nearest = nodes[0];
          distance = distances[0];
        }
        choose(level, count);
      }
      // From below: who comes to the row on a level finds its neighbours on the levels under it.
      for (int level = 0; level <= top; level++) {
        connect(level, row);
      }
    }

    /** Finds the rows near to one on a level; they are then the results. */
    private void spread(
        Neighborhoods level, RowScorer scorer, int row, int start, float startDistance) {
      turn++;
      candidates.clear();
      results.clear();
      visited[start] = turn;
      visited[row] = turn;
      candidates.add(start, startDistance);
      results.add(start, startDistance);
      int ef = options.efConstruction();
      while (!candidates.isEmpty()) {
        float distance = candidates.firstDistance();
        int next = candidates.removeFirst();
        if (results.size() >= ef && distance > results.firstDistance()) {
          break;
        }
        int count = level.copyNeighbors(next, around);
        for (int i = 0; i < count; i++) {
          int neighbor = around[i];
          if (visited[neighbor] == turn) {
            continue;
          }
          visited[neighbor] = turn;
          float other = scorer.score(neighbor);
          if (results.size() < ef) {
            candidates.add(neighbor, other);
            results.add(neighbor, other);
          } else if (other < results.firstDistance()) {
            candidates.add(neighbor, other);
            results.replaceFirst(neighbor, other);
          }
        }
      }
    }

    /** Takes the results out of their heap, the nearest first. */
    private int sortResults() {
      int count = results.size();
      for (int i = count - 1; i >= 0; i--) {
        distances[i] = results.firstDistance();
        nodes[i] = results.removeFirst();
      }
      return count;
    }

    /** Chooses the neighbours on a level among the rows found. */
    private void choose(int level, int found) {
      select(nodes, distances, found, options.m());
      // If few lie in directions of their own, the nearest others are neighbours as well.
      int kept = Math.min(found, options.m());
      System.arraycopy(nodes, 0, chosen[level], 0, kept);
      System.arraycopy(distances, 0, chosenDistances[level], 0, kept);
      chosenCounts[level] = kept;
    }

    private void connect(int level, int row) {
      levels[level].set(row, chosen[level], chosenDistances[level], chosenCounts[level]);
      for (int i = 0; i < chosenCounts[level]; i++) {
        addReverse(levels[level], chosen[level][i], row, chosenDistances[level][i]);
      }
    }

    private void addReverse(Neighborhoods level, int row, int neighbor, float distance) {
      synchronized (level.lock(row)) {
        if (level.add(row, neighbor, distance)) {
          return;
        }
        int count = level.size(row) + 1;
        int[] all = new int[count];
        float[] allDistances = new float[count];
        level.sorted(row, neighbor, distance, all, allDistances);
        int kept = select(all, allDistances, count, level.capacity());
        level.set(row, all, allDistances, kept);
      }
    }

    /**
     * Moves to the front those that are nearer to the row than to any other chosen one, so that
     * connections go in all directions. Of rows that are the same one is chosen. The others stay in
     * order.
     *
     * @param rows ascending by distance
     * @return how many were chosen
     */
    private int select(int[] rows, float[] rowDistances, int count, int most) {
      if (count <= most) {
        return count;
      }
      int kept = 0;
      for (int i = 0; i < count && kept < most; i++) {
        if (isApart(rows, rowDistances, i, kept)) {
          moveUp(rows, rowDistances, i, kept++);
        }
      }
      return kept;
    }

    private static void moveUp(int[] rows, float[] rowDistances, int from, int to) {
      int row = rows[from];
      float distance = rowDistances[from];
      System.arraycopy(rows, to, rows, to + 1, from - to);
      System.arraycopy(rowDistances, to, rowDistances, to + 1, from - to);
      rows[to] = row;
      rowDistances[to] = distance;
    }

    /** Whether one of some rows is apart from the first ones, which are chosen. */
    private boolean isApart(int[] rows, float[] rowDistances, int row, int chosen) {
      float distance = rowDistances[row];
      for (int i = 0; i < chosen; i++) {
        float between = partition.between(metric, rows[i], rows[row]);
        // A chosen row that is the same as the one that is connected leads nowhere else.
        boolean isSame = between == distance && rowDistances[i] == distance;
        if (between < distance || isSame) {
          return false;
        }
      }
      return true;
    }
  }
}
