package dev.lance4j.format.internal.container;

import com.google.protobuf.ByteString;
import dev.lance4j.format.ExternalBlobs;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.blob.BlobColumn;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.Sidecars;
import dev.lance4j.format.internal.blob.StoredBlobs;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.proto.file.FileDescriptor;
import dev.lance4j.format.proto.file.Schema;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.schema.SchemaMessages;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;

/** Puts the pages of all columns, the global buffers and the metadata into one file. */
public final class FileAssembler implements AutoCloseable {
  private static final long MAX_BATCH_ROWS = 0xFFFFFFFFL;

  private final FileVersion version;
  // With blobs as they are stored.
  private final LanceSchema schema;
  private final Map<String, ByteString> metadata;
  private final ObjectWriter out;
  private final PaddedSink sink;
  private final Sidecars sidecars;
  // By column; null where there are no blobs.
  private final List<BlobColumn> blobs = new ArrayList<>();
  private final List<FieldWriter> writers = new ArrayList<>();
  private final List<long[]> globalBuffers = new ArrayList<>();
  private long rows;

  /**
   * @param allocator for rows that wait to be written
   * @param limits how large pages get, from version 2.1 on
   */
  public FileAssembler(
      ObjectStore store,
      String path,
      LanceSchema schema,
      FileVersion version,
      BufferAllocator allocator,
      PageLimits limits) {
    this(store, path, schema, version, allocator, limits, ExternalBlobs.ABSOLUTE, StoredBlobs.NONE);
  }

  /**
   * @param allocator for rows that wait to be written
   * @param limits how large pages get, from version 2.1 on
   * @param externals how blobs that are given by URIs are recorded
   * @param storedBlobs finds blobs that are to be written anew
   */
  public FileAssembler(
      ObjectStore store,
      String path,
      LanceSchema schema,
      FileVersion version,
      BufferAllocator allocator,
      PageLimits limits,
      ExternalBlobs externals,
      StoredBlobs storedBlobs) {
    if (version == FileVersion.V0_1 || version == FileVersion.V2_3) {
      throw new UnsupportedFormatException(
          "Files of version " + version + " are not written; choose 2.0, 2.1 or 2.2");
    }
    if (schema.fields().isEmpty()) {
      throw new InvalidInputException("The schema has no fields; a file needs at least one");
    }
    BlobV2Fields.requireWritable(schema, version);
    this.version = version;
    this.schema = BlobV2Fields.described(schema);
    this.metadata = new TreeMap<>(SchemaMessages.toBytes(schema.metadata()));
    this.out = store.create(path);
    this.sink = new PaddedSink(out);
    this.sidecars = new Sidecars(store, path);
    boolean complete = false;
    try {
      for (LanceField field : schema.fields()) {
        blobs.add(
            BlobV2Fields.isBlob(field)
                ? new BlobColumn(field, sink, sidecars, externals, storedBlobs, allocator)
                : null);
      }
      for (LanceField field : this.schema.fields()) {
        writers.add(PageFormats.writer(version, field.toArrow(), allocator, sink, limits));
      }
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  public void append(List<ArrayData> arrays, int count) {
    if (count == 0) {
      return;
    }
    if (rows + count > MAX_BATCH_ROWS) {
      throw new InvalidInputException("A Lance file holds at most 2^32 - 1 rows; start another");
    }
    for (int i = 0; i < writers.size(); i++) {
      append(writers.get(i), blobs.get(i), arrays.get(i));
    }
    rows += count;
  }

  private static void append(FieldWriter writer, BlobColumn blobs, ArrayData values) {
    if (blobs == null) {
      writer.append(values);
      return;
    }
    try (ArrayData descriptors = blobs.store(values)) {
      writer.append(descriptors);
    }
  }

  public int addGlobalBuffer(ByteBuffer bytes) {
    long size = bytes.remaining();
    globalBuffers.add(new long[] {sink.write(bytes.slice()), size});
    return globalBuffers.size();
  }

  public void addMetadata(String key, ByteString value) {
    metadata.put(key, value);
  }

  public long rows() {
    return rows;
  }

  public long position() {
    return sink.position();
  }

  /** Writes the rest and makes the file visible; returns its size in bytes. */
  public long finish() {
    List<ColumnMetadata> columns = new ArrayList<>();
    for (FieldWriter writer : writers) {
      writer.finish();
      columns.addAll(writer.columns());
    }
    long descriptorStart = sink.position();
    byte[] descriptor = descriptor().toByteArray();
    sink.writeUnpadded(ByteBuffer.wrap(descriptor));
    long metadataStart = sink.position();
    ByteBuffer columnTable = table(columns.size());
    for (ColumnMetadata column : columns) {
      byte[] bytes = column.toByteArray();
      columnTable.putLong(sink.position()).putLong(bytes.length);
      sink.writeUnpadded(ByteBuffer.wrap(bytes));
    }
    ByteBuffer bufferTable = table(globalBuffers.size() + 1);
    bufferTable.putLong(descriptorStart).putLong(descriptor.length);
    globalBuffers.forEach(buffer -> bufferTable.putLong(buffer[0]).putLong(buffer[1]));
    writeEnd(metadataStart, columnTable.flip(), columns.size(), bufferTable.flip());
    sidecars.complete();
    out.commit();
    sidecars.keep();
    return out.position();
  }

  private FileDescriptor descriptor() {
    return FileDescriptor.newBuilder()
        .setSchema(
            Schema.newBuilder()
                .addAllFields(SchemaMessages.toMessages(schema))
                .putAllMetadata(metadata))
        .setLength(rows)
        .build();
  }

  private static ByteBuffer table(int entries) {
    return ByteBuffer.allocate(Math.multiplyExact(entries, Footer.ENTRY_SIZE))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private void writeEnd(
      long metadataStart, ByteBuffer columnTable, int columns, ByteBuffer bufferTable) {
    long columnTableStart = sink.position();
    sink.writeUnpadded(columnTable);
    long bufferTableStart = sink.position();
    int buffers = bufferTable.remaining() / Footer.ENTRY_SIZE;
    sink.writeUnpadded(bufferTable);
    ByteBuffer footer = ByteBuffer.allocate(Footer.SIZE);
    new Footer(metadataStart, columnTableStart, bufferTableStart, buffers, columns, version)
        .writeTo(footer);
    sink.writeUnpadded(footer.flip());
    sink.flush();
  }

  @Override
  public void close() {
    writers.forEach(FieldWriter::close);
    try (out) {
      sidecars.close();
    }
  }
}
