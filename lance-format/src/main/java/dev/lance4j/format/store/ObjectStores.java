package dev.lance4j.format.store;

import dev.lance4j.format.InvalidInputException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the store of a URI. */
public final class ObjectStores {
  // Two letters at least, so that a Windows drive is not taken for a scheme.
  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]+):/(.*)");
  private static final LocalObjectStore LOCAL = new LocalObjectStore();
  private static final MemoryObjectStore MEMORY = new MemoryObjectStore();
  private static final Map<String, ObjectStoreProvider> PROVIDERS = new ConcurrentHashMap<>();

  private ObjectStores() {}

  /** Resolves a URI without options. */
  public static StoreLocation resolve(String uri) {
    return resolve(uri, Map.of());
  }

  /**
   * Resolves a plain path, a {@code file://} or {@code memory://} URI, or one that an {@link
   * ObjectStoreProvider} serves. Relative paths are taken from the working directory. {@code
   * memory://} is one space for the whole process.
   *
   * @throws InvalidInputException if the URI is malformed or nothing serves its scheme
   */
  public static StoreLocation resolve(String uri, Map<String, String> options) {
    if (uri.isEmpty()) {
      throw new InvalidInputException(
          "The URI is empty; give a path or a URI such as file:///data");
    }
    Matcher matcher = SCHEME.matcher(uri);
    if (!matcher.matches()) {
      return local(Path.of(uri));
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "file", "file-object-store" -> local(filePath(uri, authorityAndPath(matcher.group(2))));
      case "memory" -> new StoreLocation(MEMORY, memoryPath(matcher.group(2)), uri);
      default -> provider(scheme, uri).resolve(uri, options);
    };
  }

  private static ObjectStoreProvider provider(String scheme, String uri) {
    ObjectStoreProvider known = PROVIDERS.get(scheme);
    if (known != null) {
      return known;
    }
    for (ObjectStoreProvider provider : ServiceLoader.load(ObjectStoreProvider.class)) {
      if (provider.serves(scheme)) {
        PROVIDERS.put(scheme, provider);
        return provider;
      }
    }
    throw new InvalidInputException(
        "No object store serves the scheme '"
            + scheme
            + "' of "
            + uri
            + "; known are plain paths, file and memory, and those of ObjectStoreProviders");
  }

  // Java writes file URIs with one slash.
  private static String authorityAndPath(String afterFirstSlash) {
    return afterFirstSlash.startsWith("/") ? afterFirstSlash.substring(1) : "/" + afterFirstSlash;
  }

  private static Path filePath(String uri, String afterScheme) {
    try {
      return Path.of(new URI("file://" + afterScheme));
    } catch (URISyntaxException | IllegalArgumentException e) {
      // Paths with blanks and the like are commonly written without escapes.
      if (afterScheme.startsWith("/")) {
        return Path.of(afterScheme);
      }
      throw new InvalidInputException(
          "Not a file URI: " + uri + "; write file:///absolute/path", e);
    }
  }

  private static StoreLocation local(Path path) {
    String absolute = path.toAbsolutePath().normalize().toString().replace('\\', '/');
    return new StoreLocation(LOCAL, absolute, absolute);
  }

  private static String memoryPath(String afterFirstSlash) {
    int start = afterFirstSlash.startsWith("/") ? 1 : 0;
    int end = afterFirstSlash.length();
    while (end > start && afterFirstSlash.charAt(end - 1) == '/') {
      end--;
    }
    return afterFirstSlash.substring(start, end);
  }
}
