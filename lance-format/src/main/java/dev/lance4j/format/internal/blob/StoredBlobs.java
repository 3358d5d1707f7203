package dev.lance4j.format.internal.blob;

/** Finds blobs that a table has already, for writing them anew. */
@FunctionalInterface
public interface StoredBlobs {
  /** For files all of whose blobs are given. */
  StoredBlobs NONE =
      (fieldId, fragmentId, descriptor) -> {
        throw new IllegalStateException("no blobs are stored: field " + fieldId);
      };

  /**
   * Finds a blob.
   *
   * @param fieldId the id of the blob column that it is stored in
   * @param fragmentId the fragment that it is stored in
   * @param descriptor what that says of it
   * @return to be closed by the caller
   * @throws dev.lance4j.format.CorruptFileException if it is not where the descriptor says
   * @throws dev.lance4j.format.UnsupportedFormatException if the descriptor is of an unknown kind
   */
  StoredBlob find(int fieldId, long fragmentId, BlobDescriptor descriptor);
}
