package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.container.FileProjection;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.TableVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A data file of a fragment, open for some of its fields. Safe for use by many threads. */
final class OpenDataFile implements AutoCloseable {
  private final LanceFileReader reader;
  private final ObjectReader manifest;
  private final FileProjection projection;

  private OpenDataFile(LanceFileReader reader, ObjectReader manifest, FileProjection projection) {
    this.reader = reader;
    this.manifest = manifest;
    this.projection = projection;
  }

  /**
   * Opens a file.
   *
   * @param fields what to read of it
   * @throws CorruptFileException if the file is damaged or missing
   */
  static OpenDataFile open(TableVersion version, DataFile file, List<LanceField> fields) {
    LanceSchema schema = new LanceSchema(fields, Map.of());
    LanceFileReader reader = openReader(version, file);
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
      return new OpenDataFile(reader, manifest, projection);
    } finally {
      if (!complete) {
        close(reader, manifest);
      }
    }
  }

  private static LanceFileReader openReader(TableVersion version, DataFile file) {
    StoreLocation location = version.table().locate(file, version.manifest());
    try {
      return file.sizeBytes() > 0
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

  FileProjection projection() {
    return projection;
  }

  @Override
  public void close() {
    close(reader, manifest);
  }

  private static void close(LanceFileReader reader, ObjectReader manifest) {
    try (reader) {
      if (manifest != null) {
        manifest.close();
      }
    }
  }
}
