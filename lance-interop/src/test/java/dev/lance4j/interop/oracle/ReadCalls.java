package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.SqlQuery;
import org.lance.fragment.RowIdMeta;
import org.lance.ipc.ColumnOrdering;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.ipc.ScanStats;

/** Requests that read a table. */
@SuppressWarnings("try") // the closes of the real library declare Exception
final class ReadCalls {
  private final OracleContext context;

  private ReadCalls(OracleContext context) {
    this.context = context;
  }

  static void register(Map<String, OracleCalls.Call> calls, OracleContext context) {
    ReadCalls reads = new ReadCalls(context);
    calls.put("scan", args -> context.with(args, dataset -> reads.scan(dataset, args)));
    calls.put("scanStats", args -> context.with(args, dataset -> reads.scanStats(dataset, args)));
    calls.put("nearest", args -> context.with(args, dataset -> nearest(dataset, args)));
    calls.put("sql", args -> context.with(args, dataset -> reads.sql(dataset, args)));
    calls.put("countRows", args -> context.with(args, dataset -> countRows(dataset, args)));
    calls.put("take", args -> context.with(args, dataset -> reads.take(dataset, args)));
    calls.put("takeRows", args -> context.with(args, dataset -> reads.takeRows(dataset, args)));
    calls.put("schema", args -> context.with(args, dataset -> dataset.getSchema().toJson()));
    calls.put("lanceSchema", args -> context.with(args, dataset -> text(dataset.getLanceSchema())));
    calls.put("fragments", args -> context.with(args, ReadCalls::fragments));
    calls.put("encodeRowIds", ReadCalls::encodeRowIds);
    calls.put("dataSize", args -> context.with(args, Dataset::calculateDataSize));
    calls.put("blobs", args -> context.with(args, dataset -> BlobReads.read(dataset, args)));
  }

  private static String text(Object value) {
    return value.toString();
  }

  private static Object countRows(Dataset dataset, JsonNode args) {
    return args.has("filter")
        ? dataset.countRows(args.get("filter").asText())
        : dataset.countRows();
  }

  private Object scan(Dataset dataset, JsonNode args) throws Exception {
    try (LanceScanner scanner = dataset.newScan(options(args))) {
      return context.drain(scanner.scanBatches(), args);
    }
  }

  /** Scans, and tells what that took. */
  private Object scanStats(Dataset dataset, JsonNode args) throws Exception {
    try (LanceScanner scanner = dataset.newScan(options(args))) {
      long rows = context.drain(scanner.scanBatches(), args);
      ScanStats stats = scanner.getStats().orElseThrow();
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("rows", rows);
      one.put("indicesLoaded", stats.getIndicesLoaded());
      one.put("partsLoaded", stats.getPartsLoaded());
      one.put("indexComparisons", stats.getIndexComparisons());
      one.put("counts", stats.getAllCounts());
      return one;
    }
  }

  /** The ids of the rows nearest to each of the keys. */
  private static Object nearest(Dataset dataset, JsonNode args) throws Exception {
    List<List<Long>> found = new ArrayList<>();
    for (JsonNode key : args.get("keys")) {
      ObjectNode query = args.get("query").deepCopy();
      ScanOptions options =
          new ScanOptions.Builder()
              .nearest(SearchQueries.nearest(query.set("key", key)))
              .columns(List.of("_distance"))
              .withRowId(true)
              .build();
      try (LanceScanner scanner = dataset.newScan(options);
          ArrowReader reader = scanner.scanBatches()) {
        found.add(rowIds(reader));
      }
    }
    return found;
  }

  private static List<Long> rowIds(ArrowReader reader) throws IOException {
    List<Long> rowIds = new ArrayList<>();
    while (reader.loadNextBatch()) {
      UInt8Vector ids = (UInt8Vector) reader.getVectorSchemaRoot().getVector("_rowid");
      for (int i = 0; i < ids.getValueCount(); i++) {
        rowIds.add(ids.get(i));
      }
    }
    return rowIds;
  }

