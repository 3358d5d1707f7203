package dev.lance4j.table.internal;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceField;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A top-level field of a fragment and where its values come from.
 *
 * @param field the field
 * @param sources one for most fields, none for one that no file holds
 */
record FragmentColumn(LanceField field, List<Source> sources) {
  /**
   * A part of the field in a file.
   *
   * @param file number among the open files
   * @param position among the arrays that the file gives
   * @param part the field with the children that the file holds
   */
  record Source(int file, int position, LanceField part) {}

  /**
   * The field's values.
   *
   * @param arrays what each file gave; stays owned by the caller
   * @return owned by the caller
   */
  ArrayData assemble(List<List<ArrayData>> arrays, int rows, BufferAllocator allocator) {
    List<StructParts.Part> parts = new ArrayList<>(sources.size());
    for (Source source : sources) {
      parts.add(
          new StructParts.Part(source.part(), arrays.get(source.file()).get(source.position())));
    }
    return StructParts.join(field, parts, rows, allocator);
  }
}
