package dev.lance4j.index.internal;

/** A kind of index, as tables name it. Without state. */
public interface IndexKind {
  /** The name in lower case, as the name of the details' message begins. */
  String name();

  /** The name that descriptions show. */
  String displayName();

  /** The type URL of the details of new segments. */
  String typeUrl();

  /** The version of new segments' format. */
  int version();

  /** The highest version that can be read. */
  int maxVersion();
}
