package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceField;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Completes structs of which a source gives only some fields. */
final class PartialStructs {
  private PartialStructs() {}

  /**
   * The structs that the source gives, with the fields that it lacks from other ones. A field of a
   * null struct is null.
   *
   * @param whole the field with all children
   * @param known the field with those that the source has
   * @param given of the type {@code known}; borrowed
   * @param other of the type {@code whole}, as many; borrowed
   * @return owned by the caller
   */
  static ArrayData fill(
      LanceField whole,
      LanceField known,
      ArrayData given,
      ArrayData other,
      BufferAllocator allocator) {
    List<ArrayData> children = new ArrayList<>(whole.children().size());
    boolean complete = false;
    try {
      for (int i = 0; i < whole.children().size(); i++) {
        LanceField child = whole.children().get(i);
        int index = indexOf(known, child);
        if (index < 0) {
          children.add(below(other, other.child(i), allocator));
        } else if (known.children().get(index).equals(child)) {
          children.add(given.child(index).retain());
        } else {
          try (ArrayData others = below(other, other.child(i), allocator)) {
            children.add(
                fill(child, known.children().get(index), given.child(index), others, allocator));
          }
        }
      }
      complete = true;
    } finally {
      if (!complete) {
        Columns.close(children);
      }
    }
    ArrowBuf validity = given.validity();
    if (validity != null) {
      validity.getReferenceManager().retain();
    }
    return new ArrayData(
        given.length(),
        given.nullCount(),
        new ArrowBuf[] {validity},
        children.toArray(ArrayData[]::new));
  }

  private static int indexOf(LanceField field, LanceField child) {
    for (int i = 0; i < field.children().size(); i++) {
      if (field.children().get(i).id() == child.id()) {
        return i;
      }
    }
    return -1;
  }

  /** A child that is null where its parent is; what lies under a null parent may be anything. */
  private static ArrayData below(ArrayData parent, ArrayData child, BufferAllocator allocator) {
    if (parent.nullCount() == 0 || child.bufferCount() == 0) {
      return child.retain();
    }
    int length = child.length();
    ArrowBuf validity = allocator.buffer(Math.max(1, (length + 7L) >>> 3));
    validity.setZero(0, validity.capacity());
    int nulls = 0;
    for (int row = 0; row < length; row++) {
      if (parent.isValid(row) && child.isValid(row)) {
        validity.setByte(row >> 3, validity.getByte(row >> 3) | (1 << (row & 7)));
      } else {
        nulls++;
      }
    }
    ArrowBuf[] buffers = new ArrowBuf[child.bufferCount()];
    buffers[0] = validity;
    for (int i = 1; i < buffers.length; i++) {
      buffers[i] = child.buffer(i);
      if (buffers[i] != null) {
        buffers[i].getReferenceManager().retain();
      }
    }
    ArrayData[] children =
        child.children().stream().map(ArrayData::retain).toArray(ArrayData[]::new);
    ArrayData dictionary = child.dictionary() == null ? null : child.dictionary().retain();
    return new ArrayData(length, nulls, buffers, children, dictionary);
  }
}
