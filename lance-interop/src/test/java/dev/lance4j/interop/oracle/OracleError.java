package dev.lance4j.interop.oracle;

/** The real library answered with an exception. */
public final class OracleError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String type;

  OracleError(String type, String message) {
    super(type + ": " + message);
    this.type = type;
  }

  /** The name of the class of the exception. */
  public String type() {
    return type;
  }
}
