package dev.lance4j.table.internal;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * Structs of which a data file of version 2.0 has no field any more. Such files have a column for
 * the struct itself, which says nothing, and which the real library cannot read alone.
 */
final class EmptyStructs {
  private EmptyStructs() {}

  /** The fragment without such structs. */
  static FragmentMetadata removed(FragmentMetadata fragment, LanceSchema schema) {
    return fragment.withFiles(
        fragment.files().stream().map(file -> removed(file, schema)).toList());
  }

  private static DataFile removed(DataFile file, LanceSchema schema) {
    if (file.fileVersion() != FileVersion.V2_0) {
      return file;
    }
    List<Integer> ids = new ArrayList<>(file.fieldIds());
    schema.fields().forEach(field -> remove(field, ids));
    return ids.equals(file.fieldIds()) ? file : file.withFieldIds(ids);
  }

  /** Whether the file has values of the field. */
  private static boolean remove(LanceField field, List<Integer> ids) {
    int index = ids.indexOf(field.id());
    if (!field.logicalType().equals("struct") || field.children().isEmpty()) {
      return index >= 0;
    }
    boolean any = false;
    for (LanceField child : field.children()) {
      any |= remove(child, ids);
    }
    if (!any && index >= 0) {
      ids.set(index, DataFile.TOMBSTONE);
    }
    return any;
  }
}
