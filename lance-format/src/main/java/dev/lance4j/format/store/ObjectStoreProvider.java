package dev.lance4j.format.store;

import java.util.Map;

/**
 * Makes a store available under URI schemes; found with {@link java.util.ServiceLoader}. Safe for
 * use by many threads.
 */
public interface ObjectStoreProvider {
  /** Whether this provider serves URIs of the scheme, given in lower case. */
  boolean serves(String scheme);

  /**
   * Resolves a URI.
   *
   * @param uri with a scheme that this provider serves
   * @param options settings of the store, such as credentials; never null
   * @throws dev.lance4j.format.InvalidInputException if the URI or an option is wrong
   */
  StoreLocation resolve(String uri, Map<String, String> options);
}
