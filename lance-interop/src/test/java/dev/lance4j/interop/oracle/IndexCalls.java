package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lance.Dataset;
import org.lance.index.DistanceType;
import org.lance.index.Index;
import org.lance.index.IndexDescription;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.OptimizeOptions;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.index.vector.HnswBuildParams;
import org.lance.index.vector.IvfBuildParams;
import org.lance.index.vector.PQBuildParams;
import org.lance.index.vector.RQBuildParams;
import org.lance.index.vector.SQBuildParams;
import org.lance.index.vector.VectorIndexParams;

/** Requests about indices. */
final class IndexCalls {
  private IndexCalls() {}

  static void register(Map<String, OracleCalls.Call> calls, OracleContext context) {
    calls.put("createIndex", args -> context.with(args, dataset -> create(dataset, args)));
    calls.put("dropIndex", args -> context.with(args, dataset -> drop(dataset, args)));
    calls.put("optimizeIndices", args -> context.with(args, d -> optimize(d, args)));
    calls.put("describeIndices", args -> context.with(args, IndexCalls::describe));
    calls.put("indexSegments", args -> context.with(args, IndexCalls::segments));
    calls.put(
        "indexStatistics",
        args -> context.with(args, d -> d.getIndexStatistics(args.get("name").asText())));
  }

  private static Object create(Dataset dataset, JsonNode args) {
    IndexOptions.Builder options =
        IndexOptions.builder(
                OracleContext.strings(args.get("columns")),
                IndexType.valueOf(args.get("type").asText()),
                params(args))
            .replace(args.path("replace").asBoolean())
            .train(args.path("train").asBoolean(true));
    if (args.has("name")) {
      options.withIndexName(args.get("name").asText());
    }
    if (args.has("fragmentIds")) {
      options.withFragmentIds(OracleContext.ints(args.get("fragmentIds")));
    }
    return segment(dataset.createIndex(options.build()));
  }

  private static IndexParams params(JsonNode args) {
    IndexParams.Builder params = IndexParams.builder();
    if (args.has("vector")) {
      params.setVectorIndexParams(vectorParams(args.get("vector")));
    } else {
      String kind = args.get("scalar").asText();
      params.setScalarIndexParams(
          args.has("params")
              ? ScalarIndexParams.create(kind, args.get("params").toString())
              : ScalarIndexParams.create(kind));
    }
    return params.build();
  }

  private static VectorIndexParams vectorParams(JsonNode json) {
    IvfBuildParams.Builder ivf =
        new IvfBuildParams.Builder()
            .setNumPartitions(json.path("partitions").asInt(1))
            .setMaxIters(json.path("maxIterations").asInt(50))
            .setSampleRate(json.path("sampleRate").asInt(256));
    if (json.has("centroids")) {
      ivf.setCentroids(OracleContext.floats(json.get("centroids")));
    }
    VectorIndexParams.Builder params =
        new VectorIndexParams.Builder(ivf.build())
            .setDistanceType(DistanceType.valueOf(json.path("metric").asText("L2")));
    if (json.has("pq")) {
      params.setPqParams(pq(json.get("pq")));
    }
    if (json.has("sq")) {
      params.setSqParams(new SQBuildParams.Builder().setNumBits((short) 8).build());
    }
    if (json.has("rq")) {
      byte bits = (byte) json.get("rq").path("bits").asInt(1);
      params.setRqParams(new RQBuildParams.Builder().setNumBits(bits).build());
    }
    if (json.has("hnsw")) {
      JsonNode hnsw = json.get("hnsw");
      params.setHnswParams(
          new HnswBuildParams.Builder()
              .setM(hnsw.path("m").asInt(20))
              .setEfConstruction(hnsw.path("efConstruction").asInt(150))
              .build());
    }
    return params.build();
  }

  private static PQBuildParams pq(JsonNode json) {
    PQBuildParams.Builder pq =
        new PQBuildParams.Builder()
            .setNumSubVectors(json.path("subVectors").asInt(16))
            .setNumBits(json.path("bits").asInt(8));
    if (json.has("codebook")) {
      pq.setCodebook(OracleContext.floats(json.get("codebook")));
    }
    return pq.build();
  }

  private static Object drop(Dataset dataset, JsonNode args) {
    dataset.dropIndex(args.get("name").asText());
    return dataset.version();
  }

  private static Object optimize(Dataset dataset, JsonNode args) {
    OptimizeOptions.Builder options = OptimizeOptions.builder();
    if (args.has("numIndicesToMerge")) {
      options.numIndicesToMerge(args.get("numIndicesToMerge").asInt());
    }
    if (args.has("names")) {
      options.indexNames(OracleContext.strings(args.get("names")));
    }
    options.retrain(args.path("retrain").asBoolean());
    dataset.optimizeIndices(options.build());
    return dataset.version();
  }

  private static Object describe(Dataset dataset) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (IndexDescription index : dataset.describeIndices()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", index.getName());
      one.put("type", index.getIndexType());
      one.put("typeUrl", index.getTypeUrl());
      one.put("fieldIds", index.getFieldIds());
      one.put("rowsIndexed", index.getRowsIndexed());
      one.put("details", index.getDetailsJson());
      one.put("segments", index.getSegments().stream().map(IndexCalls::segment).toList());
      all.add(one);
    }
    return all;
  }

  private static Object segments(Dataset dataset) {
    return dataset.getIndexes().stream().map(IndexCalls::segment).toList();
  }

  private static Map<String, Object> segment(Index index) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("uuid", index.uuid().toString());
    one.put("name", index.name());
    one.put("fieldIds", index.fields());
    one.put("fragmentIds", index.fragments().orElse(null));
    one.put("datasetVersion", index.datasetVersion());
    one.put("indexVersion", index.indexVersion());
    one.put("type", index.indexType() == null ? null : index.indexType().name());
    return one;
  }
}
