package dev.lance4j.format;

/** An operation was retried as often, or as long, as it may be, and met a conflict each time. */
public class TooMuchContentionException extends LanceException {
  private static final long serialVersionUID = 1L;

  private final int attempts;

  /**
   * @param message what was tried and what to do
   * @param attempts how often it was tried
   * @param cause the last conflict, or null when the last attempt only lost the race
   */
  public TooMuchContentionException(String message, int attempts, Throwable cause) {
    super(message, cause);
    this.attempts = attempts;
  }

  /** How often it was tried. */
  public int attempts() {
    return attempts;
  }
}
