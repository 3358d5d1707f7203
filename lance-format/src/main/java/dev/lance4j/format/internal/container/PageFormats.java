package dev.lance4j.format.internal.container;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.internal.v20.V20FieldReaders;
import dev.lance4j.format.internal.v20.V20FieldWriters;
import dev.lance4j.format.internal.v21.V21FieldReaders;
import dev.lance4j.format.internal.v21.write.V21FieldWriters;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Picks the family of encodings of a file version. */
final class PageFormats {
  private PageFormats() {}

  static FieldReader reader(
      String path, FileVersion version, ColumnNode node, List<ColumnInfo> columns) {
    return switch (version) {
      case V2_0 -> V20FieldReaders.create(node, columns);
      case V2_1, V2_2, V2_3 ->
          node.packed() == null
              ? V21FieldReaders.create(path, node, columns)
              : PackedFieldReader.create(path, node, columns);
      case V0_1 -> throw unsupported(version);
    };
  }

  static FieldWriter writer(
      FileVersion version,
      Field field,
      BufferAllocator allocator,
      BufferSink sink,
      PageLimits limits) {
    return switch (version) {
      case V2_0 -> V20FieldWriters.create(field, allocator, sink);
      case V2_1, V2_2 -> V21FieldWriters.create(field, version, allocator, sink, limits);
      case V0_1, V2_3 -> throw unsupported(version);
    };
  }

  private static UnsupportedFormatException unsupported(FileVersion version) {
    return new UnsupportedFormatException(
        "Pages of file version " + version + " are not supported");
  }
}
