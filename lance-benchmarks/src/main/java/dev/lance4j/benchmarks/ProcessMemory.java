package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the system knows of the memory of this process. */
final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK = "VmHWM:";

  private ProcessMemory() {}

  /** The most that was resident at a time, mapped files included. */
  static String peak() throws IOException {
    List<String> lines = Files.exists(STATUS) ? Files.readAllLines(STATUS) : List.of();
    return lines.stream()
        .filter(line -> line.startsWith(PEAK))
        .map(line -> "peak of the process " + line.substring(PEAK.length()).trim())
        .findFirst()
        .orElse("peak of the process not known");
  }
}
