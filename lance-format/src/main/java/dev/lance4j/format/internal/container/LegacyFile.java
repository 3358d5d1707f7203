package dev.lance4j.format.internal.container;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.legacy.LegacyColumns;
import dev.lance4j.format.internal.legacy.LegacyMetadata;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.proto.table.TableProto.Manifest;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.schema.SchemaMessages;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** A file of version 0.1. */
public final class LegacyFile implements FileContents {
  private final ObjectReader reader;
  private final LegacyMetadata metadata;

  LegacyFile(ObjectReader reader, LegacyMetadata metadata) {
    this.reader = reader;
    this.metadata = metadata;
  }

  @Override
  public FileVersion version() {
    return FileVersion.V0_1;
  }

  @Override
  public long rows() {
    return metadata.rows();
  }

  /** The first row of each batch, and the number of rows. */
  public long[] batchOffsets() {
    return metadata.batchOffsets();
  }

  @Override
  public LanceSchema schema() {
    ByteBuffer bytes = metadata.embeddedManifest();
    if (bytes == null) {
      throw new CorruptFileException(reader.path(), -1, "the file does not record its schema");
    }
    try {
      Manifest manifest = Manifest.parseFrom(bytes);
      return SchemaMessages.fromMessages(
          manifest.getFieldsList(), manifest.getSchemaMetadataMap(), reader.path());
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(reader.path(), -1, "unreadable embedded manifest", e);
    }
  }

  @Override
  public long metadataBytes() {
    return metadata.memoryBytes();
  }

  @Override
  public long[] columnBytes() {
    throw new UnsupportedFormatException(
        reader.path() + " is a file of version 0.1, which does not tell how large its columns are");
  }

  @Override
  public int globalBufferCount() {
    return 0;
  }

  @Override
  public ByteBuffer globalBuffer(int index) {
    throw new InvalidInputException(reader.path() + " is a legacy file without global buffers");
  }

  @Override
  public FileProjection ownSchema(LanceSchema fields, boolean absentAsNull) {
    LanceSchema own = schema();
    int first = own.flatten().stream().mapToInt(LanceField::id).min().orElse(0);
    return projection(
        fields, new LegacyColumns(metadata, first, own.maxFieldId(), reader), absentAsNull);
  }

  /**
   * A projection by a manifest's schema.
   *
   * @param firstField the first field id of the manifest's data file
   * @param lastField the highest one
   * @param schemaFile the manifest's file, which holds the values of dictionary fields
   */
  public FileProjection byManifest(
      LanceSchema fields, int firstField, int lastField, ObjectReader schemaFile) {
    return projection(fields, new LegacyColumns(metadata, firstField, lastField, schemaFile), true);
  }

  private FileProjection projection(
      LanceSchema fields, LegacyColumns columns, boolean absentAsNull) {
    List<Field> arrow = new ArrayList<>(fields.fields().size());
    List<FieldReader> readers = new ArrayList<>(fields.fields().size());
    for (LanceField field : fields.fields()) {
      if (!columns.has(field) && !absentAsNull) {
        throw new InvalidInputException(reader.path() + " has no column '" + field.name() + "'");
      }
      arrow.add(field.toArrow());
      readers.add(
          columns.has(field) ? columns.reader(field) : new NullFieldReader(field.toArrow()));
    }
    return new FileProjection(reader, arrow, readers, metadata.rows());
  }
}
