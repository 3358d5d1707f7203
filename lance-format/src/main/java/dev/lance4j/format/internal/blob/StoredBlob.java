package dev.lance4j.format.internal.blob;

import dev.lance4j.format.store.ObjectReader;

/**
 * The bytes of a blob that is stored already.
 *
 * @param object the object that they are in, open until this is closed
 * @param start where they begin
 * @param size how many they are
 * @param release lets go of the object
 */
public record StoredBlob(ObjectReader object, long start, long size, Runnable release)
    implements AutoCloseable {
  @Override
  public void close() {
    release.run();
  }
}
