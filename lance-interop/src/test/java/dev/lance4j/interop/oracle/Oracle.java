package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.IpcFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The real library in a process of its own, which starts with the first request and again after it
 * died or has too many files open. Requests are JSON objects; {@link OracleCalls} lists them. What
 * it throws comes as {@link OracleError}, its death as {@link OracleAborted}. Safe for use by many
 * threads, which take turns.
 */
public final class Oracle implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path folder;
  private OracleProcess process;
  private int files;

  private Oracle() {
    try {
      folder = Files.createTempDirectory("lance-oracle");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Shared {
    static final Oracle INSTANCE = new Oracle();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::close, "oracle-close"));
    }
  }

  /** The one of this JVM, which is closed when the JVM ends. */
  public static Oracle shared() {
    return Shared.INSTANCE;
  }

  /** An empty JSON object for the arguments of a request. */
  public static ObjectNode args() {
    return JSON.createObjectNode();
  }

  /** Arguments that start with the table's URI. */
  public static ObjectNode args(String uri) {
    return args().put("uri", uri);
  }

  /** Carries out a request that neither takes nor gives data. */
  public synchronized JsonNode call(String name, ObjectNode args) {
    try {
      if (process == null || !process.isAlive()) {
        process = new OracleProcess(folder);
      }
      ObjectNode request = args().put("call", name).set("args", args);
      JsonNode reply = JSON.readTree(process.ask(JSON.writeValueAsString(request), LIMIT));
      if (reply.has("exhausted")) {
        process.close();
      }
      if (reply.has("error")) {
        JsonNode error = reply.get("error");
        throw new OracleError(error.get("type").asText(), error.get("message").asText());
      }
      return reply.get("answer");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Carries out a request that takes data, which stay the caller's. */
  public JsonNode send(String name, ObjectNode args, ArrowTable data) {
    Path file = newFile();
    try {
      IpcFiles.write(data, file);
      return call(name, args.put("data", file.toString()));
    } finally {
      delete(file);
    }
  }

  /** Carries out a request that gives rows: all of them, decoded. */
  public ArrowTable fetch(String name, ObjectNode args, BufferAllocator allocator) {
    Path file = newFile();
    try {
      call(name, args.put("out", file.toString()));
      return IpcFiles.read(file, allocator);
    } finally {
      delete(file);
    }
  }

  private synchronized Path newFile() {
    return folder.resolve("data-" + files++ + ".arrows");
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a single file of the version, such as {@code 2.1}. */
  public void writeFile(Path file, String version, ArrowTable data) {
    send("writeFile", args().put("path", file.toString()).put("version", version), data);
  }

  /** Reads a single file: the columns named, or all. */
  public ArrowTable readFile(Path file, BufferAllocator allocator, String... columns) {
    ObjectNode args = args().put("path", file.toString());
    if (columns.length > 0) {
      args.set("columns", JSON.valueToTree(columns));
    }
    return fetch("readFile", args, allocator);
  }

  /** Creates a table with files of the version. */
  public void create(String uri, String fileVersion, ArrowTable data) {
    send("write", args(uri).put("fileVersion", fileVersion), data);
  }

  /** Appends to a table. */
  public void append(String uri, ArrowTable data) {
    send("write", args(uri).put("mode", "APPEND"), data);
  }

  /** Scans the newest version: the columns named, or all. */
  public ArrowTable scan(String uri, BufferAllocator allocator, String... columns) {
    ObjectNode args = args(uri);
    if (columns.length > 0) {
      args.set("columns", JSON.valueToTree(columns));
    }
    return fetch("scan", args, allocator);
  }

  /** Scans the newest version with a filter: the columns named, or all. */
  public ArrowTable scanWhere(
      String uri, String filter, BufferAllocator allocator, String... columns) {
    ObjectNode args = args(uri).put("filter", filter);
    if (columns.length > 0) {
      args.set("columns", JSON.valueToTree(columns));
    }
    return fetch("scan", args, allocator);
  }

  /** Rows by position in the newest version, all columns. */
  public ArrowTable take(String uri, List<Long> offsets, BufferAllocator allocator) {
    ObjectNode args = args(uri);
    args.set("offsets", JSON.valueToTree(offsets));
    return fetch("take", args, allocator);
  }

  /** Rows by row id in the newest version, all columns. */
  public ArrowTable takeRows(String uri, List<Long> rowIds, BufferAllocator allocator) {
    ObjectNode args = args(uri);
    args.set("rowIds", JSON.valueToTree(rowIds));
    return fetch("takeRows", args, allocator);
  }

  /** The number of rows of the newest version. */
  public long countRows(String uri) {
    return call("countRows", args(uri)).asLong();
  }

  /** The number of rows of the newest version that a filter keeps. */
  public long countRows(String uri, String filter) {
    return call("countRows", args(uri).put("filter", filter)).asLong();
  }

  /** Deletes rows; the number of the new version. */
  public long delete(String uri, String predicate) {
    return call("delete", args(uri).put("predicate", predicate)).asLong();
  }

  /** The number of the newest version. */
  public long version(String uri) {
    return call("version", args(uri)).asLong();
  }

  /** The Arrow schema of the newest version. */
  public Schema schema(String uri) {
    try {
      return Schema.fromJSON(call("schema", args(uri)).asText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates a scalar index, for example of type {@code BTREE} and kind {@code btree}. */
  public JsonNode createScalarIndex(String uri, String column, String type, String kind) {
    ObjectNode args = args(uri).put("type", type).put("scalar", kind);
    args.putArray("columns").add(column);
    return call("createIndex", args);
  }

  /**
   * Repeats a request on a table that stays open and throws its rows away.
   *
   * @return the nanoseconds of each of the {@code repeat} turns after the first {@code warmup}
   */
  public long[] bench(String name, ObjectNode args, int warmup, int repeat) {
    ObjectNode outer = args().put("call", name).put("warmup", warmup).put("repeat", repeat);
    outer.set("args", args);
    return JSON.convertValue(call("bench", outer), long[].class);
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      process.close();
    }
    try (Stream<Path> content = Files.walk(folder)) {
      content.sorted(Comparator.reverseOrder()).forEach(Oracle::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
