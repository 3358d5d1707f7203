package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.container.FileProjection;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A data file of a fragment, open for some of its fields. Safe for use by many threads. */
final class OpenDataFile implements AutoCloseable {
  private final Session.Lease<LanceFileReader> lease;
  private final LanceFileReader reader;
  private final ObjectReader manifest;
  private final FileProjection projection;

  private OpenDataFile(
      Session.Lease<LanceFileReader> lease, ObjectReader manifest, FileProjection projection) {
    this.lease = lease;
    this.reader = lease.value();
    this.manifest = manifest;
    this.projection = projection;
  }

  /**
   * Opens a file.
   *
   * @param fields what to read of it
   * @param session keeps the file open
   * @throws CorruptFileException if the file is damaged or missing
   */
  static OpenDataFile open(
      TableVersion version, DataFile file, List<LanceField> fields, Session session) {
    LanceSchema schema = new LanceSchema(fields, Map.of());
    StoreLocation location = version.table().locate(file, version.manifest());
    Session.Lease<LanceFileReader> lease =
        session.acquire(
            new Key(location.store(), location.path()),
            () -> openReader(location, version, file),
            LanceFileReader::metadataBytes);
    LanceFileReader reader = lease.value();
    ObjectReader manifest = null;
    boolean complete = false;
    try {
      FileProjection projection;
      if (reader.version() == FileVersion.V0_1) {
        manifest = version.table().store().open(version.location().path());
        projection = legacyProjection(reader, file, schema, manifest);
      } else {
        projection = reader.projection(schema, columns(file, reader.path()));
      }
      complete = true;
      return new OpenDataFile(lease, manifest, projection);
    } finally {
      if (!complete) {
        close(lease, manifest);
      }
    }
  }

  /** Data files never change, so that store and path identify what is in one. */
  private record Key(ObjectStore store, String path) {}

  private static LanceFileReader openReader(
      StoreLocation location, TableVersion version, DataFile file) {
    try {
      boolean sizeKnown = file.sizeBytes() > 0 && file.fileVersion() != FileVersion.V0_1;
      return sizeKnown
          ? LanceFileReader.open(location.store(), location.path(), file.sizeBytes())
          : LanceFileReader.open(location.store(), location.path());
    } catch (ObjectNotFoundException e) {
      throw new CorruptFileException(
          location.path(),
          -1,
          "the data file is missing, but " + version.location().path() + " refers to it",
          e);
    }
  }

  private static FileProjection legacyProjection(
      LanceFileReader reader, DataFile file, LanceSchema schema, ObjectReader manifest) {
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (int id : file.fieldIds()) {
      if (id >= 0) {
        first = Math.min(first, id);
        last = Math.max(last, id);
      }
    }
    return reader.legacyProjection(schema, first, last, manifest);
  }

  private static Map<Integer, Integer> columns(DataFile file, String path) {
    if (file.columnIndices().size() != file.fieldIds().size()) {
      throw new CorruptFileException(
          path, -1, "the manifest does not say which columns of the file hold its fields");
    }
    Map<Integer, Integer> columns = new HashMap<>();
    for (int i = 0; i < file.fieldIds().size(); i++) {
      int column = file.columnIndices().get(i);
      if (file.fieldIds().get(i) >= 0 && column >= 0) {
        columns.put(file.fieldIds().get(i), column);
      }
    }
    return columns;
  }

  String path() {
    return reader.path();
  }

  long rows() {
    return reader.rowCount();
  }

  /** The bytes that each field takes in this file, by field id. */
  Map<Integer, Long> fieldBytes(DataFile file) {
    long[] bytes = reader.columnBytes();
    Map<Integer, Long> byField = new HashMap<>();
    columns(file, path())
        .forEach(
            (field, column) -> {
              if (column < bytes.length) {
                byField.put(field, bytes[column]);
              }
            });
    return byField;
  }

  FileProjection projection() {
    return projection;
  }

  @Override
  public void close() {
    close(lease, manifest);
  }

  private static void close(Session.Lease<LanceFileReader> lease, ObjectReader manifest) {
    try (lease) {
      if (manifest != null) {
        manifest.close();
      }
    }
  }
}
