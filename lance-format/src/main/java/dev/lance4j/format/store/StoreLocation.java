package dev.lance4j.format.store;

/**
 * A place in a store.
 *
 * @param store the store
 * @param path the path in it, without a trailing slash
 * @param uri what the user wrote, made absolute
 */
public record StoreLocation(ObjectStore store, String path, String uri) {}
