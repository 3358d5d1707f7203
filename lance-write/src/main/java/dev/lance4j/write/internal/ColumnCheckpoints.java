package dev.lance4j.write.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.internal.container.ColumnLayout;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.Checkpoints;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/**
 * The batches and files of new columns that were computed so far. Each says what it was made from,
 * so that nothing is used for rows that changed meanwhile.
 */
final class ColumnCheckpoints {
  private final Checkpoints kept;
  private final TableVersion version;
  private final LanceSchema columns;
  private final int batchSize;

  ColumnCheckpoints(Checkpoints kept, TableVersion version, LanceSchema columns, int batchSize) {
    this.kept = kept;
    this.version = version;
    this.columns = columns;
    this.batchSize = batchSize;
  }

  private static String name(FragmentMetadata fragment) {
    return "fragment-" + fragment.id();
  }

  private static String name(FragmentMetadata fragment, int number) {
    return name(fragment) + "-batch-" + number;
  }

  /** What a computation depends on, in one line. */
  private String origin(FragmentMetadata fragment) {
    String text =
        String.join(
            " ",
            fragment.files().toString(),
            fragment.deletionFile().toString(),
            columns.fields().toString(),
            Integer.toString(batchSize));
    return text.replace('\n', ' ');
  }

  /** The file of a fragment, if it was completed and is still there. */
  Optional<DataFile> file(FragmentMetadata fragment) {
    return load(name(fragment), fragment)
        .map(content -> new String(content, UTF_8).split(" ", 2))
        .map(parts -> dataFile(parts[1], Long.parseLong(parts[0])))
        .filter(file -> version.table().store().exists(version.table().dataPath(file.path())));
  }

  private DataFile dataFile(String path, long size) {
    int[] ids = ColumnLayout.fields(columns, version.manifest().storageVersion());
    return DataFile.of(
        path,
        IntStream.of(ids).boxed().toList(),
        IntStream.range(0, ids.length).boxed().toList(),
        version.manifest().storageVersion(),
        size);
  }

  void save(FragmentMetadata fragment, DataFile file) {
    String content = file.sizeBytes() + " " + file.path();
    save(name(fragment), fragment, content.getBytes(UTF_8));
  }

  /** The values of a batch, if they were computed. */
  Optional<ArrowReader> batch(FragmentMetadata fragment, int number, BufferAllocator allocator) {
    return load(name(fragment, number), fragment)
        .map(content -> new ArrowStreamReader(new ByteArrayInputStream(content), allocator));
  }

  void save(FragmentMetadata fragment, int number, VectorSchemaRoot batch) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try (ArrowStreamWriter writer =
        new ArrowStreamWriter(batch, null, Channels.newChannel(content))) {
      writer.writeBatch();
      writer.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    save(name(fragment, number), fragment, content.toByteArray());
  }

  private void save(String name, FragmentMetadata fragment, byte[] content) {
    byte[] origin = (origin(fragment) + '\n').getBytes(UTF_8);
    byte[] both = Arrays.copyOf(origin, origin.length + content.length);
    System.arraycopy(content, 0, both, origin.length, content.length);
    kept.save(name, both);
  }

  private Optional<byte[]> load(String name, FragmentMetadata fragment) {
    byte[] origin = (origin(fragment) + '\n').getBytes(UTF_8);
    return kept.load(name)
        .filter(
            both ->
                both.length >= origin.length
                    && Arrays.equals(both, 0, origin.length, origin, 0, origin.length))
        .map(both -> Arrays.copyOfRange(both, origin.length, both.length));
  }
}
