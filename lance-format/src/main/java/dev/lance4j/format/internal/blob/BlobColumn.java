package dev.lance4j.format.internal.blob;

import dev.lance4j.format.ExternalBlobs;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.schema.LanceField;
import org.apache.arrow.memory.BufferAllocator;

/** Stores the values of one blob column where their size says, and describes where that is. */
public final class BlobColumn {
  private static final String INLINE_BYTES = "lance-encoding:blob-inline-size-threshold";
  private static final String PACKED_BYTES = "lance-encoding:blob-dedicated-size-threshold";
  private static final long DEFAULT_INLINE_BYTES = 64 << 10;
  private static final long DEFAULT_PACKED_BYTES = 4 << 20;

  private final LanceField field;
  private final long inlineBytes;
  private final long packedBytes;
  private final BufferSink dataFile;
  private final Sidecars sidecars;
  private final ExternalBlobs externals;
  private final StoredBlobs storedBlobs;
  private final BufferAllocator allocator;

  /**
   * @param field a blob field, whose metadata may give the largest sizes of values that are stored
   *     in the data file, and in an object with others
   * @param dataFile where small values go
   * @param sidecars where large ones go
   * @param externals says how URIs are recorded
   * @param storedBlobs finds the values that are stored already
   * @throws InvalidInputException if the metadata gives no sizes
   */
  public BlobColumn(
      LanceField field,
      BufferSink dataFile,
      Sidecars sidecars,
      ExternalBlobs externals,
      StoredBlobs storedBlobs,
      BufferAllocator allocator) {
    this.field = field;
    this.inlineBytes = bytes(field, INLINE_BYTES, DEFAULT_INLINE_BYTES, 0);
    this.packedBytes = bytes(field, PACKED_BYTES, DEFAULT_PACKED_BYTES, 1);
    this.dataFile = dataFile;
    this.sidecars = sidecars;
    this.externals = externals;
    this.storedBlobs = storedBlobs;
    this.allocator = allocator;
  }

  private static long bytes(LanceField field, String key, long otherwise, long least) {
    String text = field.metadata().get(key);
    if (text == null) {
      return otherwise;
    }
    try {
      long bytes = Long.parseLong(text.trim());
      if (bytes >= least) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new InvalidInputException(
        String.format(
            "Column '%s' has %s = '%s' in its metadata, which must be a number of bytes from %d on",
            field.name(), key, text, least));
  }

  /**
   * Stores values.
   *
   * @param blobs structs of data and URI, or {@link PendingBlobs}; borrowed
   * @return their descriptors, owned by the caller
   * @throws InvalidInputException if a value is not given by exactly one of data and URI, or has a
   *     URI that may not be referred to
   */
  public ArrayData store(ArrayData blobs) {
    BlobInput input = new BlobInput(blobs, field.name());
    try (StoredValues stored = new StoredValues(input, storedBlobs);
        Descriptors descriptors = new Descriptors(input.rows(), allocator)) {
      for (int row = 0; row < input.rows(); row++) {
        if (input.isNull(row)) {
          descriptors.addNull();
        } else if (input.hasStoredBytes(row)) {
          store(stored.content(row), descriptors);
        } else if (input.isStored(row)) {
          descriptors.add(input.descriptor(row));
        } else if (input.hasData(row)) {
          store(input.data(row), descriptors);
        } else {
          refer(input, row, descriptors);
        }
      }
      return descriptors.finish(blobs.validity(), blobs.nullCount());
    }
  }

  private void store(BlobContent blob, Descriptors descriptors) {
    long size = blob.size();
    if (size > packedBytes) {
      descriptors.add(BlobKind.DEDICATED, 0, size, sidecars.dedicate(blob), "");
    } else if (size > inlineBytes) {
      Sidecars.Place place = sidecars.pack(blob);
      descriptors.add(BlobKind.PACKED, place.position(), size, place.blobId(), "");
    } else if (size > 0) {
      descriptors.add(BlobKind.INLINE, dataFile.write(blob.parts()), size, 0, "");
    } else {
      descriptors.addEmpty();
    }
  }

  private void refer(BlobInput input, int row, Descriptors descriptors) {
    ExternalBlobs.Reference reference = externals.refer(input.uri(row), field.name());
    boolean part = input.hasRange(row);
    descriptors.add(
        BlobKind.EXTERNAL,
        part ? input.position(row) : 0,
        part ? input.size(row) : 0,
        reference.baseId(),
        reference.path());
  }
}
