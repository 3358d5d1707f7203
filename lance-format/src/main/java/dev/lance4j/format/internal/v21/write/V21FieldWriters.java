package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.PageLimits;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes the writers of fields for file versions 2.1 and 2.2. */
public final class V21FieldWriters {
  private V21FieldWriters() {}

  /**
   * A writer for one top-level field.
   *
   * @param field the field; dictionary fields have their value type and an encoding that names the
   *     key type
   * @param version 2.1 or later
   * @param allocator where pages are gathered
   * @param sink where pages go
   * @param limits how large pages get
   * @throws dev.lance4j.format.SchemaMismatchException if the version cannot hold the field's type
   */
  public static FieldWriter create(
      Field field,
      FileVersion version,
      BufferAllocator allocator,
      BufferSink sink,
      PageLimits limits) {
    if (!version.atLeast(FileVersion.V2_1)) {
      throw new IllegalArgumentException("File version " + version + " has other pages");
    }
    return new V21FieldWriter(new FieldTree(field, version), version, allocator, sink, limits);
  }
}
