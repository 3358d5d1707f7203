package dev.lance4j.scan.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.blob.BlobDescriptor;
import dev.lance4j.format.internal.blob.BlobKind;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Session;

/**
 * Where the bytes of a blob are.
 *
 * @param object the object that they are in, open
 * @param start where they begin
 * @param size how many they are
 */
public record BlobLocation(Session.Lease<ObjectReader> object, long start, long size) {
  /**
   * @param object taken over when the blob is in it
   * @throws CorruptFileException if the object ends before the blob does
   */
  public BlobLocation {
    ObjectReader reader = object.value();
    if (start < 0 || size < 0 || start > reader.size() - size) {
      throw new CorruptFileException(
          reader.path(),
          -1,
          String.format(
              "a blob of %s bytes at %s is not inside the object, which has %d bytes",
              Long.toUnsignedString(size), Long.toUnsignedString(start), reader.size()));
    }
  }

  /** A blob in the data file of its field. */
  public static BlobLocation inline(
      Scan.Source source, FragmentMetadata fragment, LanceField field, long start, long size) {
    return of(
        FragmentReader.openObject(source.version(), fragment, field, source.session()),
        start,
        size);
  }

  /**
   * A blob by its descriptor.
   *
   * @param fragment which the row of the blob is in
   * @throws CorruptFileException if there is no such object
   * @throws UnsupportedFormatException if the descriptor is of an unknown kind
   */
  public static BlobLocation of(
      Scan.Source source, FragmentMetadata fragment, LanceField field, BlobDescriptor blob) {
    BlobKind kind =
        BlobKind.of(blob.kind())
            .orElseThrow(
                () ->
                    new UnsupportedFormatException(
                        String.format(
                            "Column '%s' of %s has a blob of kind %d; known are 0 to 3",
                            field.name(), source.version(), blob.kind())));
    return switch (kind) {
      case INLINE ->
          inline(source, fragment, field, blob.size() == 0 ? 0 : blob.position(), blob.size());
      case PACKED -> of(sidecar(source, fragment, field, blob), blob.position(), blob.size());
      case DEDICATED -> of(sidecar(source, fragment, field, blob), 0, blob.size());
      case EXTERNAL -> external(source, blob);
    };
  }

  private static Session.Lease<ObjectReader> sidecar(
      Scan.Source source, FragmentMetadata fragment, LanceField field, BlobDescriptor blob) {
    return FragmentReader.openSidecar(
        source.version(), fragment, field, blob.blobId(), source.session());
  }

  private static BlobLocation external(Scan.Source source, BlobDescriptor blob) {
    Session.Lease<ObjectReader> object =
        FragmentReader.openExternal(source.version(), blob.blobId(), blob.uri(), source.session());
    // Size 0 stands for the whole object.
    long size = blob.size() == 0 ? object.value().size() : blob.size();
    return of(object, blob.position(), size);
  }

  private static BlobLocation of(Session.Lease<ObjectReader> object, long start, long size) {
    try {
      return new BlobLocation(object, start, size);
    } catch (RuntimeException | Error e) {
      object.close();
      throw e;
    }
  }
}
