package dev.lance4j.compaction;

import dev.lance4j.compaction.internal.CompactionJson;
import dev.lance4j.table.FragmentMetadata;
import java.io.Serializable;
import java.util.List;

/**
 * What a task wrote, to be committed together with the results of other tasks. Serialisable.
 * Immutable.
 *
 * @param uri the table
 * @param readVersion the version that the task was planned on
 * @param oldFragments the fragments that were rewritten, ascending
 * @param newFragments the fragments with their rows that were left, whose ids the commit assigns;
 *     none if all rows were deleted
 * @param metrics what the task did
 */
public record RewriteResult(
    String uri,
    long readVersion,
    List<IdRange> oldFragments,
    List<FragmentMetadata> newFragments,
    CompactionMetrics metrics)
    implements Serializable {

  public RewriteResult {
    oldFragments = List.copyOf(oldFragments);
    newFragments = List.copyOf(newFragments);
  }

  /** This result as JSON. */
  public String toJson() {
    return CompactionJson.toJson(this);
  }

  /**
   * Reads what {@link #toJson} writes.
   *
   * @throws dev.lance4j.format.InvalidInputException if it is not the JSON of a result; the message
   *     names the key
   */
  public static RewriteResult fromJson(String json) {
    return CompactionJson.result(json);
  }
}
