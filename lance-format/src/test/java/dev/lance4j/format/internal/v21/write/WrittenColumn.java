package dev.lance4j.format.internal.v21.write;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** What a writer made of one column. */
record WrittenColumn(ColumnMetadata metadata, List<Page> pages) {
  /** One page with its buffers. */
  record Page(long rows, long priority, PageLayout layout, byte[] any, List<byte[]> buffers) {
    /** A buffer in hexadecimal without spaces. */
    String hex(int buffer) {
      return HexFormat.of().formatHex(buffers.get(buffer));
    }
  }

  /** The only page. */
  Page page() {
    if (pages.size() != 1) {
      throw new AssertionError("expected one page, found " + pages.size());
    }
    return pages.get(0);
  }

  /** Writes batches of one field, each closed afterwards, and returns its columns. */
  static List<WrittenColumn> write(
      BufferAllocator allocator, Field field, FileVersion version, ArrayData... batches) {
    return write(allocator, field, version, PageLimits.DEFAULT, batches);
  }

  static List<WrittenColumn> write(
      BufferAllocator allocator,
      Field field,
      FileVersion version,
      PageLimits limits,
      ArrayData... batches) {
    MemorySink sink = new MemorySink();
    try (FieldWriter writer = V21FieldWriters.create(field, version, allocator, sink, limits)) {
      for (ArrayData batch : batches) {
        writer.append(batch);
      }
      writer.finish();
      return writer.columns().stream().map(c -> of(c, sink.bytes.toByteArray())).toList();
    } finally {
      for (ArrayData batch : batches) {
        batch.close();
      }
    }
  }

  private static WrittenColumn of(ColumnMetadata metadata, byte[] file) {
    List<Page> pages = new ArrayList<>();
    for (ColumnMetadata.Page page : metadata.getPagesList()) {
      List<byte[]> buffers = new ArrayList<>();
      for (int i = 0; i < page.getBufferOffsetsCount(); i++) {
        int from = (int) page.getBufferOffsets(i);
        buffers.add(Arrays.copyOfRange(file, from, from + (int) page.getBufferSizes(i)));
      }
      byte[] any = page.getEncoding().getDirect().getEncoding().toByteArray();
      try {
        PageLayout layout = PageLayout.parseFrom(Any.parseFrom(any).getValue());
        pages.add(new Page(page.getLength(), page.getPriority(), layout, any, buffers));
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }
    return new WrittenColumn(metadata, pages);
  }

  private static final class MemorySink implements BufferSink {
    private static final int ALIGNMENT = 64;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public long write(ByteBuffer... parts) {
      long start = bytes.size();
      for (ByteBuffer part : parts) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
      }
      bytes.writeBytes(new byte[-bytes.size() & (ALIGNMENT - 1)]);
      return start;
    }
  }
}
