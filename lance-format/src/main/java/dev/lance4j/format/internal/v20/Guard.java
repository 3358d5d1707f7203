package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.PageInfo;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The last line of defence against damaged pages: what escapes the checks and trips over an index
 * or a size is reported as the damage that it is.
 */
final class Guard {
  private Guard() {}

  /** Runs work on a page. */
  static <T> T call(PageInfo page, Supplier<T> work) {
    try {
      return work.get();
    } catch (IndexOutOfBoundsException
        | BufferUnderflowException
        | BufferOverflowException
        | ArithmeticException
        | NegativeArraySizeException
        | IllegalArgumentException e) {
      throw page.corrupt("the page makes no sense: " + e.getMessage(), e);
    }
  }

  /** A read whose rounds are all guarded. */
  static FieldRead read(PageInfo page, FieldRead read) {
    return new FieldRead() {
      @Override
      public boolean request(RangeRequests requests) {
        return call(page, () -> read.request(requests));
      }

      @Override
      public ArrayData decode(BufferAllocator allocator) {
        return call(page, () -> read.decode(allocator));
      }
    };
  }
}
