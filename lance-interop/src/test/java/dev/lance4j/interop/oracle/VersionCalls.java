package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lance.Branch;
import org.lance.Dataset;
import org.lance.Ref;
import org.lance.Tag;
import org.lance.Version;
import org.lance.cleanup.CleanupPolicy;
import org.lance.cleanup.RemovalStats;

/** Requests about versions, tags, branches, configuration and cleanup. */
final class VersionCalls {
  private VersionCalls() {}

  static void register(Map<String, OracleCalls.Call> calls, OracleContext context) {
    calls.put("version", args -> context.with(args, Dataset::version));
    calls.put("versions", args -> context.with(args, VersionCalls::versions));
    calls.put("fileVersion", args -> context.with(args, Dataset::getLanceFileFormatVersion));
    calls.put("hasStableRowIds", args -> context.with(args, Dataset::hasStableRowIds));
    calls.put("restore", args -> context.with(args, VersionCalls::restore));
    calls.put("cleanup", args -> context.with(args, dataset -> cleanup(dataset, args)));
    calls.put("config", args -> context.with(args, Dataset::getConfig));
    calls.put("updateConfig", args -> context.with(args, d -> updateConfig(d, args)));
    calls.put("tags", args -> context.with(args, VersionCalls::tags));
    calls.put("createTag", args -> context.with(args, dataset -> createTag(dataset, args)));
    calls.put("updateTag", args -> context.with(args, dataset -> updateTag(dataset, args)));
    calls.put("deleteTag", args -> context.with(args, dataset -> deleteTag(dataset, args)));
    calls.put("branches", args -> context.with(args, VersionCalls::branches));
    calls.put("createBranch", args -> context.with(args, d -> createBranch(d, args)));
  }

  private static Object versions(Dataset dataset) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Version version : dataset.listVersions()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", version.getId());
      one.put("timestamp", version.getDataTime().toInstant().toString());
      one.put("metadata", version.getMetadata());
      all.add(one);
    }
    return all;
  }

  private static Object restore(Dataset dataset) {
    dataset.restore();
    return dataset.version();
  }

  private static Object cleanup(Dataset dataset, JsonNode args) {
    CleanupPolicy.Builder policy = CleanupPolicy.builder();
    if (args.has("beforeTimestampMillis")) {
      policy.withBeforeTimestampMillis(args.get("beforeTimestampMillis").asLong());
    }
    if (args.has("beforeVersion")) {
      policy.withBeforeVersion(args.get("beforeVersion").asLong());
    }
    if (args.has("deleteUnverified")) {
      policy.withDeleteUnverified(args.get("deleteUnverified").asBoolean());
    }
    if (args.has("errorIfTaggedOldVersions")) {
      policy.withErrorIfTaggedOldVersions(args.get("errorIfTaggedOldVersions").asBoolean());
    }
    RemovalStats stats = dataset.cleanupWithPolicy(policy.build());
    return Map.of(
        "bytesRemoved", stats.getBytesRemoved(),
        "oldVersions", stats.getOldVersions(),
        "dataFilesRemoved", stats.getDataFilesRemoved(),
        "transactionFilesRemoved", stats.getTransactionFilesRemoved(),
        "indexFilesRemoved", stats.getIndexFilesRemoved(),
        "deletionFilesRemoved", stats.getDeletionFilesRemoved());
  }

  @SuppressWarnings("deprecation") // its replacement is a transaction built by hand
  private static Object updateConfig(Dataset dataset, JsonNode args) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : args.get("values").properties()) {
      values.put(entry.getKey(), entry.getValue().asText());
    }
    dataset.updateConfig(values);
    return dataset.version();
  }

  private static Object tags(Dataset dataset) {
    Map<String, Long> versions = new LinkedHashMap<>();
    for (Tag tag : dataset.tags().list()) {
      versions.put(tag.getName(), tag.getVersion());
    }
    return versions;
  }

  private static Object createTag(Dataset dataset, JsonNode args) {
    dataset.tags().create(args.get("name").asText(), args.get("tagVersion").asLong());
    return null;
  }

  private static Object updateTag(Dataset dataset, JsonNode args) {
    dataset.tags().update(args.get("name").asText(), args.get("tagVersion").asLong());
    return null;
  }

  private static Object deleteTag(Dataset dataset, JsonNode args) {
    dataset.tags().delete(args.get("name").asText());
    return null;
  }

  private static Object branches(Dataset dataset) {
    Map<String, Long> parents = new LinkedHashMap<>();
    for (Branch branch : dataset.branches().list()) {
      parents.put(branch.getName(), branch.getParentVersion());
    }
    return parents;
  }

  private static Object createBranch(Dataset dataset, JsonNode args) {
    try (Dataset branch =
        dataset.createBranch(args.get("name").asText(), Ref.ofMain(dataset.version()))) {
      return branch.uri();
    }
  }
}
