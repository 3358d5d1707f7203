package dev.lance4j.format.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
