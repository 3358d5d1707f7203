package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Ref;

/** What the requests share: opening tables, and data in and out of files. */
final class OracleContext {
  /** Works on an open table. */
  interface OnDataset<T> {
    T run(Dataset dataset) throws Exception;
  }

  private final BufferAllocator allocator;
  private final Map<String, Dataset> open = new HashMap<>();
  private boolean keepOpen;

  OracleContext(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  BufferAllocator allocator() {
    return allocator;
  }

  /** Whether tables stay open between requests; on false those that are open are closed. */
  void keepOpen(boolean keep) {
    keepOpen = keep;
    if (!keep) {
      open.values().forEach(Dataset::close);
      open.clear();
    }
  }

  /**
   * Opens the table that the arguments name: {@code uri}, and {@code version}, {@code tag} or
   * {@code branch}.
   */
  <T> T with(JsonNode args, OnDataset<T> work) throws Exception {
    if (keepOpen) {
      String key = args.get("uri") + "@" + args.get("version") + args.get("tag");
      Dataset dataset = open.get(key);
      if (dataset == null) {
        dataset = open(args);
        open.put(key, dataset);
      }
      return work.run(dataset);
    }
    try (Dataset dataset = open(args)) {
      return work.run(dataset);
    }
  }

  private Dataset open(JsonNode args) {
    ReadOptions.Builder options = new ReadOptions.Builder();
    if (args.has("version")) {
      options.setVersion(args.get("version").asLong());
    }
    Dataset dataset =
        Dataset.open()
            .allocator(allocator)
            .uri(args.get("uri").asText())
            .readOptions(options.build())
            .build();
    if (args.has("tag") || args.has("branch")) {
      try (Dataset main = dataset) {
        return args.has("tag")
            ? main.checkoutTag(args.get("tag").asText())
            : main.checkout(Ref.ofBranch(args.get("branch").asText()));
      }
    }
    return dataset;
  }

  /** The data of the request, from the file {@code data}. */
  ArrowReader data(JsonNode args) throws IOException {
    Path file = Path.of(args.get("data").asText());
    return new AlignedStreamReader(new BufferedInputStream(Files.newInputStream(file)), allocator);
  }

  /**
   * Reads everything and closes the reader. Writes it to the file {@code out} if there is that
   * argument.
   *
   * @return the number of rows
   */
  long drain(ArrowReader reader, JsonNode args) throws IOException {
    try (reader) {
      return args.has("out") ? write(reader, Path.of(args.get("out").asText())) : count(reader);
    }
  }

  private static long count(ArrowReader reader) throws IOException {
    long rows = 0;
    while (reader.loadNextBatch()) {
      rows += reader.getVectorSchemaRoot().getRowCount();
    }
    return rows;
  }

  private static long write(ArrowReader reader, Path file) throws IOException {
    long rows = 0;
    VectorSchemaRoot root = reader.getVectorSchemaRoot();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
        ArrowStreamWriter writer = new ArrowStreamWriter(root, reader, Channels.newChannel(out))) {
      writer.start();
      while (reader.loadNextBatch()) {
        writer.writeBatch();
        rows += root.getRowCount();
      }
      writer.end();
    }
    return rows;
  }

  static List<String> strings(JsonNode array) {
    List<String> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asText()));
    return values;
  }

  static List<Long> longs(JsonNode array) {
    List<Long> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asLong()));
    return values;
  }

  static List<Integer> ints(JsonNode array) {
    List<Integer> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asInt()));
    return values;
  }

  static float[] floats(JsonNode array) {
    float[] values = new float[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) array.get(i).asDouble();
    }
    return values;
  }
}
