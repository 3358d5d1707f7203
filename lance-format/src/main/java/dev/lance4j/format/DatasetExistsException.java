package dev.lance4j.format;

/** A table was to be created where there is one already. */
public class DatasetExistsException extends LanceException {
  private static final long serialVersionUID = 1L;

  private final String uri;

  /**
   * @param uri where the table is
   */
  public DatasetExistsException(String uri) {
    super(
        "There is a dataset at " + uri + " already; append to it, overwrite it or use another URI");
    this.uri = uri;
  }

  /** Where the table is. */
  public String uri() {
    return uri;
  }
}
