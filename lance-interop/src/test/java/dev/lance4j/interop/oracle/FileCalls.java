package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.file.LanceFileReader;
import org.lance.file.LanceFileWriter;
import org.lance.util.Range;

/** Requests on single files, without a table. */
@SuppressWarnings("try") // the closes of the real library declare Exception
final class FileCalls {
  private final OracleContext context;

  private FileCalls(OracleContext context) {
    this.context = context;
  }

  static void register(Map<String, OracleCalls.Call> calls, OracleContext context) {
    FileCalls files = new FileCalls(context);
    calls.put("writeFile", files::write);
    calls.put("readFile", files::read);
    calls.put("fileSchema", files::schema);
    calls.put("fileRows", files::rows);
  }

  private Object write(JsonNode args) throws Exception {
    try (ArrowReader data = context.data(args);
        LanceFileWriter writer =
            LanceFileWriter.open(
                args.get("path").asText(),
                context.allocator(),
                data,
                Optional.of(args.get("version").asText()),
                Map.of())) {
      long rows = 0;
      while (data.loadNextBatch()) {
        writer.write(data.getVectorSchemaRoot());
        rows += data.getVectorSchemaRoot().getRowCount();
      }
      return rows;
    }
  }

  private LanceFileReader open(JsonNode args) throws Exception {
    return LanceFileReader.open(args.get("path").asText(), context.allocator());
  }

  private Object read(JsonNode args) throws Exception {
    List<String> columns = args.has("columns") ? OracleContext.strings(args.get("columns")) : null;
    List<Range> ranges = null;
    if (args.has("ranges")) {
      ranges = new ArrayList<>();
      for (JsonNode range : args.get("ranges")) {
        ranges.add(new Range(range.get(0).asInt(), range.get(1).asInt()));
      }
    }
    try (LanceFileReader reader = open(args)) {
      int batchSize = args.path("batchSize").asInt(8192);
      return context.drain(reader.readAll(columns, ranges, batchSize), args);
    }
  }

  private Object schema(JsonNode args) throws Exception {
    try (LanceFileReader reader = open(args)) {
      return reader.schema().toJson();
    }
  }

  private Object rows(JsonNode args) throws Exception {
    try (LanceFileReader reader = open(args)) {
      return reader.numRows();
    }
  }
}
