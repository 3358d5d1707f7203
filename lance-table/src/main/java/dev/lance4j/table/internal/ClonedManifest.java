package dev.lance4j.table.internal;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.table.BasePath;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.SequenceLocation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.WriterVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the first version of a table that shares the files of another one: the other's version
 * under the same number, with its root as a base path of all files that lie there.
 */
public final class ClonedManifest {
  private final TableVersion source;
  private final FragmentSequences sequences;
  private final int baseId;

  private ClonedManifest(TableVersion source) {
    this.source = source;
    this.sequences = new FragmentSequences(source.table());
    this.baseId = freeBaseId(source.manifest().basePaths());
  }

  private static int freeBaseId(List<BasePath> bases) {
    int highest = -1;
    for (BasePath base : bases) {
      if (base.id() == -1) {
        throw new InvalidInputException("The dataset has used up all ids of base paths");
      }
      highest = Integer.compareUnsigned(base.id() + 1, highest + 1) > 0 ? base.id() : highest;
    }
    return highest + 1;
  }

  /**
   * The clone of a version.
   *
   * @param transaction that makes it
   * @param branch the branch that the clone is, if it is one
   * @throws UnsupportedFormatException if the files are of the legacy version
   */
  public static TableState of(
      TableVersion source, Transaction transaction, Optional<String> branch) {
    Manifest manifest = source.manifest();
    if (manifest.storageVersion() == FileVersion.V0_1) {
      throw new UnsupportedFormatException(
          "The files of "
              + source
              + " are of the legacy version 0.1, which is read but not written; write its rows to a"
              + " new dataset instead");
    }
    return new ClonedManifest(source).build(transaction, branch);
  }

  private TableState build(Transaction transaction, Optional<String> branch) {
    TableState repaired = new Repairs(source).apply(TableState.of(source));
    Manifest manifest = repaired.manifest();
    List<BasePath> bases = new ArrayList<>(manifest.basePaths());
    bases.add(new BasePath(baseId, manifest.branch(), true, source.table().uri()));
    Manifest clone =
        manifest.toBuilder()
            .fragments(manifest.fragments().stream().map(this::fragment).toList())
            .basePaths(bases)
            .branch(branch)
            .tag(transaction.tag())
            .timestamp(Instant.now())
            .transactionFile(transaction.fileName())
            .writerVersion(Optional.of(WriterVersion.LANCE4J))
            .dataFormat(Optional.of(manifest.storageVersion()))
            .maxFragmentId(manifest.highestFragmentId())
            .build();
    return new TableState(
        ManifestFlags.compute(clone, manifest.hasStableRowIds()),
        repaired.indices().stream().map(this::index).toList());
  }

  private FragmentMetadata fragment(FragmentMetadata fragment) {
    FragmentMetadata shared = fragment.inBase(baseId);
    if (fragment.rowIds().isPresent()) {
      shared = shared.withRowIds(inline(fragment.rowIds().get()));
    }
    if (fragment.lastUpdatedVersions().isPresent() && fragment.createdVersions().isPresent()) {
      shared =
          shared.withRowVersions(
              inline(fragment.lastUpdatedVersions().get()),
              inline(fragment.createdVersions().get()));
    }
    return shared;
  }

  // A place outside of the manifest is relative to the root of the table and has no base.
  private SequenceLocation inline(SequenceLocation location) {
    return new SequenceLocation.Inline(sequences.bytes(location));
  }

  private IndexMetadata index(IndexMetadata index) {
    return index.baseId().isPresent() ? index : index.withBaseId(baseId);
  }
}
