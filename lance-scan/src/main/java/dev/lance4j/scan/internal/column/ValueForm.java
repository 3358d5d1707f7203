package dev.lance4j.scan.internal.column;

/** How values are given that files hold in another way than users see them. */
public enum ValueForm {
  /** JSON as text, and blobs as descriptors of where they lie. */
  DESCRIBED,
  /** JSON as text, and blobs as bytes. */
  WITH_BYTES,
  /** As the schema of the table says: JSON in its binary form, and blobs as bytes. */
  STORED
}
