package dev.lance4j.table.internal;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.Optional;
import java.util.UUID;

/** What led to a version, with what the bytes of its transaction leave to be seen in manifests. */
public final class CommittedOperation {
  private CommittedOperation() {}

  /**
   * The operation of a version. A rewrite has the {@link FragmentReuse} entry that it left.
   *
   * @param before the version before
   * @throws CommitConflictException if the version does not record its operation
   */
  public static Operation of(TableVersion version, TableVersion before) {
    Operation operation =
        version
            .transaction()
            .map(Transaction::operation)
            .orElseThrow(
                () ->
                    new CommitConflictException(
                        "Dataset version "
                            + version.version()
                            + " does not have a transaction, so that nobody can tell whether it"
                            + " conflicts; read the newest version and try again",
                        version.version(),
                        true));
    return operation instanceof Operation.Rewrite rewrite
        ? withFragmentReuse(rewrite, version, before)
        : operation;
  }

  private static Operation withFragmentReuse(
      Operation.Rewrite rewrite, TableVersion version, TableVersion before) {
    Optional<IndexMetadata> entry = FragmentReuse.entry(version.indices());
    boolean left =
        entry.isPresent() && !uuid(entry).equals(uuid(FragmentReuse.entry(before.indices())));
    return left ? rewrite.withFragmentReuse(entry.get()) : rewrite;
  }

  private static Optional<UUID> uuid(Optional<IndexMetadata> entry) {
    return entry.map(IndexMetadata::uuid);
  }
}
