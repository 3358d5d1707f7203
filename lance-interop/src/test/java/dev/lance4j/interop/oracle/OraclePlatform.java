package dev.lance4j.interop.oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Where the native code of the real library runs. */
public final class OraclePlatform {
  private OraclePlatform() {}

  /** Why it does not run here, if so. */
  public static Optional<String> obstacle() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    boolean arm = machine.equals("aarch64") || machine.equals("arm64");
    boolean intel = machine.equals("amd64") || machine.equals("x86_64");
    if (system.startsWith("mac") && arm) {
      return Optional.empty();
    }
    if (!system.startsWith("linux") || !(arm || intel)) {
      return Optional.of(
          "lance-core has no native library for "
              + system
              + " on "
              + machine
              + "; it has Linux on x86-64 and aarch64, and macOS on aarch64");
    }
    Path loader = Path.of(arm ? "/lib/ld-linux-aarch64.so.1" : "/lib64/ld-linux-x86-64.so.2");
    if (!Files.exists(loader)) {
      return Optional.of("lance-core's native library needs glibc, whose " + loader + " is absent");
    }
    return Optional.empty();
  }
}
