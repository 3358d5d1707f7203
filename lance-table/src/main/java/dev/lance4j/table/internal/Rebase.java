package dev.lance4j.table.internal;

import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a transaction on top of later versions that it goes with, but which it has to take into
 * account. Used for one commit.
 */
public abstract class Rebase {
  private static final Logger LOG = LoggerFactory.getLogger(Rebase.class);

  final Table table;
  final Transaction original;

  Rebase(Table table, Transaction original) {
    this.table = table;
    this.original = original;
  }

  /**
   * The rebase of a transaction.
   *
   * @param basis what the transaction was computed from
   */
  public static Rebase of(Table table, Transaction transaction, Basis basis) {
    return switch (transaction.operation().kind()) {
      case REWRITE, CREATE_INDEX -> new ReuseRebase(table, transaction);
      default -> new RowRebase(table, transaction, basis);
    };
  }

  /**
   * A transaction on top of a later version.
   *
   * @param transaction as if it had been computed from that version
   * @param written paths of the files that only it refers to
   * @param superseded paths of the files that it does not need any more
   */
  public record Rebased(Transaction transaction, List<String> written, List<String> superseded) {}

  /**
   * Takes note of a version that was committed since.
   *
   * @param version against whose operation the transaction was checked by {@link ConflictRules}
   * @param committed the operation
   */
  public abstract void observe(TableVersion version, Operation committed);

  /**
   * The transaction on top of a version.
   *
   * @param latest the last version that was observed, or the one that was read
   * @throws dev.lance4j.format.CommitConflictException if it does not go with what others did
   */
  public abstract Rebased onto(TableVersion latest);

  /** The transaction with another operation, as if computed from a version. */
  final Transaction with(TableVersion latest, Operation operation) {
    return original.withReadVersion(latest.version()).withOperation(operation);
  }

  /** Removes files that no version refers to, as far as that is possible. */
  public final void remove(List<String> paths) {
    for (String path : paths) {
      try {
        table.store().delete(path);
      } catch (RuntimeException e) {
        LOG.debug("could not remove {}, which clean-up will find", path, e);
      }
    }
  }
}
