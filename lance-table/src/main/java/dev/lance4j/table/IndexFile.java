package dev.lance4j.table;

/**
 * A file of an index segment.
 *
 * @param path relative to the segment's directory
 * @param sizeBytes the file's size
 */
public record IndexFile(String path, long sizeBytes) {}
