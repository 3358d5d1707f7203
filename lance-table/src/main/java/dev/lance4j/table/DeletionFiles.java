package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.internal.ArrowDeletions;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import org.roaringbitmap.RoaringBitmap;

/** Reads and writes the files with the deleted rows of fragments. */
public final class DeletionFiles {
  private DeletionFiles() {}

  /**
   * The deleted rows of a fragment.
   *
   * @param version the version that the fragment is of
   * @throws CorruptFileException if the file is damaged or missing
   */
  public static DeletionVector read(TableVersion version, FragmentMetadata fragment) {
    if (fragment.deletionFile().isEmpty()) {
      return DeletionVector.NONE;
    }
    Manifest manifest = version.manifest();
    long rows =
        manifest.hasReliableRowCounts() && fragment.physicalRows() > 0
            ? fragment.physicalRows()
            : FragmentMetadata.MAX_ROWS;
    DeletionFile file = fragment.deletionFile().get();
    StoreLocation location = version.table().locate(file, fragment.id(), manifest);
    try (ObjectReader reader = location.store().open(location.path())) {
      return parse(readAll(reader), file.form(), location.path(), rows);
    } catch (ObjectNotFoundException e) {
      throw new CorruptFileException(
          location.path(),
          -1,
          "the deletion file is missing, but "
              + version.location().path()
              + " refers to it for fragment "
              + fragment.id(),
          e);
    }
  }

  /**
   * The deleted rows of a fragment; as above.
   *
   * @param session keeps them for the next time
   */
  public static DeletionVector read(
      TableVersion version, FragmentMetadata fragment, Session session) {
    if (fragment.deletionFile().isEmpty()) {
      return DeletionVector.NONE;
    }
    StoreLocation location =
        version.table().locate(fragment.deletionFile().get(), fragment.id(), version.manifest());
    try (Session.Lease<DeletionVector> lease =
        session.acquire(
            new Key(location.store(), location.path()),
            () -> read(version, fragment),
            DeletionVector::memoryBytes)) {
      return lease.value();
    }
  }

  private record Key(ObjectStore store, String path) {}

  private static ByteBuffer readAll(ObjectReader reader) {
    if (reader.size() > Integer.MAX_VALUE) {
      throw new CorruptFileException(
          reader.path(), -1, "a deletion file of " + reader.size() + " bytes");
    }
    return reader.read(0, (int) reader.size());
  }

  /**
   * The deleted rows that the bytes of a file hold.
   *
   * @param path of the file, for errors
   * @param rows the number of rows of the fragment, deleted ones included
   */
  static DeletionVector parse(ByteBuffer bytes, DeletionFile.Form form, String path, long rows) {
    RoaringBitmap offsets =
        switch (form) {
          case ARROW_ARRAY -> ArrowDeletions.parse(bytes, path, rows);
          case BITMAP -> RoaringBytes.parse(bytes, path, 0);
        };
    DeletionVector vector = DeletionVector.of(offsets, form);
    if (vector.last() >= rows) {
      throw new CorruptFileException(
          path,
          -1,
          "row " + vector.last() + " is deleted, but the fragment has only " + rows + " rows");
    }
    return vector;
  }

  /** The bytes of a file. */
  static ByteBuffer bytes(DeletionVector vector) {
    return switch (vector.form()) {
      case ARROW_ARRAY -> ArrowDeletions.write(vector.offsets());
      case BITMAP -> RoaringBytes.toBytes(vector.offsets()).asReadOnlyByteBuffer();
    };
  }

  /**
   * Writes the complete deleted rows of a fragment to a new file.
   *
   * @param readVersion the version that the deletion was computed from
   * @return what to put into the fragment's metadata
   * @throws InvalidInputException if nothing is deleted, or all is: then the fragment has to go
   */
  public static DeletionFile write(
      Table table, FragmentMetadata fragment, long readVersion, DeletionVector vector) {
    if (vector.isEmpty() || vector.cardinality() == fragment.physicalRows()) {
      throw new InvalidInputException(
          "Fragment "
              + fragment.id()
              + " has "
              + vector.cardinality()
              + " deleted rows of "
              + fragment.physicalRows()
              + "; such a fragment has no deletion file");
    }
    if (vector.last() >= fragment.physicalRows()) {
      throw new InvalidInputException(
          "Deletion vector includes rows that aren't in fragment "
              + fragment.id()
              + ": row "
              + vector.last()
              + " of "
              + fragment.physicalRows());
    }
    DeletionFile file =
        new DeletionFile(
            vector.form(),
            readVersion,
            ThreadLocalRandom.current().nextLong(),
            vector.cardinality(),
            OptionalInt.empty());
    table.store().put(table.deletionPath(file.name(fragment.id())), bytes(vector));
    return file;
  }
}
