package dev.lance4j.format;

/**
 * A file holds bytes that no conforming writer produces, or is missing although it is referenced.
 */
public class CorruptFileException extends LanceException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final long position;

  /**
   * @param path the damaged file
   * @param position the byte position of the fault in the file, or -1 when there is no single one
   * @param message what was found and what was expected
   */
  public CorruptFileException(String path, long position, String message) {
    this(path, position, message, null);
  }

  /** As above, with the failure that revealed the damage. */
  public CorruptFileException(String path, long position, String message, Throwable cause) {
    super(describe(path, position, message), cause);
    this.path = path;
    this.position = position;
  }

  private static String describe(String path, long position, String message) {
    String where = position < 0 ? path : path + ", position " + position;
    return "Corrupt file " + where + ": " + message;
  }

  /** The damaged file. */
  public String path() {
    return path;
  }

  /** The byte position of the fault, or -1 when there is no single one. */
  public long position() {
    return position;
  }
}
