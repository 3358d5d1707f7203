package dev.lance4j.table;

import dev.lance4j.table.internal.TableFile;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The files that a version consists of, by their path below the table's root. Files in other bases
 * count as if they were here: names are random, so that this can only save a file.
 */
final class VersionFiles {
  private VersionFiles() {}

  /** Visits the files, some of them more than once. */
  static void visit(TableVersion version, Consumer<String> visitor) {
    Manifest manifest = version.manifest();
    for (FragmentMetadata fragment : manifest.fragments()) {
      for (DataFile file : fragment.files()) {
        visitor.accept(TableFile.data(file.path()));
      }
      if (fragment.deletionFile().isPresent()) {
        visitor.accept(TableFile.deletions(fragment.deletionFile().get().name(fragment.id())));
      }
      visitSequence(fragment.rowIds(), visitor);
      visitSequence(fragment.createdVersions(), visitor);
      visitSequence(fragment.lastUpdatedVersions(), visitor);
    }
    for (IndexMetadata index : version.indices()) {
      visitor.accept(TableFile.index(index.uuid()));
    }
    if (!manifest.transactionFile().isEmpty()) {
      visitor.accept(TableFile.transaction(manifest.transactionFile()));
    }
  }

  private static void visitSequence(Optional<SequenceLocation> sequence, Consumer<String> visitor) {
    if (sequence.isPresent() && sequence.get() instanceof SequenceLocation.External external) {
      visitor.accept(external.path());
    }
  }
}
