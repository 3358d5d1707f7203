package dev.lance4j.interop.file;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What the pages of a file make use of, from their messages and independent of the reader. */
final class PageFeatures {
  private static final int FOOTER = 40;

  private PageFeatures() {}

  /** The names of the message fields that are set anywhere in the pages of a column. */
  static Set<String> of(Path file, int column) throws IOException {
    Set<String> names = new TreeSet<>();
    for (PageLayout page : pages(file, column)) {
      collect(page, names);
    }
    return names;
  }

  static List<PageLayout> pages(Path file, int column) throws IOException {
    List<PageLayout> pages = new ArrayList<>();
    for (ColumnMetadata.Page page : metadata(bytes(file), column).getPagesList()) {
      Any any = Any.parseFrom(page.getEncoding().getDirect().getEncoding());
      pages.add(PageLayout.parseFrom(any.getValue()));
    }
    return pages;
  }

  /** The bytes of all buffers of the pages of a column, page by page, in hexadecimal. */
  static List<String> buffers(Path file, int column) throws IOException {
    ByteBuffer bytes = bytes(file);
    List<String> buffers = new ArrayList<>();
    for (ColumnMetadata.Page page : metadata(bytes, column).getPagesList()) {
      for (int i = 0; i < page.getBufferOffsetsCount(); i++) {
        byte[] buffer = new byte[(int) page.getBufferSizes(i)];
        bytes.get((int) page.getBufferOffsets(i), buffer);
        buffers.add(HexFormat.of().formatHex(buffer));
      }
    }
    return buffers;
  }

  private static ByteBuffer bytes(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ColumnMetadata metadata(ByteBuffer bytes, int column) throws IOException {
    int entry = (int) bytes.getLong(bytes.limit() - FOOTER + 8) + 16 * column;
    return ColumnMetadata.parseFrom(
        bytes.slice((int) bytes.getLong(entry), (int) bytes.getLong(entry + 8)));
  }

  private static void collect(Message message, Set<String> names) {
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      names.add(field.getKey().getName());
      Collection<?> values =
          field.getValue() instanceof Collection<?> many ? many : List.of(field.getValue());
      for (Object value : values) {
        if (value instanceof Message child) {
          collect(child, names);
        }
      }
    }
  }
}
