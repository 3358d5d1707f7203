package dev.lance4j.compaction.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.compaction.CompactionMetrics;
import dev.lance4j.compaction.CompactionPlan;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.IdRange;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.internal.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON of what is sent between the machines that take part in one compaction. */
public final class CompactionJson {
  private static final String URI = "uri";
  private static final String READ_VERSION = "read_version";
  private static final String TASKS = "tasks";
  private static final String FRAGMENTS = "fragments";
  private static final String OUTPUT = "output";
  private static final String MAX_ROWS = "max_rows_per_file";
  private static final String MAX_BYTES = "max_bytes_per_file";
  private static final String BATCH_SIZE = "batch_size";
  private static final String EXPECTED = "expected";
  private static final String SMALL = "small_fragments";
  private static final String WITH_DELETIONS = "fragments_with_deletions";
  private static final String LIVE_ROWS = "live_rows";
  private static final String DELETED_ROWS = "deleted_rows";
  private static final String BYTES = "bytes";
  private static final String OLD_FRAGMENTS = "old_fragments";
  private static final String NEW_FRAGMENTS = "new_fragments";
  private static final String METRICS = "metrics";
  private static final String FRAGMENTS_REMOVED = "fragments_removed";
  private static final String FILES_REMOVED = "files_removed";
  private static final String FRAGMENTS_ADDED = "fragments_added";
  private static final String FILES_ADDED = "files_added";

  private CompactionJson() {}

  /** The JSON of a plan. */
  public static String toJson(CompactionPlan plan) {
    ObjectNode object = object(plan.uri(), plan.readVersion());
    ArrayNode tasks = object.putArray(TASKS);
    plan.tasks().forEach(task -> tasks.add(node(task)));
    return object.toString();
  }

  /**
   * Reads a plan.
   *
   * @throws InvalidInputException if it is not one
   */
  public static CompactionPlan plan(String json) {
    Members plan = new Members(JsonValue.parse(json, "compaction plan"));
    String uri = plan.get(URI).text();
    long readVersion = plan.get(READ_VERSION).longNumber(true);
    List<CompactionTask> tasks = new ArrayList<>();
    for (JsonValue task : plan.get(TASKS).elements()) {
      tasks.add(task(task));
    }
    plan.end();
    return new CompactionPlan(uri, readVersion, tasks);
  }

  /** The JSON of a task. */
  public static String toJson(CompactionTask task) {
    return node(task).toString();
  }

  private static ObjectNode node(CompactionTask task) {
    ObjectNode object = object(task.uri(), task.readVersion());
    object.set(FRAGMENTS, node(task.fragments()));
    object
        .putObject(OUTPUT)
        .put(MAX_ROWS, task.output().maxRowsPerFile())
        .put(MAX_BYTES, task.output().maxBytesPerFile())
        .put(BATCH_SIZE, task.output().batchSize());
    object
        .putObject(EXPECTED)
        .put(SMALL, task.expected().smallFragments())
        .put(WITH_DELETIONS, task.expected().fragmentsWithDeletions())
        .put(LIVE_ROWS, task.expected().liveRows())
        .put(DELETED_ROWS, task.expected().deletedRows())
        .put(BYTES, task.expected().bytes());
    return object;
  }

  /**
   * Reads a task.
   *
   * @throws InvalidInputException if it is not one
   */
  public static CompactionTask task(String json) {
    return task(JsonValue.parse(json, "compaction task"));
  }

  private static CompactionTask task(JsonValue json) {
    Members task = new Members(json);
    Members output = new Members(task.get(OUTPUT));
    Members expected = new Members(task.get(EXPECTED));
    CompactionTask read =
        new CompactionTask(
            task.get(URI).text(),
            task.get(READ_VERSION).longNumber(true),
            ranges(task.get(FRAGMENTS)),
            new CompactionTask.Output(
                output.get(MAX_ROWS).longNumber(false),
                output.get(MAX_BYTES).longNumber(false),
                output.get(BATCH_SIZE).intNumber(false)),
            new CompactionTask.Expected(
                expected.get(SMALL).intNumber(false),
                expected.get(WITH_DELETIONS).intNumber(false),
                expected.get(LIVE_ROWS).longNumber(false),
                expected.get(DELETED_ROWS).longNumber(false),
                expected.get(BYTES).longNumber(false)));
    expected.end();
    output.end();
    task.end();
    return read;
  }

  /** The JSON of a result. */
  public static String toJson(RewriteResult result) {
    ObjectNode object = object(result.uri(), result.readVersion());
    object.set(OLD_FRAGMENTS, node(result.oldFragments()));
    ArrayNode fragments = object.putArray(NEW_FRAGMENTS);
    for (FragmentMetadata fragment : result.newFragments()) {
      fragments.add(JsonValue.parse(fragment.toJson(), "fragment").node());
    }
    object
        .putObject(METRICS)
        .put(FRAGMENTS_REMOVED, result.metrics().fragmentsRemoved())
        .put(FILES_REMOVED, result.metrics().filesRemoved())
        .put(FRAGMENTS_ADDED, result.metrics().fragmentsAdded())
        .put(FILES_ADDED, result.metrics().filesAdded());
    return object.toString();
  }

  /**
   * Reads a result.
   *
   * @throws InvalidInputException if it is not one
   */
  public static RewriteResult result(String json) {
    Members result = new Members(JsonValue.parse(json, "compaction result"));
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (JsonValue fragment : result.get(NEW_FRAGMENTS).elements()) {
      fragments.add(FragmentMetadata.fromJson(fragment.node().toString()));
    }
    Members metrics = new Members(result.get(METRICS));
    RewriteResult read =
        new RewriteResult(
            result.get(URI).text(),
            result.get(READ_VERSION).longNumber(true),
            ranges(result.get(OLD_FRAGMENTS)),
            fragments,
            new CompactionMetrics(
                metrics.get(FRAGMENTS_REMOVED).longNumber(false),
                metrics.get(FILES_REMOVED).longNumber(false),
                metrics.get(FRAGMENTS_ADDED).longNumber(false),
                metrics.get(FILES_ADDED).longNumber(false)));
    metrics.end();
    result.end();
    return read;
  }

  private static ObjectNode object(String uri, long readVersion) {
    return JsonNodeFactory.instance.objectNode().put(URI, uri).put(READ_VERSION, readVersion);
  }

  /** Ranges as pairs of the first and the last id. */
  private static JsonNode node(List<IdRange> ranges) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    ranges.forEach(range -> array.addArray().add(range.first()).add(range.last()));
    return array;
  }

  private static List<IdRange> ranges(JsonValue json) {
    List<IdRange> ranges = new ArrayList<>();
    for (JsonValue pair : json.elements()) {
      List<JsonValue> ids = pair.elements();
      if (ids.size() != 2) {
        throw pair.expected("the first and the last id of a range");
      }
      ranges.add(new IdRange(ids.get(0).longNumber(false), ids.get(1).longNumber(false)));
    }
    return ranges;
  }

  /** The members of an object, each of which is there and is known. */
  private static final class Members {
    private final JsonValue object;
    private final Map<String, JsonValue> left;

    Members(JsonValue object) {
      this.object = object;
      this.left = new LinkedHashMap<>(object.members());
    }

    JsonValue get(String key) {
      JsonValue value = left.remove(key);
      if (value == null) {
        throw new InvalidInputException(object.where() + " has no " + key);
      }
      return value;
    }

    void end() {
      left.values().forEach(JsonValue::refuseUnknown);
    }
  }
}
