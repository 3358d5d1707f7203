package dev.lance4j.interop.history;

import dev.lance4j.Dataset;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.table.CleanupPolicy;
import java.util.Optional;

/** Changes of which versions there are. */
final class VersionChanges {
  private VersionChanges() {}

  /** Makes an earlier version the newest one again. */
  record Restore(Content earlier, long number) implements Change {
    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(new Content(earlier.variant(), earlier.fields(), earlier.rows()));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      try (dataset;
          Dataset then = dataset.checkout(number)) {
        return then.restore();
      }
    }

    @Override
    public boolean canBeTheirs() {
      return true;
    }

    @Override
    public void byThem(Theirs table) {
      long theirs = table.version().applyAsLong(number);
      table.oracle().call("restore", Oracle.args(table.uri()).put("version", theirs));
    }

    @Override
    public String toString() {
      return "restore version " + number;
    }
  }

  /** Removes versions before one. */
  record CleanUp(Content before, long first) implements Change {
    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(before);
    }

    @Override
    public boolean makesVersion() {
      return false;
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      dataset.cleanup(CleanupPolicy.builder().beforeVersion(first).deleteUnverified(true).build());
      return dataset;
    }

    @Override
    public String toString() {
      return "clean up before version " + first;
    }
  }

  /** Writes small files together with the real library; rows move. */
  record CompactTheirs(Content before) implements Change {
    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(before.change(before.fields(), row -> row.withId(Row.UNKNOWN)));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean canBeTheirs() {
      return true;
    }

    @Override
    public void byThem(Theirs table) {
      table.oracle().call("compact", Oracle.args(table.uri()));
    }

    @Override
    public String toString() {
      return "compact";
    }
  }
}
