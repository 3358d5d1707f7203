package dev.lance4j.interop.oracle;

/**
 * The real library took its process down, or did not answer in time; the next call has a new one.
 */
public final class OracleAborted extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OracleAborted(String message) {
    super(message);
  }
}
