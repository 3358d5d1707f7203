package dev.lance4j.table.internal;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A file that a writer of tables may have made, recognised by its place and name. Whatever else
 * lies below a table's root is somebody else's.
 *
 * @param kind what it holds
 * @param key what manifests would refer to it by: its path below the root, the directory of an
 *     index segment, or the data file that a blob file belongs to
 */
public record TableFile(Kind kind, String key) {
  private static final String DATA = "data";
  private static final String DELETIONS = "_deletions";
  private static final String TRANSACTIONS = "_transactions";
  private static final String INDICES = "_indices";
  private static final String VERSIONS = "_versions";

  /** The directories below the root that hold such files. */
  public static final List<String> DIRECTORIES =
      List.of(DATA, DELETIONS, TRANSACTIONS, INDICES, VERSIONS);

  // Written to beside the final name, and renamed when complete.
  private static final String TEMPORARY_PREFIX = ".tmp";
  private static final String DATA_SUFFIX = ".lance";
  private static final Pattern BLOB = Pattern.compile("(.+)/[01]{32}\\.blob");
  private static final Pattern SEGMENT =
      Pattern.compile("(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12})/.+");

  // A manifest that was written for a manifest store to decide about.
  private static final Pattern STAGED =
      Pattern.compile(".+\\.manifest-\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  /** What a file holds. */
  public enum Kind {
    DATA,
    /** Large values beside a data file. */
    BLOB,
    DELETIONS,
    TRANSACTION,
    INDEX,
    /** What an interrupted write had not given its final name yet. */
    TEMPORARY
  }

  /** The key of a data file. */
  public static String data(String path) {
    return DATA + '/' + path;
  }

  /** The key of a deletion file. */
  public static String deletions(String name) {
    return DELETIONS + '/' + name;
  }

  /** The key of a transaction file. */
  public static String transaction(String name) {
    return TRANSACTIONS + '/' + name;
  }

  /** The key of an index segment. */
  public static String index(UUID uuid) {
    return INDICES + '/' + uuid;
  }

  /**
   * Recognises a file.
   *
   * @param path below the table's root
   */
  public static Optional<TableFile> of(String path) {
    int slash = path.indexOf('/');
    if (slash < 0) {
      return Optional.empty();
    }
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.startsWith(TEMPORARY_PREFIX)) {
      return file(Kind.TEMPORARY, path);
    }
    String rest = path.substring(slash + 1);
    return switch (path.substring(0, slash)) {
      case DATA -> data(path, rest);
      case DELETIONS ->
          rest.endsWith(".arrow") || rest.endsWith(".bin")
              ? file(Kind.DELETIONS, path)
              : Optional.empty();
      case TRANSACTIONS -> rest.endsWith(".txn") ? file(Kind.TRANSACTION, path) : Optional.empty();
      case INDICES -> {
        var segment = SEGMENT.matcher(rest);
        yield segment.matches()
            ? file(Kind.INDEX, INDICES + '/' + segment.group(1).toLowerCase(Locale.ROOT))
            : Optional.empty();
      }
      case VERSIONS ->
          STAGED.matcher(rest).matches() ? file(Kind.TEMPORARY, path) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<TableFile> data(String path, String rest) {
    if (rest.endsWith(DATA_SUFFIX)) {
      return file(Kind.DATA, path);
    }
    var blob = BLOB.matcher(rest);
    return blob.matches()
        ? file(Kind.BLOB, DATA + '/' + blob.group(1) + DATA_SUFFIX)
        : Optional.empty();
  }

  private static Optional<TableFile> file(Kind kind, String key) {
    return Optional.of(new TableFile(kind, key));
  }
}
