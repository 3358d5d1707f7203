package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.lance.Branch;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Ref;
import org.lance.Tag;
import org.lance.Transaction;
import org.lance.Version;
import org.lance.cleanup.CleanupPolicy;
import org.lance.cleanup.RemovalStats;
import org.lance.operation.Delete;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;

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
    calls.put("deleteBranch", args -> context.with(args, d -> deleteBranch(d, args)));
    calls.put("shallowClone", args -> context.with(args, d -> shallowClone(d, args)));
    calls.put("tagDetails", args -> context.with(args, VersionCalls::tagDetails));
    calls.put("branchDetails", args -> context.with(args, VersionCalls::branchDetails));
    calls.put("migrateManifestNames", args -> context.with(args, VersionCalls::migrate));
    calls.put("tableMetadata", args -> context.with(args, Dataset::getTableMetadata));
    calls.put("deleteConfigKeys", args -> context.with(args, d -> deleteConfigKeys(d, args)));
    calls.put("updateMetadata", args -> context.with(args, d -> updateMetadata(d, args)));
    calls.put("commitDetached", args -> context.with(args, d -> commitDetached(d, args)));
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
    if (args.has("cleanReferencedBranches")) {
      policy.withCleanReferencedBranches(args.get("cleanReferencedBranches").asBoolean());
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
    Ref start =
        args.has("fromTag")
            ? Ref.ofTag(args.get("fromTag").asText())
            : args.has("branch")
                ? Ref.ofBranch(args.get("branch").asText(), dataset.version())
                : Ref.ofMain(dataset.version());
    try (Dataset branch = dataset.createBranch(args.get("name").asText(), start)) {
      return branch.uri();
    }
  }

  private static Object deleteBranch(Dataset dataset, JsonNode args) {
    dataset.branches().delete(args.get("name").asText());
    return null;
  }

  private static Object shallowClone(Dataset dataset, JsonNode args) {
    Ref source =
        args.has("branch")
            ? Ref.ofBranch(args.get("branch").asText(), dataset.version())
            : Ref.ofMain(dataset.version());
    try (Dataset clone = dataset.shallowClone(args.get("target").asText(), source)) {
      return clone.version();
    }
  }

  private static Object tagDetails(Dataset dataset) {
    Map<String, Object> tags = new LinkedHashMap<>();
    for (Tag tag : dataset.tags().list()) {
      Map<String, Object> details = new LinkedHashMap<>();
      details.put("branch", tag.getBranch().orElse(null));
      details.put("version", tag.getVersion());
      details.put("createdAt", tag.getCreatedAt().map(Object::toString).orElse(null));
      details.put("updatedAt", tag.getUpdatedAt().map(Object::toString).orElse(null));
      details.put("manifestSize", tag.getManifestSize());
      details.put("metadata", tag.getMetadata());
      tags.put(tag.getName(), details);
    }
    return tags;
  }

  private static Object branchDetails(Dataset dataset) {
    Map<String, Object> branches = new LinkedHashMap<>();
    for (Branch branch : dataset.branches().list()) {
      Map<String, Object> details = new LinkedHashMap<>();
      details.put("parent", branch.getParentBranch().orElse(null));
      details.put("version", branch.getParentVersion());
      details.put("createAt", branch.getCreateAt());
      details.put("manifestSize", branch.getManifestSize());
      details.put("metadata", branch.getMetadata());
      details.put(
          "lineage",
          branch.getBranchIdentifier().stream()
              .map(point -> point.getVersion() + ":" + point.getUuid())
              .toList());
      branches.put(branch.getName(), details);
    }
    return branches;
  }

  private static Object migrate(Dataset dataset) {
    dataset.migrateManifestPathsV2();
    return null;
  }

  @SuppressWarnings("deprecation") // its replacement is a transaction built by hand
  private static Object deleteConfigKeys(Dataset dataset, JsonNode args) {
    dataset.deleteConfigKeys(new LinkedHashSet<>(OracleContext.strings(args.get("keys"))));
    return dataset.version();
  }

  private static UpdateMap updateMap(JsonNode values) {
    Map<String, String> updates = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : values.properties()) {
      updates.put(entry.getKey(), entry.getValue().isNull() ? null : entry.getValue().asText());
    }
    return UpdateMap.builder().updates(updates).replace(false).build();
  }

  /**
   * Changes the {@code config} and metadata: of the {@code table}, the {@code schema}, and {@code
   * fields} by id; null removes a key.
   */
  private static Object updateMetadata(Dataset dataset, JsonNode args) {
    UpdateConfig.Builder operation = UpdateConfig.builder();
    if (args.has("config")) {
      operation.configUpdates(updateMap(args.get("config")));
    }
    if (args.has("table")) {
      operation.tableMetadataUpdates(updateMap(args.get("table")));
    }
    if (args.has("schema")) {
      operation.schemaMetadataUpdates(updateMap(args.get("schema")));
    }
    if (args.has("fields")) {
      Map<Integer, UpdateMap> fields = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> entry : args.get("fields").properties()) {
        fields.put(Integer.valueOf(entry.getKey()), updateMap(entry.getValue()));
      }
      operation.fieldMetadataUpdates(fields);
    }
    Transaction transaction =
        new Transaction.Builder()
            .readVersion(dataset.version())
            .operation(operation.build())
            .build();
    try (Dataset next = new CommitBuilder(dataset).execute(transaction)) {
      return next.version();
    }
  }

  /** Commits the deletion of whole fragments as a detached version. */
  private static Object commitDetached(Dataset dataset, JsonNode args) {
    Transaction transaction =
        new Transaction.Builder()
            .readVersion(dataset.version())
            .operation(
                Delete.builder()
                    .updatedFragments(List.of())
                    .deletedFragmentIds(OracleContext.longs(args.get("fragments")))
                    .predicate("true")
                    .build())
            .build();
    try (Dataset next = new CommitBuilder(dataset).detached(true).execute(transaction)) {
      return next.version();
    }
  }
}
