package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.WriteDatasetBuilder;
import org.lance.WriteParams.WriteMode;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertParams.WhenNotMatched;
import org.lance.merge.MergeInsertResult;
import org.lance.merge.MergeInsertStats;
import org.lance.schema.ColumnAlteration;
import org.lance.schema.SqlExpressions;

/** Requests that change a table. Those that make a version answer with its number. */
final class WriteCalls {
  /** Uses a stream of data. */
  private interface OnStream<T> {
    T run(ArrowArrayStream stream) throws Exception;
  }

  private final OracleContext context;

  private WriteCalls(OracleContext context) {
    this.context = context;
  }

  static void register(Map<String, OracleCalls.Call> calls, OracleContext context) {
    WriteCalls writes = new WriteCalls(context);
    calls.put("write", writes::write);
    calls.put("delete", args -> context.with(args, dataset -> delete(dataset, args)));
    calls.put("mergeInsert", args -> context.with(args, d -> writes.mergeInsert(d, args)));
    calls.put("addColumns", args -> context.with(args, d -> writes.addColumns(d, args)));
    calls.put("dropColumns", args -> context.with(args, dataset -> dropColumns(dataset, args)));
    calls.put("alterColumn", args -> context.with(args, dataset -> alterColumn(dataset, args)));
  }

  private <T> T withStream(JsonNode args, OnStream<T> work) throws Exception {
    try (ArrowReader data = context.data(args);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(context.allocator())) {
      Data.exportArrayStream(context.allocator(), data, stream);
      return work.run(stream);
    }
  }

  private Object write(JsonNode args) throws Exception {
    return withStream(
        args,
        stream -> {
          WriteDatasetBuilder builder =
              Dataset.write().allocator(context.allocator()).uri(args.get("uri").asText()).stream(
                      stream)
                  .mode(WriteMode.valueOf(args.path("mode").asText("CREATE")));
          options(builder, args);
          try (Dataset dataset = builder.execute()) {
            return dataset.version();
          }
        });
  }

  private static void options(WriteDatasetBuilder builder, JsonNode args) {
    if (args.has("fileVersion")) {
      builder.dataStorageVersion(args.get("fileVersion").asText());
    }
    if (args.has("maxRowsPerFile")) {
      builder.maxRowsPerFile(args.get("maxRowsPerFile").asInt());
    }
    if (args.has("maxRowsPerGroup")) {
      builder.maxRowsPerGroup(args.get("maxRowsPerGroup").asInt());
    }
    if (args.has("maxBytesPerFile")) {
      builder.maxBytesPerFile(args.get("maxBytesPerFile").asLong());
    }
    if (args.has("externalBlobs")) {
      builder.allowExternalBlobOutsideBases(args.get("externalBlobs").asBoolean());
    }
    if (args.has("blobPackFileSize")) {
      builder.blobPackFileSizeThreshold(args.get("blobPackFileSize").asLong());
    }
    if (args.has("stableRowIds")) {
      builder.enableStableRowIds(args.get("stableRowIds").asBoolean());
    }
  }

  private static Object delete(Dataset dataset, JsonNode args) {
    dataset.delete(args.get("predicate").asText());
    return dataset.version();
  }

  private Object mergeInsert(Dataset dataset, JsonNode args) throws Exception {
    MergeInsertParams params = new MergeInsertParams(OracleContext.strings(args.get("on")));
    switch (args.path("matched").asText("doNothing")) {
      case "doNothing" -> params.withMatchedDoNothing();
      case "updateAll" -> params.withMatchedUpdateAll();
      case "updateIf" -> params.withMatchedUpdateIf(args.get("matchedIf").asText());
      case "delete" -> params.withMatchedDelete();
      default -> params.withMatchedFail();
    }
    params.withNotMatched(
        args.path("insert").asBoolean(true) ? WhenNotMatched.InsertAll : WhenNotMatched.DoNothing);
    switch (args.path("bySource").asText("keep")) {
      case "keep" -> params.withNotMatchedBySourceKeep();
      case "delete" -> params.withNotMatchedBySourceDelete();
      default -> params.withNotMatchedBySourceDeleteIf(args.get("bySourceIf").asText());
    }
    return withStream(
        args,
        stream -> {
          MergeInsertResult result = dataset.mergeInsert(params, stream);
          try (Dataset merged = result.dataset()) {
            return mergeResult(merged, result.stats());
          }
        });
  }

  private static Map<String, Object> mergeResult(Dataset merged, MergeInsertStats stats) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("version", merged.version());
    answer.put("inserted", stats.numInsertedRows());
    answer.put("updated", stats.numUpdatedRows());
    answer.put("deleted", stats.numDeletedRows());
    return answer;
  }

  private Object addColumns(Dataset dataset, JsonNode args) throws Exception {
    if (args.has("sql")) {
      SqlExpressions.Builder expressions = new SqlExpressions.Builder();
      for (Map.Entry<String, JsonNode> entry : args.get("sql").properties()) {
        expressions.withExpression(entry.getKey(), entry.getValue().asText());
      }
      dataset.addColumns(expressions.build(), Optional.empty());
    } else if (args.has("schema")) {
      dataset.addColumns(Schema.fromJSON(args.get("schema").asText()));
    } else {
      withStream(
          args,
          stream -> {
            dataset.addColumns(stream, Optional.empty());
            return null;
          });
    }
    return dataset.version();
  }

  private static Object dropColumns(Dataset dataset, JsonNode args) {
    dataset.dropColumns(OracleContext.strings(args.get("columns")));
    return dataset.version();
  }

  private static Object alterColumn(Dataset dataset, JsonNode args) throws Exception {
    ColumnAlteration.Builder alteration = new ColumnAlteration.Builder(args.get("column").asText());
    if (args.has("rename")) {
      alteration.rename(args.get("rename").asText());
    }
    if (args.has("nullable")) {
      alteration.nullable(args.get("nullable").asBoolean());
    }
    if (args.has("castTo")) {
      Schema schema = Schema.fromJSON(args.get("castTo").asText());
      alteration.castTo(schema.getFields().get(0).getType());
    }
    List<ColumnAlteration> alterations = new ArrayList<>();
    alterations.add(alteration.build());
    dataset.alterColumns(alterations);
    return dataset.version();
  }
}
