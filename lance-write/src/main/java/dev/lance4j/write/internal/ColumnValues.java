package dev.lance4j.write.internal;

import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import java.util.Optional;

/** Where the values of new columns come from. Asked for fragments in the order of the table. */
interface ColumnValues {
  /** Writes a value for each live row of a fragment, in their order. */
  void write(FragmentMetadata fragment, ColumnFileWriter writer);

  /** A file with the values that is there already from an earlier attempt. */
  default Optional<DataFile> finished(FragmentMetadata fragment) {
    return Optional.empty();
  }

  /** Hears that the values of a fragment are in a file. */
  default void finish(FragmentMetadata fragment, DataFile file) {}

  /** Whether blobs may lie outside of the table and its base paths. */
  default boolean mayBeExternal() {
    return false;
  }

  /** Whether blobs come as {@link PendingBlobs}, rather than as they are given. */
  default boolean arePendingBlobs() {
    return false;
  }

  /** Whether files are to be kept for the next attempt when this one fails. */
  default boolean keepsFiles() {
    return false;
  }

  /**
   * Hears that all fragments were asked for.
   *
   * @throws dev.lance4j.format.InvalidInputException if there are values left
   */
  default void end() {}
}
