package dev.lance4j.interop.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.Dataset;
import dev.lance4j.compaction.CompactionOptions;
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
    public void checkVersions(long before, long after) {
      assertThat(after).isEqualTo(before);
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

  /** Writes small files together; rows move, and keep their ids if those are stable. */
  record Compact(Content before, int targetRows) implements Change {
    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(
          before.variant().stable()
              ? before
              : before.change(before.fields(), row -> row.withId(Row.UNKNOWN)));
    }

    @Override
    public void checkVersions(long before, long after) {
      // Nothing to do, or one version for the new ids and one for the new files.
      assertThat(after - before).isIn(0L, 2L);
    }

    @Override
    public boolean keepsOrder() {
      return false;
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      CompactionOptions options =
          CompactionOptions.builder().targetRowsPerFragment(targetRows).build();
      try (dataset) {
        return dataset.compact(options).dataset();
      }
    }

    @Override
    public boolean canBeTheirs() {
      return true;
    }

    @Override
    public void byThem(Theirs table) {
      table
          .oracle()
          .call("compact", Oracle.args(table.uri()).put("targetRowsPerFragment", targetRows));
    }

    @Override
    public String toString() {
      return "compact with a target of " + targetRows;
    }
  }
}
