package dev.lance4j.compaction;

import dev.lance4j.compaction.internal.CompactionJson;
import java.io.Serializable;
import java.util.List;

/**
 * Which fragments of a version of a table to rewrite. Its text says which, why, and what that will
 * take. Immutable.
 *
 * @param uri the table
 * @param readVersion the version that was planned on
 * @param tasks to be carried out in any order, anywhere; none if there is nothing to do
 */
public record CompactionPlan(String uri, long readVersion, List<CompactionTask> tasks)
    implements Serializable {

  public CompactionPlan {
    tasks = List.copyOf(tasks);
  }

  /** This plan as JSON. */
  public String toJson() {
    return CompactionJson.toJson(this);
  }

  /**
   * Reads what {@link #toJson} writes.
   *
   * @throws dev.lance4j.format.InvalidInputException if it is not the JSON of a plan; the message
   *     names the key
   */
  public static CompactionPlan fromJson(String json) {
    return CompactionJson.plan(json);
  }

  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder("Compaction of " + uri + " version " + readVersion + ": ");
    if (tasks.isEmpty()) {
      return text.append("nothing to do").toString();
    }
    text.append(tasks.size()).append(tasks.size() == 1 ? " task" : " tasks");
    tasks.forEach(task -> text.append("\n  ").append(task));
    return text.toString();
  }
}
