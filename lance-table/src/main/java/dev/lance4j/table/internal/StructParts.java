package dev.lance4j.table.internal;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.schema.LanceField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Puts structs together whose children come from several data files. */
final class StructParts {
  private StructParts() {}

  /**
   * One part of a field.
   *
   * @param field the field with the children that the part has
   * @param array their values
   */
  record Part(LanceField field, ArrayData array) {}

  /**
   * The whole field. Where a row is null in the first part, it is null.
   *
   * @param field the field with all children
   * @param parts stay owned by the caller
   * @return owned by the caller
   */
  static ArrayData join(LanceField field, List<Part> parts, int rows, BufferAllocator allocator) {
    if (parts.isEmpty()) {
      return NullArrays.of(field.toArrow(), rows, allocator);
    }
    if (parts.size() == 1 && parts.get(0).field().equals(field)) {
      return parts.get(0).array().retain();
    }
    Map<Integer, List<Part>> byChild = new LinkedHashMap<>();
    for (Part part : parts) {
      List<LanceField> children = part.field().children();
      for (int i = 0; i < children.size(); i++) {
        byChild
            .computeIfAbsent(children.get(i).id(), id -> new ArrayList<>())
            .add(new Part(children.get(i), part.array().child(i)));
      }
    }
    List<ArrayData> children = new ArrayList<>();
    boolean complete = false;
    try {
      for (LanceField child : field.children()) {
        children.add(join(child, byChild.getOrDefault(child.id(), List.of()), rows, allocator));
      }
      complete = true;
    } finally {
      if (!complete) {
        children.forEach(ArrayData::close);
      }
    }
    ArrayData first = parts.get(0).array();
    ArrowBuf validity = first.validity();
    if (validity != null) {
      validity.getReferenceManager().retain();
    }
    return new ArrayData(
        rows, first.nullCount(), new ArrowBuf[] {validity}, children.toArray(ArrayData[]::new));
  }
}
