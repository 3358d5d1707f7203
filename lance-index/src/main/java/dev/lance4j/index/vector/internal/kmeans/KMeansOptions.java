package dev.lance4j.index.vector.internal.kmeans;

/**
 * How to cluster.
 *
 * @param dot whether a vector belongs to the centroid with the greatest dot product rather than to
 *     the nearest one
 * @param maxIterations after which to stop
 * @param balanced whether clusters of many vectors attract fewer
 * @param seed of all random choices
 */
public record KMeansOptions(boolean dot, int maxIterations, boolean balanced, long seed) {
  KMeansOptions withSeed(long newSeed) {
    return new KMeansOptions(dot, maxIterations, balanced, newSeed);
  }
}
