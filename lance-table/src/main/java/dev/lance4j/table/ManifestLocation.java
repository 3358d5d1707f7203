package dev.lance4j.table;

/**
 * Where the manifest of a version is.
 *
 * @param version the version, unsigned
 * @param naming the scheme of its name; what is written next is named likewise
 * @param path in the table's store
 */
public record ManifestLocation(long version, ManifestNaming naming, String path) {}
