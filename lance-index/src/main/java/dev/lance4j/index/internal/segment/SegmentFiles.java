package dev.lance4j.index.internal.segment;

import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.index.vector.internal.storage.CodeFile;
import dev.lance4j.table.IndexFile;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The files of one segment.
 *
 * @param location of the segment's directory
 * @param metadata of the segment
 * @param field that is indexed
 * @param session keeps what is read of the files
 */
public record SegmentFiles(
    StoreLocation location, IndexMetadata metadata, LanceField field, Session session) {

  /** The files of a segment of a version. */
  public static SegmentFiles of(
      TableVersion version, IndexMetadata metadata, LanceField field, Session session) {
    StoreLocation location = version.table().locate(metadata, version.manifest());
    return new SegmentFiles(location, metadata, field, session);
  }

  /** The path of a file, for errors too. */
  public String path(String name) {
    return location.path() + '/' + name;
  }

  /**
   * Opens a file.
   *
   * @throws dev.lance4j.format.store.ObjectNotFoundException if there is none
   * @throws dev.lance4j.format.CorruptFileException if it is damaged
   */
  public LanceFileReader open(String name) {
    ObjectStore store = location.store();
    OptionalLong size =
        metadata.files().stream()
            .filter(file -> file.path().equals(name))
            .mapToLong(IndexFile::sizeBytes)
            .findFirst();
    return size.isPresent()
        ? LanceFileReader.open(store, path(name), size.getAsLong())
        : LanceFileReader.open(store, path(name));
  }

  /**
   * Whether the rows of the segment were live in the fragments that it covers when it was written.
   * Other writers merge segments of tables with stable row ids without making sure of that.
   *
   * @throws dev.lance4j.format.CorruptFileException if the segment is damaged
   */
  public boolean hasLiveRowsOnly() {
    record Key(ObjectStore store, String path) {}
    try (Session.Lease<Boolean> lease =
        session.acquire(
            new Key(location.store(), location.path()), this::readLiveRowsOnly, known -> 1)) {
      return lease.value();
    }
  }

  private boolean readLiveRowsOnly() {
    Optional<String> name =
        names().stream()
            .filter(each -> each.endsWith(".lance") || each.equals(CodeFile.NAME))
            .findFirst();
    if (name.isEmpty()) {
      return false;
    }
    try (LanceFileReader file = open(name.get())) {
      return Boolean.parseBoolean(file.metadata().get(SegmentWriter.LIVE_ROWS));
    }
  }

  /** The names of the files, listed where the metadata does not have them. */
  public List<String> names() {
    if (!metadata.files().isEmpty()) {
      return metadata.files().stream().map(IndexFile::path).toList();
    }
    List<String> found = new ArrayList<>();
    location
        .store()
        .list(
            location.path(),
            name -> {
              found.add(name);
              return true;
            });
    return found;
  }

  /** Whether there is a file of a name. */
  public boolean has(String name) {
    return names().contains(name);
  }

  /** The size of all files in bytes, if the metadata has it. */
  public Optional<Long> bytes() {
    return metadata.files().isEmpty()
        ? Optional.empty()
        : Optional.of(metadata.files().stream().mapToLong(IndexFile::sizeBytes).sum());
  }
}
