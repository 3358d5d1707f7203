package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.blob.BlobDescriptor;
import dev.lance4j.format.internal.blob.StoredBlob;
import dev.lance4j.format.internal.blob.StoredBlobs;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;

/** Finds the blobs of one version of a table. */
public final class TableBlobs implements StoredBlobs {
  private final Scan.Source source;

  public TableBlobs(Scan.Source source) {
    this.source = source;
  }

  @Override
  public StoredBlob find(int fieldId, long fragmentId, BlobDescriptor descriptor) {
    Manifest manifest = source.version().manifest();
    FragmentMetadata fragment = manifest.fragment(fragmentId).orElseThrow();
    LanceField field =
        manifest.schema().fields().stream()
            .filter(each -> each.id() == fieldId)
            .findFirst()
            .orElseThrow();
    BlobLocation blob = BlobLocation.of(source, fragment, field, descriptor);
    return new StoredBlob(blob.object().value(), blob.start(), blob.size(), blob.object()::close);
  }
}
