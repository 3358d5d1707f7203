package dev.lance4j.format.internal.container;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.FieldWriter;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Picks the family of encodings of a file version. */
final class PageFormats {
  private PageFormats() {}

  static FieldReader reader(FileVersion version, ColumnNode node, List<ColumnInfo> columns) {
    return switch (version) {
      default -> throw new UnsupportedFormatException("Cannot read file version " + version);
    };
  }

  static FieldWriter writer(
      FileVersion version, Field field, BufferAllocator allocator, BufferSink sink) {
    return switch (version) {
      default -> throw new UnsupportedFormatException("Cannot write file version " + version);
    };
  }
}
