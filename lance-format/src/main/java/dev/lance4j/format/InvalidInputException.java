package dev.lance4j.format;

/**
 * What the caller asked for is wrong; the message names the argument or field and says what to do.
 */
public class InvalidInputException extends LanceException {
  private static final long serialVersionUID = 1L;

  public InvalidInputException(String message) {
    super(message);
  }

  public InvalidInputException(String message, Throwable cause) {
    super(message, cause);
  }
}
