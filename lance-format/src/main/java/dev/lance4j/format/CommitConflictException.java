package dev.lance4j.format;

/** A commit was given up because of what others committed in the meantime. */
public class CommitConflictException extends LanceException {
  private static final long serialVersionUID = 1L;

  private final long version;
  private final boolean retryable;

  /**
   * @param message which operation met which, and what to do
   * @param version the version that was in the way
   * @param retryable whether doing the whole operation again on the newest version makes sense
   */
  public CommitConflictException(String message, long version, boolean retryable) {
    super(message);
    this.version = version;
    this.retryable = retryable;
  }

  /** The version that was in the way. */
  public long version() {
    return version;
  }

  /**
   * Whether doing the whole operation again, reading the newest version, makes sense. If not, it
   * may mean something else there.
   */
  public boolean isRetryable() {
    return retryable;
  }
}
