package dev.lance4j.format;

/** A table has no index of a name. */
public class IndexNotFoundException extends LanceException {
  private static final long serialVersionUID = 1L;

  private final String indexName;

  /**
   * @param uri of the table
   * @param indexName what was looked for
   * @param known the names of the indices that the table has, joined
   */
  public IndexNotFoundException(String uri, String indexName, String known) {
    super(
        "There is no index '"
            + indexName
            + "' on "
            + uri
            + "; it has "
            + (known.isEmpty() ? "none" : known));
    this.indexName = indexName;
  }

  /** What was looked for. */
  public String indexName() {
    return indexName;
  }
}
