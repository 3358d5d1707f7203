package dev.lance4j.format;

/** There is no table at the URI. */
public class DatasetNotFoundException extends LanceException {
  private static final long serialVersionUID = 1L;

  private final String uri;

  /**
   * @param uri where a table was looked for
   */
  public DatasetNotFoundException(String uri) {
    super(
        "There is no dataset at "
            + uri
            + ": no manifest lies in its _versions directory; create one or correct the URI");
    this.uri = uri;
  }

  /** Where a table was looked for. */
  public String uri() {
    return uri;
  }
}
