package dev.lance4j.interop.reliability;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one writer did, written line by line so that it survives the end of its process: each change
 * before it starts, and what became of it.
 */
final class ChangeLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  /**
   * One line.
   *
   * @param begun the change that starts; null if this line is about the end of the last one
   * @param error why it failed; null if it was acknowledged
   */
  record Line(Change begun, String error) {}

  /**
   * How the changes of a writer ended.
   *
   * @param acknowledged those that were reported done, in order
   * @param failures what those said that were reported to have failed
   * @param open the last one, if nothing was reported about it
   */
  record History(List<Change> acknowledged, List<String> failures, Optional<Change> open) {}

  ChangeLog(Path file) {
    this.file = file;
  }

  void begin(Change change) {
    append(new Line(change, null));
  }

  void acknowledge() {
    append(new Line(null, null));
  }

  void fail(RuntimeException error) {
    append(new Line(null, error.toString()));
  }

  private void append(Line line) {
    try {
      Files.writeString(
          file,
          JSON.writeValueAsString(line) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the writer has started. */
  boolean exists() {
    return Files.exists(file);
  }

  /** What is in the log; a line that was cut off by the end of the process does not count. */
  History read() {
    List<Change> acknowledged = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    Change open = null;
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      String whole = text.substring(0, text.lastIndexOf('\n') + 1);
      for (String json : whole.lines().toList()) {
        Line line = JSON.readValue(json, Line.class);
        if (line.begun() != null) {
          open = line.begun();
        } else {
          if (line.error() == null) {
            acknowledged.add(open);
          } else {
            failures.add(line.error());
          }
          open = null;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new History(acknowledged, failures, Optional.ofNullable(open));
  }
}