  private static ScanOptions options(JsonNode args) {
    ScanOptions.Builder options = new ScanOptions.Builder();
    if (args.has("columns")) {
      options.columns(OracleContext.strings(args.get("columns")));
    }
    if (args.has("filter")) {
      options.filter(args.get("filter").asText());
    }
    if (args.has("substraitFilter")) {
      options.substraitFilter(
          direct(HexFormat.of().parseHex(args.get("substraitFilter").asText())));
    }
    if (args.has("limit")) {
      options.limit(args.get("limit").asLong());
    }
    if (args.has("offset")) {
      options.offset(args.get("offset").asLong());
    }
    if (args.has("batchSize")) {
      options.batchSize(args.get("batchSize").asLong());
    }
    if (args.has("fragmentIds")) {
      options.fragmentIds(OracleContext.ints(args.get("fragmentIds")));
    }
    if (args.has("orderBy")) {
      options.setColumnOrderings(orderings(args.get("orderBy")));
    }
    if (args.has("nearest")) {
      options.nearest(SearchQueries.nearest(args.get("nearest")));
    }
    if (args.has("fullText")) {
      options.fullTextQuery(SearchQueries.fullText(args.get("fullText")));
    }
    return options
        .prefilter(args.path("prefilter").asBoolean())
        .withRowId(args.path("withRowId").asBoolean())
        .withRowAddress(args.path("withRowAddress").asBoolean())
        .useScalarIndex(args.path("useScalarIndex").asBoolean(true))
        .collectStats(args.path("collectStats").asBoolean())
        .build();
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static List<ColumnOrdering> orderings(JsonNode array) {
    List<ColumnOrdering> orderings = new ArrayList<>();
    for (JsonNode entry : array) {
      ColumnOrdering.Builder ordering = new ColumnOrdering.Builder();
      ordering.setColumnName(entry.get("column").asText());
      ordering.setAscending(entry.path("ascending").asBoolean(true));
      ordering.setNullFirst(entry.path("nullsFirst").asBoolean(true));
      orderings.add(ordering.build());
    }
    return orderings;
  }

  private Object sql(Dataset dataset, JsonNode args) throws Exception {
    SqlQuery query = dataset.sql(args.get("text").asText());
    return context.drain(query.intoBatchRecords(), args);
  }

  private static List<String> columns(Dataset dataset, JsonNode args) {
    if (args.has("columns")) {
      return OracleContext.strings(args.get("columns"));
    }
    return dataset.getSchema().getFields().stream().map(field -> field.getName()).toList();
  }

  private Object take(Dataset dataset, JsonNode args) throws Exception {
    List<Long> offsets = OracleContext.longs(args.get("offsets"));
    return context.drain(dataset.take(offsets, columns(dataset, args)), args);
  }

  private Object takeRows(Dataset dataset, JsonNode args) throws Exception {
    List<Long> rowIds = OracleContext.longs(args.get("rowIds"));
    return context.drain(dataset.takeRows(rowIds, columns(dataset, args)), args);
  }

  private static Object encodeRowIds(JsonNode args) {
    List<String> encoded = new ArrayList<>();
    for (JsonNode list : args.get("lists")) {
      long[] rowIds = OracleContext.longs(list).stream().mapToLong(Long::longValue).toArray();
      encoded.add(RowIdMeta.fromRowIds(rowIds).getMetadata());
    }
    return encoded;
  }

  private static Object fragments(Dataset dataset) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Fragment fragment : dataset.getFragments()) {
      FragmentMetadata metadata = fragment.metadata();
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", metadata.getId());
      one.put("physicalRows", metadata.getPhysicalRows());
      one.put("rows", metadata.getNumRows());
      one.put("deletions", metadata.getNumDeletions());
      one.put("files", metadata.getFiles().stream().map(file -> file.getPath()).toList());
      if (metadata.getRowIdMeta() != null) {
        one.put("rowIds", metadata.getRowIdMeta().getMetadata());
      }
      if (metadata.getCreatedAtVersionMeta() != null) {
        one.put("created", metadata.getCreatedAtVersionMeta().getMetadata());
      }
      if (metadata.getLastUpdatedAtVersionMeta() != null) {
        one.put("lastUpdated", metadata.getLastUpdatedAtVersionMeta().getMetadata());
      }
      all.add(one);
    }
    return all;
  }
}
