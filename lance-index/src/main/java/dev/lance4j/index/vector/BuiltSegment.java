package dev.lance4j.index.vector;

import dev.lance4j.table.IndexFile;
import java.util.List;

/**
 * A segment whose files are written.
 *
 * @param rows that are in it, which are those with a vector that has a direction or place
 * @param partitions the number of partitions
 * @param loss the sum of the distances of the rows to their centroids
 * @param files with their sizes
 */
public record BuiltSegment(long rows, int partitions, double loss, List<IndexFile> files) {
  public BuiltSegment {
    files = List.copyOf(files);
  }
}
