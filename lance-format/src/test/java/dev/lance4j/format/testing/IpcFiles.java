package dev.lance4j.format.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/** Tables in files of Arrow's IPC formats. */
public final class IpcFiles {
  private static final byte[] FILE_MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

  private IpcFiles() {}

  /** Writes a table as one batch in the stream format. */
  public static void write(ArrowTable table, Path file) {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
        ArrowStreamWriter writer =
            new ArrowStreamWriter(table.root(), table.dictionaries(), Channels.newChannel(out))) {
      writer.start();
      writer.writeBatch();
      writer.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a file in the stream or the file format, joining its batches and decoding them. */
  public static ArrowTable read(Path file, BufferAllocator allocator) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        FileChannel channel = FileChannel.open(file)) {
      in.mark(FILE_MAGIC.length);
      byte[] start = in.readNBytes(FILE_MAGIC.length);
      in.reset();
      ArrowReader reader =
          Arrays.equals(start, FILE_MAGIC)
              ? new ArrowFileReader(channel, allocator)
              : new ArrowStreamReader(in, allocator);
      return Tables.drain(reader, allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
