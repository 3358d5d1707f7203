package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.CorruptFileException;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Turns the exceptions that malformed bytes can cause in decoders into errors that name the file.
 */
public final class Guard {
  private Guard() {}

  /**
   * Runs a decoder.
   *
   * @param error makes the error from a message and a cause
   */
  public static <T> T run(
      BiFunction<String, Throwable, CorruptFileException> error, Supplier<T> decoder) {
    try {
      return decoder.get();
    } catch (IllegalArgumentException
        | ArithmeticException
        | IndexOutOfBoundsException
        | NegativeArraySizeException
        | BufferUnderflowException
        | BufferOverflowException e) {
      throw error.apply(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }
  }
}
