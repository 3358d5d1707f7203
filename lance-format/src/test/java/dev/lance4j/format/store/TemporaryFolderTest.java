package dev.lance4j.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
  @TempDir private Path parent;

  @Test
  void objectsCanBeReadUntilTheFolderIsClosedAndAreGoneThen() {
    try (TemporaryFolder folder = TemporaryFolder.create(parent)) {
      for (String name : new String[] {"a", "b"}) {
        try (ObjectWriter writer = folder.create(name)) {
          writer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
          writer.commit();
        }
      }
      try (ObjectReader reader = folder.open("a")) {
        assertThat(reader.size()).isEqualTo(3);
      }
      folder.delete("a");
      assertThat(parent).isDirectoryRecursivelyContaining("glob:**/b");
      assertThat(parent).isDirectoryNotContaining("glob:**/a");
    }
    assertThat(parent).isEmptyDirectory();
  }
}
