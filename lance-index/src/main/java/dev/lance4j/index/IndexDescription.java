package dev.lance4j.index;

import java.util.List;

/**
 * What is known of an index without opening it.
 *
 * @param name of the index
 * @param type the kind of index, such as {@code BTree}
 * @param columns paths of the indexed columns
 * @param rowsIndexed how many live rows it covers
 * @param segments its parts
 */
public record IndexDescription(
    String name, String type, List<String> columns, long rowsIndexed, List<IndexSegment> segments) {
  public IndexDescription {
    columns = List.copyOf(columns);
    segments = List.copyOf(segments);
  }
}
