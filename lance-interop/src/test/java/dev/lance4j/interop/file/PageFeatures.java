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
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int entry = (int) bytes.getLong(bytes.limit() - FOOTER + 8) + 16 * column;
    ByteBuffer metadata = bytes.slice((int) bytes.getLong(entry), (int) bytes.getLong(entry + 8));
    List<PageLayout> pages = new ArrayList<>();
    for (ColumnMetadata.Page page : ColumnMetadata.parseFrom(metadata).getPagesList()) {
      Any any = Any.parseFrom(page.getEncoding().getDirect().getEncoding());
      pages.add(PageLayout.parseFrom(any.getValue()));
    }
    return pages;
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
