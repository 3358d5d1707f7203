package dev.lance4j.format;

/** Data or a projection does not fit the schema; the message names the field. */
public class SchemaMismatchException extends InvalidInputException {
  private static final long serialVersionUID = 1L;

  public SchemaMismatchException(String message) {
    super(message);
  }

  public SchemaMismatchException(String message, Throwable cause) {
    super(message, cause);
  }
}
