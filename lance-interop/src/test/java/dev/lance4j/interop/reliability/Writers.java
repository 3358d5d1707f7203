package dev.lance4j.interop.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts writers in processes of their own. */
final class Writers {
  static final String LANCE4J = "lance4j";
  static final String ORACLE = "oracle";

  // No writer makes as many rows, so that each has keys of its own.
  private static final long KEYS_OF_A_WRITER = 1_000_000;

  private final String uri;
  private final Path folder;
  private final long seed;
  private final List<Writer> started = new ArrayList<>();

  /**
   * A writer.
   *
   * @param output what its process printed
   */
  record Writer(Process process, ChangeLog log, Path output) {}

  /**
   * @param folder for logs
   */
  Writers(String uri, Path folder, long seed) {
    this.uri = uri;
    this.folder = folder;
    this.seed = seed;
  }

  /** Starts one more writer. */
  Writer start(String library, int changes) {
    int number = started.size();
    Path log = folder.resolve("writer-" + number + ".log");
    Path output = folder.resolve("writer-" + number + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            WriterMain.class.getName(),
            uri,
            library,
            Long.toString((number + 1) * KEYS_OF_A_WRITER),
            Integer.toString(changes),
            Long.toString(seed + number),
            log.toString());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(output.toFile());
    try {
      Writer writer = new Writer(builder.start(), new ChangeLog(log), output);
      started.add(writer);
      return writer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All writers so far. */
  List<Writer> all() {
    return started;
  }

  /** Ends those that still run. */
  void killAll() {
    started.forEach(writer -> writer.process().destroyForcibly());
  }

  /**
   * Waits until all have ended by themselves.
   *
   * @throws AssertionError with what a process printed, if it failed
   */
  void await() throws InterruptedException, IOException {
    for (Writer writer : started) {
      int status = writer.process().waitFor();
      if (status != 0) {
        throw new AssertionError(
            "A writer ended with status " + status + ":\n" + Files.readString(writer.output()));
      }
    }
  }
}
