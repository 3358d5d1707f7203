package dev.lance4j.format;

/** The table has no such version, or no longer. */
public class VersionNotFoundException extends LanceException {
  private static final long serialVersionUID = 1L;

  private final String uri;
  private final long version;

  /**
   * @param uri the table
   * @param version the version that was asked for, unsigned
   */
  public VersionNotFoundException(String uri, long version) {
    super(
        "Dataset "
            + uri
            + " has no version "
            + Long.toUnsignedString(version)
            + "; it was never written, or a cleanup removed it");
    this.uri = uri;
    this.version = version;
  }

  /** The table. */
  public String uri() {
    return uri;
  }

  /** The version that was asked for, unsigned. */
  public long version() {
    return version;
  }
}
