package dev.lance4j.format;

/**
 * A file or table uses a feature or an encoding that this version does not know; the message names
 * it.
 */
public class UnsupportedFormatException extends LanceException {
  private static final long serialVersionUID = 1L;

  public UnsupportedFormatException(String message) {
    super(message);
  }

  public UnsupportedFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
