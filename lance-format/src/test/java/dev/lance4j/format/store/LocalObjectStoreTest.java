package dev.lance4j.format.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalObjectStoreTest extends ObjectStoreContract {
  private final LocalObjectStore store = new LocalObjectStore();

  @TempDir Path directory;

  @Override
  ObjectStore store() {
    return store;
  }

  @Override
  String root() {
    return directory.toString();
  }

  @Test
  void readsAcrossTheWindowsOfALargeFile() throws IOException {
    Path file = directory.resolve("sparse");
    long boundary = 1L << 30;
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(boundary - 2);
      out.write(new byte[] {1, 2, 3, 4});
      out.setLength(boundary + 100);
    }
    try (ObjectReader reader = store.open(file.toString())) {
      assertThat(reader.read(boundary - 2, 4).getInt(0)).isEqualTo(0x04030201);
      assertThat(reader.read(boundary, 2).getShort(0)).isEqualTo((short) 0x0403);
      assertThat(reader.read(boundary + 99, 1).get(0)).isZero();
    }
  }

  @Test
  void removesTheDirectoriesTooWhenAllIsRemoved() throws IOException {
    Files.createDirectories(directory.resolve("dir/empty/deep"));
    store.put(directory + "/dir/a", ByteBuffer.allocate(1));

    store.deleteAll(directory + "/dir");

    assertThat(directory.resolve("dir")).doesNotExist();
    assertThat(directory).exists();
  }

  @Test
  void keepsBytesReadableAfterClosing() throws IOException {
    Path file = directory.resolve("big");
    Files.write(file, new byte[200_000]);
    ByteBuffer bytes;
    try (ObjectReader reader = store.open(file.toString())) {
      bytes = reader.read(100_000, 50);
    }
    Files.delete(file);
    assertThat(bytes.get(49)).isZero();
  }

  @Test
  void neverWritesThroughToTheFile() throws IOException {
    Path file = directory.resolve("mapped");
    Files.write(file, new byte[200_000]);
    try (ObjectReader reader = store.open(file.toString())) {
      ByteBuffer bytes = reader.read(0, 100_000);
      if (!bytes.isReadOnly()) {
        bytes.put(0, (byte) 1);
      }
    }
    assertThat(Files.readAllBytes(file)[0]).isZero();
  }

  @Test
  void readsTheSameBytesHoweverOftenAndTogetherWithWhichOthers() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    byte[] content = new byte[1_000_000];
    random.nextBytes(content);
    Path file = directory.resolve("random");
    Files.write(file, content);
    try (ObjectReader reader = store.open(file.toString())) {
      for (int round = 0; round < 200; round++) {
        List<ByteRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
          int length = random.nextInt(i % 5 == 0 ? 60_000 : 700);
          ranges.add(new ByteRange(random.nextInt(content.length - length + 1), length));
        }
        List<ByteBuffer> buffers = reader.read(ranges);
        for (int i = 0; i < ranges.size(); i++) {
          assertRange(content, ranges.get(i), buffers.get(i));
        }
        assertRange(
            content, ranges.get(0), reader.read(ranges.get(0).offset(), ranges.get(0).length()));
      }
    }
  }

  private static void assertRange(byte[] content, ByteRange range, ByteBuffer bytes) {
    int start = (int) range.offset();
    assertThat(bytes.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes.position()).isZero();
    assertThat(bytes).isEqualTo(ByteBuffer.wrap(content, start, range.length()));
  }

  @Test
  void readsOnWhenAThreadIsInterrupted() throws Exception {
    byte[] content = new byte[4 << 20];
    new SplittableRandom(4).nextBytes(content);
    Path file = directory.resolve("shared");
    Files.write(file, content);
    try (ObjectReader reader = store.open(file.toString())) {
      for (int length : new int[] {100, 100_000}) {
        Thread.currentThread().interrupt();
        ByteBuffer bytes = reader.read(length, length);
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        assertRange(content, new ByteRange(length, length), bytes);
      }
      assertReadableWhileOthersAreInterrupted(reader, content);
    }
  }

  private static void assertReadableWhileOthersAreInterrupted(ObjectReader reader, byte[] content)
      throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread other =
        new Thread(
            () -> {
              while (!stop.get()) {
                reader.read(2 << 20, 100);
              }
            });
    other.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    other.start();
    for (int i = 0; i < 400; i++) {
      other.interrupt();
      ByteRange range = new ByteRange(i * 10_000L, 50);
      assertRange(content, range, reader.read(range.offset(), range.length()));
    }
    stop.set(true);
    other.join();
    assertThat(failure.get()).isNull();
  }

  @Test
  void refusesToGoOnInAFileThatWasReplacedMeanwhile() throws IOException {
    Path file = directory.resolve("replaced");
    Files.write(file, new byte[100_000]);
    try (ObjectReader reader = store.open(file.toString())) {
      Path other = directory.resolve("other");
      Files.write(other, new byte[100_000]);
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      Thread.currentThread().interrupt();

      assertThatThrownBy(() -> reader.read(0, 10)).hasMessageContaining("was replaced");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void letsExactlyOneProcessPutIfAbsent() throws Exception {
    String path = directory.resolve("contested").toString();
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Contender.class.getName(),
                  path)
              .redirectErrorStream(true)
              .start());
    }
    int wins = 0;
    for (Process process : processes) {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      wins += Integer.parseInt(output.trim());
    }
    assertThat(wins).isEqualTo(Contender.ROUNDS);
  }

  /** A process that tries to be the first at a number of paths. */
  static final class Contender {
    static final int ROUNDS = 200;

    private Contender() {}

    public static void main(String[] args) {
      LocalObjectStore store = new LocalObjectStore();
      int wins = 0;
      for (int i = 0; i < ROUNDS; i++) {
        wins += store.putIfAbsent(args[0] + i, bytes("mine")) ? 1 : 0;
      }
      System.out.println(wins);
    }
  }
}
