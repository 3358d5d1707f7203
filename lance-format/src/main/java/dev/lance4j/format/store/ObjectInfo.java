package dev.lance4j.format.store;

import java.time.Instant;

/**
 * What a store tells about an object.
 *
 * @param path the object's path in its store
 * @param size in bytes
 * @param lastModified when it was written
 * @param eTag a token that changes when the object is replaced
 */
public record ObjectInfo(String path, long size, Instant lastModified, String eTag) {}
