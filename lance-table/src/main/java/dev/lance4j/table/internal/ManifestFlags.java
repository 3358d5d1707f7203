package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.FeatureFlag;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;

/** Computes the flags of a manifest from what is in it. */
final class ManifestFlags {
  private ManifestFlags() {}

  /**
   * The manifest with its flags set anew.
   *
   * @param stableRowIds whether the table has stable row ids, which it may have without rows
   * @throws InvalidInputException if it has, and a fragment lacks them
   */
  static Manifest compute(Manifest manifest, boolean stableRowIds) {
    long both = 0;
    if (manifest.fragments().stream().anyMatch(f -> f.deletionFile().isPresent())) {
      both |= FeatureFlag.DELETION_FILES.mask();
    }
    if (stableRowIds) {
      both |= FeatureFlag.STABLE_ROW_IDS.mask();
      for (FragmentMetadata fragment : manifest.fragments()) {
        if (fragment.rowIds().isEmpty()) {
          throw new InvalidInputException(
              "All fragments must have row ids, but fragment " + fragment.id() + " has none");
        }
      }
    }
    if (!manifest.basePaths().isEmpty()) {
      both |= FeatureFlag.BASE_PATHS.mask();
    }
    long config = manifest.config().isEmpty() ? 0 : FeatureFlag.TABLE_CONFIG.mask();
    return manifest.toBuilder().flags(both, both | config).build();
  }
}
