package dev.lance4j.format;

/**
 * The root of all errors that Lance4j raises itself. Each message names the file or table concerned
 * and what to do. IO failures are {@link java.io.UncheckedIOException} instead.
 */
public class LanceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LanceException(String message) {
    super(message);
  }

  public LanceException(String message, Throwable cause) {
    super(message, cause);
  }
}
