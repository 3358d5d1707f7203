package dev.lance4j.table.internal;

import dev.lance4j.format.store.ConditionalPut;
import dev.lance4j.table.ManifestLocation;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Knows which versions a table has, and adds one. Safe for use by many threads. */
public interface ManifestCatalog {
  /** The newest version that is not detached, unless there is none. */
  Optional<ManifestLocation> latest();

  /** A version, perhaps a detached one, if it is there. */
  Optional<ManifestLocation> find(long version);

  /** The versions above another in ascending order, without detached ones. */
  List<ManifestLocation> after(long version);

  /**
   * Adds a version if and only if it is not there, atomically among all processes.
   *
   * @param location the final place of the manifest
   * @param file the manifest's file
   * @return whether it was added
   * @throws java.io.UncheckedIOException if that is not known
   */
  boolean putIfAbsent(ManifestLocation location, ByteBuffer file);

  /** How far {@link #putIfAbsent} is to be trusted when it says that it added a version. */
  ConditionalPut conditionalPut();

  /** Takes note that a version was added to the history, for those who look for the newest. */
  void added(long version);
}
