package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionMode;
import org.lance.compaction.CompactionOptions;
import org.lance.compaction.CompactionTask;

/** Requests that compact a table. */
final class CompactionCalls {
  private CompactionCalls() {}

  static void register(Map<String, OracleCalls.Call> calls, OracleContext context) {
    calls.put("compact", args -> context.with(args, dataset -> compact(dataset, args)));
    calls.put("planCompaction", args -> context.with(args, dataset -> plan(dataset, args)));
  }

  private static Object compact(Dataset dataset, JsonNode args) {
    dataset.compact(options(args));
    return dataset.version();
  }

  /** The ids of the fragments of each task. */
  private static Object plan(Dataset dataset, JsonNode args) {
    return Compaction.planCompaction(dataset, options(args)).getCompactionTasks().stream()
        .map(CompactionCalls::ids)
        .toList();
  }

  private static List<Integer> ids(CompactionTask task) {
    return task.getTaskData().getFragments().stream().map(FragmentMetadata::getId).toList();
  }

  private static CompactionOptions options(JsonNode args) {
    CompactionOptions.Builder options = CompactionOptions.builder();
    if (args.has("targetRowsPerFragment")) {
      options.withTargetRowsPerFragment(args.get("targetRowsPerFragment").asLong());
    }
    if (args.has("materializeDeletions")) {
      options.withMaterializeDeletions(args.get("materializeDeletions").asBoolean());
    }
    if (args.has("materializeDeletionsThreshold")) {
      options.withMaterializeDeletionsThreshold(
          (float) args.get("materializeDeletionsThreshold").asDouble());
    }
    if (args.has("deferIndexRemap")) {
      options.withDeferIndexRemap(args.get("deferIndexRemap").asBoolean());
    }
    if (args.has("compactionMode")) {
      options.withCompactionMode(CompactionMode.valueOf(args.get("compactionMode").asText()));
    }
    return options.build();
  }
}
