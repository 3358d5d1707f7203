package dev.lance4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  @Test
  void showsTheQuickStartAsItIs() throws IOException {
    Path module = Path.of("").toAbsolutePath();
    String program =
        Files.readString(module.resolve("src/test/java/dev/lance4j/examples/QuickStart.java"));
    assertThat(Files.readString(module.resolveSibling("README.md"))).contains(program);
    assertThat(program.lines().count()).isLessThan(60);
  }

  @Test
  void theQuickStartRunsTwiceInOneFolder(@TempDir Path folder) throws IOException {
    QuickStart.main(new String[] {folder.toString()});
    QuickStart.main(new String[] {folder.toString()});
    assertThat(folder.resolve("songs.lance/_versions")).isDirectory();
  }
}
