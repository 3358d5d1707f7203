package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.fragment.DataFile;
import org.lance.operation.Append;

/** Requests to write fragments without committing them, and to commit them. */
final class FragmentCalls {
  private final OracleContext context;

  private FragmentCalls(OracleContext context) {
    this.context = context;
  }

  static void register(Map<String, OracleCalls.Call> calls, OracleContext context) {
    FragmentCalls fragments = new FragmentCalls(context);
    calls.put("writeFragments", fragments::write);
    calls.put("commitFragments", fragments::commit);
  }

  private Object write(JsonNode args) throws Exception {
    try (ArrowReader data = context.data(args);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(context.allocator())) {
      Data.exportArrayStream(context.allocator(), data, stream);
      return Fragment.write()
          .datasetUri(args.get("uri").asText())
          .data(stream)
          .mode(WriteParams.WriteMode.APPEND)
          .maxRowsPerFile(args.path("maxRowsPerFile").asInt(1 << 20))
          .execute()
          .stream()
          .map(FragmentCalls::toJson)
          .toList();
    }
  }

  /** In the form of the Python binding, which the Java one lacks. */
  private static Map<String, Object> toJson(FragmentMetadata fragment) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", fragment.getId());
    List<Object> files = new ArrayList<>();
    for (DataFile file : fragment.getFiles()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("path", file.getPath());
      one.put("fields", file.getFields());
      one.put("column_indices", file.getColumnIndices());
      one.put("file_major_version", file.getFileMajorVersion());
      one.put("file_minor_version", file.getFileMinorVersion());
      one.put("file_size_bytes", file.getFileSizeBytes());
      one.put("base_id", file.getBaseId().orElse(null));
      files.add(one);
    }
    json.put("files", files);
    json.put("physical_rows", fragment.getPhysicalRows());
    json.put("deletion_file", null);
    json.put("row_id_meta", null);
    return json;
  }

  private Object commit(JsonNode args) {
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (JsonNode fragment : args.get("fragments")) {
      fragments.add(fromJson(fragment));
    }
    try (Transaction transaction =
            new Transaction.Builder()
                .readVersion(args.get("readVersion").asLong())
                .operation(Append.builder().fragments(fragments).build())
                .build();
        Dataset committed =
            new CommitBuilder(args.get("uri").asText(), context.allocator()).execute(transaction)) {
      return committed.version();
    }
  }

  private static FragmentMetadata fromJson(JsonNode fragment) {
    List<DataFile> files = new ArrayList<>();
    for (JsonNode file : fragment.get("files")) {
      files.add(
          new DataFile(
              file.get("path").asText(),
              numbers(file.get("fields")),
              numbers(file.get("column_indices")),
              file.get("file_major_version").asInt(),
              file.get("file_minor_version").asInt(),
              file.get("file_size_bytes").asLong(),
              null));
    }
    return new FragmentMetadata(
        fragment.get("id").asInt(), files, fragment.get("physical_rows").asLong(), null, null);
  }

  private static int[] numbers(JsonNode array) {
    return IntStream.range(0, array.size()).map(i -> array.get(i).asInt()).toArray();
  }
}
