package dev.lance4j.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileTest {
  private static final int SIZE = 1 << 16;
  private static final int READS = 1_000;

  @TempDir private Path folder;

  /** A thread may be interrupted again while it opens the file that an interruption closed. */
  @Test
  void readsOnHoweverOftenAThreadIsInterrupted() throws Exception {
    byte[] content = new byte[SIZE];
    new SplittableRandom(5).nextBytes(content);
    Path path = Files.write(folder.resolve("file"), content);
    AtomicInteger reads = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (LocalFile file = new LocalFile(path)) {
      Thread reader =
          new Thread(
              () -> {
                ByteBuffer buffer = ByteBuffer.allocate(100);
                while (reads.getAndIncrement() < READS) {
                  try {
                    file.read(buffer.clear(), 1_000);
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                  assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(content, 1_000, 100));
                }
              });
      reader.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
      reader.start();
      while (reader.isAlive()) {
        reader.interrupt();
      }
      reader.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(reads.get()).isEqualTo(READS + 1);
  }
}
