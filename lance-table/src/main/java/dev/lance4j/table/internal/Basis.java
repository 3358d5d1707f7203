package dev.lance4j.table.internal;

import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an operation that is being committed was computed from. Used by one thread. */
public final class Basis {
  private final Manifest read;
  private final Optional<RowAddressSet> affectedRows;
  // Made when it is first asked for: most operations touch no fragment that was there.
  private Map<Long, FragmentMetadata> fragments;

  /**
   * @param read the version that was read
   * @param affectedRows the addresses there of all rows that the operation deletes or moves, if
   *     they are known
   */
  public Basis(Manifest read, Optional<RowAddressSet> affectedRows) {
    this.read = read;
    this.affectedRows = affectedRows;
  }

  static Map<Long, FragmentMetadata> byId(List<FragmentMetadata> fragments) {
    Map<Long, FragmentMetadata> byId = new HashMap<>();
    fragments.forEach(fragment -> byId.put(fragment.id(), fragment));
    return byId;
  }

  /** The version that was read. */
  long version() {
    return read.version();
  }

  /** The schema of the version that was read. */
  LanceSchema schema() {
    return read.schema();
  }

  /** The addresses of all rows that the operation deletes or moves, if they are known. */
  Optional<RowAddressSet> affectedRows() {
    return affectedRows;
  }

  /** A fragment as it was, or null. */
  FragmentMetadata fragment(long id) {
    if (fragments == null) {
      fragments = byId(read.fragments());
    }
    return fragments.get(id);
  }
}
