package dev.lance4j.scan.internal;

/**
 * What a file of version 2.2 holds of a blob.
 *
 * @param kind the number of a {@link dev.lance4j.format.internal.blob.BlobKind}
 * @param position where the bytes begin in their object
 * @param size the number of bytes; of an external blob 0 for the whole object
 * @param blobId the number of an object that belongs to the data file, or the id of the base path
 *     that an external one lies below
 * @param uri of an external blob; empty for others
 */
public record BlobDescriptor(int kind, long position, long size, int blobId, String uri) {}
