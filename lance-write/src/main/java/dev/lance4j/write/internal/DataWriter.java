package dev.lance4j.write.internal;

import dev.lance4j.format.ExternalBlobs;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.blob.StoredBlobs;
import dev.lance4j.format.internal.container.ColumnLayout;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.TableBlobs;
import dev.lance4j.table.BasePath;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.Table;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.InsertOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Writes rows to new data files of a table, one fragment for each. The files of a writer that is
 * closed before it finished are removed.
 */
public final class DataWriter implements AutoCloseable {
  private final Table table;
  private final LanceSchema schema;
  private final FileVersion version;
  private final InsertOptions options;
  private final ExternalBlobs externalBlobs;
  private final StoredBlobs storedBlobs;
  private final List<Field> arrayFields;
  private final List<Integer> fieldIds;
  private final List<Integer> columns;
  private final List<FragmentMetadata> written = new ArrayList<>();
  private LanceFileWriter file;
  private String fileName;
  private boolean finished;

  /**
   * @param schema of the rows, with the table's field ids
   */
  public DataWriter(Table table, LanceSchema schema, FileVersion version, InsertOptions options) {
    this(table, schema, version, List.of(), options);
  }

  /**
   * @param schema of the rows, with the table's field ids
   * @param bases of the table, below which blobs may lie
   * @throws SchemaMismatchException if the version has blobs of another kind
   */
  public DataWriter(
      Table table,
      LanceSchema schema,
      FileVersion version,
      List<BasePath> bases,
      InsertOptions options) {
    this(table, schema, version, bases, StoredBlobs.NONE, schema, options);
  }

  private DataWriter(
      Table table,
      LanceSchema schema,
      FileVersion version,
      List<BasePath> bases,
      StoredBlobs storedBlobs,
      LanceSchema arrays,
      InsertOptions options) {
    InputSchemas.requireBlobsOf(version, schema);
    this.table = table;
    this.schema = schema;
    this.version = version;
    this.options = options;
    this.externalBlobs = new ExternalReferences(bases, options.externalBlobs());
    this.storedBlobs = storedBlobs;
    this.arrayFields = arrays.toArrow().getFields();
    int[] ids = ColumnLayout.fields(schema, version);
    this.fieldIds = IntStream.of(ids).boxed().toList();
    this.columns = IntStream.range(0, ids.length).boxed().toList();
  }

  /**
   * A writer of rows of a version, which are written anew. Its blobs come as {@link PendingBlobs}.
   *
   * @param schema of the rows, with the table's field ids
   */
  public static DataWriter rewriting(
      Scan.Source source, LanceSchema schema, InsertOptions options) {
    Manifest manifest = source.version().manifest();
    return new DataWriter(
        source.version().table(),
        schema,
        manifest.storageVersion(),
        manifest.basePaths(),
        new TableBlobs(source),
        PendingBlobs.of(schema),
        options);
  }

  /** Writes all batches; columns of JSON text are turned into what tables store. */
  public void writeAll(BatchSource source) {
    try (JsonTextColumns rows = new JsonTextColumns(source, options.allocator())) {
      for (VectorSchemaRoot batch = rows.next(); batch != null; batch = rows.next()) {
        write(batch, rows.dictionaries());
      }
    }
  }

  private void write(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    List<ArrayData> arrays = FieldArrays.of(schema, batch, dictionaries);
    try {
      write(arrays, batch.getRowCount());
    } finally {
      arrays.forEach(ArrayData::close);
    }
  }

  /**
   * Writes rows.
   *
   * @param arrays one for each column of the schema, borrowed
   * @param rows their length
   */
  public void write(List<ArrayData> arrays, int rows) {
    int start = 0;
    while (start < rows) {
      if (file == null) {
        fileName = DataFileNames.next();
        file =
            LanceFileWriter.create(
                table.store(),
                table.dataPath(fileName),
                schema,
                version,
                externalBlobs,
                storedBlobs,
                options.allocator());
      }
      int count = (int) Math.min(rows - start, options.maxRowsPerFile() - file.rowCount());
      if (count == rows) {
        file.write(arrays, rows);
      } else {
        writePart(arrays, start, count);
      }
      start += count;
      if (file.rowCount() >= options.maxRowsPerFile()
          || file.bytesWritten() >= options.maxBytesPerFile()) {
        finishFile();
      }
    }
  }

  private void writePart(List<ArrayData> arrays, int start, int count) {
    int[] positions = IntStream.range(start, start + count).toArray();
    List<ArrayData> part = new ArrayList<>(arrays.size());
    try {
      for (int i = 0; i < arrays.size(); i++) {
        part.add(
            ArrayGather.gather(arrayFields.get(i), arrays.get(i), positions, options.allocator()));
      }
      file.write(part, count);
    } finally {
      part.forEach(ArrayData::close);
    }
  }

  private void finishFile() {
    long rows = file.rowCount();
    long size;
    try (LanceFileWriter closing = file) {
      size = closing.finish();
    }
    file = null;
    written.add(
        FragmentMetadata.of(
            List.of(DataFile.of(fileName, fieldIds, columns, version, size)), rows));
  }

  /**
   * Completes the last file.
   *
   * @return the new fragments, with id 0; none when there were no rows
   */
  public List<FragmentMetadata> finish() {
    if (file != null) {
      finishFile();
    }
    finished = true;
    return List.copyOf(written);
  }

  @Override
  public void close() {
    if (finished) {
      return;
    }
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      WrittenFiles.remove(table, written);
    }
  }
}
