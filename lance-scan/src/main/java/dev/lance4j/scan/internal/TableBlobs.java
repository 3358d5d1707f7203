package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.blob.BlobDescriptor;
import dev.lance4j.format.internal.blob.StoredBlob;
import dev.lance4j.format.internal.blob.StoredBlobs;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;

/** Finds the blobs of one version of a table. */
public final class TableBlobs implements StoredBlobs {
  private final Scan.Source source;

  public TableBlobs(Scan.Source source) {
    this.source = source;
  }

  @Override
  public StoredBlob find(LanceField field, long fragmentId, BlobDescriptor descriptor) {
    FragmentMetadata fragment = source.version().manifest().fragment(fragmentId).orElseThrow();
    BlobLocation blob = BlobLocation.of(source, fragment, field, descriptor);
    return new StoredBlob(blob.object().value(), blob.start(), blob.size(), blob.object()::close);
  }
}
