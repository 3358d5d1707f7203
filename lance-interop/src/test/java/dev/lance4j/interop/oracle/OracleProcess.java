package dev.lance4j.interop.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One child process: a line in, a line out. */
final class OracleProcess implements AutoCloseable {
  private static final int SHOWN_ERROR_LINES = 12;

  private final Process process;
  private final Path errors;
  private final Writer requests;
  // An empty answer marks the end of the output.
  private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

  /**
   * @param folder for what the process unpacks and logs
   */
  OracleProcess(Path folder) throws IOException {
    errors = folder.resolve("stderr.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Xmx1g",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + folder.resolve("crash.log"),
            "-Djava.io.tmpdir=" + folder,
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            OracleMain.class.getName());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.directory(folder.toFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    process = builder.start();
    requests = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::readAnswers, "oracle-answers");
    reader.setDaemon(true);
    reader.start();
  }

  private void readAnswers() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(OracleMain.ANSWER_PREFIX)) {
          answers.add(Optional.of(line.substring(OracleMain.ANSWER_PREFIX.length())));
        }
      }
    } catch (IOException e) {
      // The process is gone, which the end of the answers tells.
    } finally {
      answers.add(Optional.empty());
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * @throws OracleAborted if the process dies over it or takes longer than the limit
   */
  String ask(String request, Duration limit) {
    try {
      requests.write(request + '\n');
      requests.flush();
      Optional<String> answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (answer == null) {
        close();
        throw new OracleAborted("The real library did not answer within " + limit);
      }
      return answer.orElseThrow(this::aborted);
    } catch (IOException e) {
      throw aborted();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OracleAborted("Interrupted");
    }
  }

  private OracleAborted aborted() {
    try {
      int status = process.waitFor();
      return new OracleAborted(
          "The real library ended its process with status " + status + ":\n" + lastErrors());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new OracleAborted("Interrupted");
    }
  }

  private String lastErrors() {
    try {
      List<String> lines = Files.readAllLines(errors, StandardCharsets.ISO_8859_1);
      int from = Math.max(0, lines.size() - SHOWN_ERROR_LINES);
      return String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
