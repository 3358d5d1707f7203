package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.ArrowBuf;

/** Checks of the arrays that a caller gives. */
final class Check {
  private Check() {}

  /** The buffers of an array: how many, and that validity covers its values. */
  static void layout(ArrayData array, int buffers, int children, String path) {
    if (array.bufferCount() != buffers || array.children().size() != children) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' was given "
              + array.bufferCount()
              + " buffers and "
              + array.children().size()
              + " children where its type has "
              + buffers
              + " and "
              + children
              + "; pass data of the schema's type");
    }
    if (array.nullCount() > 0 && array.validity() != null) {
      capacity(array.validity(), Bits.bytes(array.length()), "validity", path);
    }
  }

  /** A buffer has at least so many bytes. */
  static void capacity(ArrowBuf buffer, long needed, String what, String path) {
    long capacity = buffer == null ? 0 : buffer.capacity();
    if (capacity < needed) {
      throw new InvalidInputException(
          "Field '" + path + "' has " + capacity + " bytes of " + what + ", needed " + needed);
    }
  }

  /** A child array has at least so many values. */
  static void childLength(ArrayData child, long needed, String path) {
    if (child.length() < needed) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' has "
              + child.length()
              + " values where its parent needs "
              + needed
              + "; set the value count of every child vector");
    }
  }
}
