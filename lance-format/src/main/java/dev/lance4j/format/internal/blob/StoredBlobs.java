package dev.lance4j.format.internal.blob;

import dev.lance4j.format.schema.LanceField;

/** Finds blobs that a table has already, for writing them anew. */
@FunctionalInterface
public interface StoredBlobs {
  /** For files all of whose blobs are given. */
  StoredBlobs NONE =
      (field, fragmentId, descriptor) -> {
        throw new IllegalStateException("no blobs are stored: " + field.name());
      };

  /**
   * Finds a blob.
   *
   * @param field the blob column
   * @param fragmentId the fragment that it is stored in
   * @param descriptor what that says of it
   * @return to be closed by the caller
   * @throws dev.lance4j.format.CorruptFileException if it is not where the descriptor says
   * @throws dev.lance4j.format.UnsupportedFormatException if the descriptor is of an unknown kind
   */
  StoredBlob find(LanceField field, long fragmentId, BlobDescriptor descriptor);
}
