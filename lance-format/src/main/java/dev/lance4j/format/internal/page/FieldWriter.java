package dev.lance4j.format.internal.page;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.util.List;

/** Turns the rows of one top-level field into pages of a file. Used by one thread at a time. */
public interface FieldWriter extends AutoCloseable {
  /**
   * Takes rows, copying what must outlive the call, and writes pages when enough has gathered.
   *
   * @param rows borrowed
   */
  void append(ArrayData rows);

  /** Writes what is left. */
  void finish();

  /**
   * The metadata of the field's columns, depth first, once finished. Page encodings are complete.
   */
  List<ColumnMetadata> columns();

  /** Frees memory; the file is left as it is. */
  @Override
  void close();
}
