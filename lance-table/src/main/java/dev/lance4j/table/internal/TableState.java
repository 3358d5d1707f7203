package dev.lance4j.table.internal;

import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.TableVersion;
import java.util.List;

/**
 * What a manifest's file says about a table.
 *
 * @param manifest the manifest
 * @param indices the index section
 */
public record TableState(Manifest manifest, List<IndexMetadata> indices) {
  /**
   * What a version says, with index segments that cover rewritten fragments as if they were new.
   */
  public static TableState of(TableVersion version) {
    List<IndexMetadata> indices =
        FragmentReuse.of(version)
            .map(reuse -> reuse.applyTo(version.indices()))
            .orElseGet(version::indices);
    return new TableState(version.manifest(), indices);
  }

  TableState withManifest(Manifest other) {
    return new TableState(other, indices);
  }

  /** The same under another number. */
  public TableState withVersion(long version) {
    return withManifest(manifest.toBuilder().version(version).build());
  }
}
