package dev.lance4j.write.internal;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.table.Manifest;

/** The version of the data files of a table. */
public final class StorageVersion {
  private StorageVersion() {}

  /**
   * The version in which files of the table are written.
   *
   * @throws UnsupportedFormatException if it is the legacy one
   */
  public static FileVersion requireWritable(Manifest manifest) {
    FileVersion version = manifest.storageVersion();
    if (version == FileVersion.V0_1) {
      throw new UnsupportedFormatException(
          "The table's files are of the legacy version 0.1, which is read but not written;"
              + " overwrite it with a newer one");
    }
    return version;
  }
}
