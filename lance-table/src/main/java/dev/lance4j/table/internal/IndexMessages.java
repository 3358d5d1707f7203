package dev.lance4j.table.internal;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexFile;
import dev.lance4j.table.IndexMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/** Between index segments and the messages of them in manifests and transactions. */
final class IndexMessages {
  private static final int UUID_BYTES = 16;

  private IndexMessages() {}

  static List<IndexMetadata> fromMessages(List<TableProto.IndexMetadata> messages, String path) {
    List<IndexMetadata> indices = new ArrayList<>(messages.size());
    for (TableProto.IndexMetadata message : messages) {
      indices.add(fromMessage(message, path));
    }
    return indices;
  }

  static IndexMetadata fromMessage(TableProto.IndexMetadata message, String path) {
    ByteString fragments = message.getFragmentBitmap();
    if (!fragments.isEmpty()) {
      RoaringBytes.parse(fragments.asReadOnlyByteBuffer(), path, -1);
    }
    return new IndexMetadata(
        uuid(message.hasUuid() ? message.getUuid() : null, path),
        message.getFieldsList(),
        message.getName(),
        message.getDatasetVersion(),
        fragments,
        message.hasIndexDetails()
            ? Optional.of(details(message.getIndexDetails()))
            : Optional.empty(),
        message.hasIndexVersion() ? OptionalInt.of(message.getIndexVersion()) : OptionalInt.empty(),
        message.hasCreatedAt() ? OptionalLong.of(message.getCreatedAt()) : OptionalLong.empty(),
        message.hasBaseId() ? OptionalInt.of(message.getBaseId()) : OptionalInt.empty(),
        files(message.getFilesList(), path),
        message.getUnknownFields());
  }

  static List<IndexFile> files(List<TableProto.IndexFile> messages, String path) {
    List<IndexFile> files = new ArrayList<>(messages.size());
    for (TableProto.IndexFile file : messages) {
      files.add(
          new IndexFile(
              Checks.inside(file.getPath(), path, "a file of an index"),
              Checks.nonNegative(file.getSizeBytes(), path, "the size of " + file.getPath())));
    }
    return files;
  }

  static List<TableProto.IndexFile> files(List<IndexFile> files) {
    List<TableProto.IndexFile> messages = new ArrayList<>(files.size());
    for (IndexFile file : files) {
      messages.add(
          TableProto.IndexFile.newBuilder()
              .setPath(file.path())
              .setSizeBytes(file.sizeBytes())
              .build());
    }
    return messages;
  }

  static UUID uuid(TableProto.UUID message, String path) {
    if (message == null || message.getUuid().size() != UUID_BYTES) {
      throw new CorruptFileException(path, -1, "a UUID is missing or not 16 bytes long");
    }
    ByteBuffer bytes = message.getUuid().asReadOnlyByteBuffer();
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  static TableProto.UUID toMessage(UUID uuid) {
    ByteBuffer bytes = ByteBuffer.allocate(UUID_BYTES);
    bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    return TableProto.UUID.newBuilder().setUuid(ByteString.copyFrom(bytes.flip())).build();
  }

  static IndexDetails details(Any message) {
    return new IndexDetails(message.getTypeUrl(), message.getValue());
  }

  static Any toMessage(IndexDetails details) {
    return Any.newBuilder().setTypeUrl(details.typeUrl()).setValue(details.value()).build();
  }

  static List<TableProto.IndexMetadata> toMessages(List<IndexMetadata> indices) {
    List<TableProto.IndexMetadata> messages = new ArrayList<>(indices.size());
    for (IndexMetadata index : indices) {
      messages.add(toMessage(index));
    }
    return messages;
  }

  static TableProto.IndexMetadata toMessage(IndexMetadata index) {
    TableProto.IndexMetadata.Builder message =
        TableProto.IndexMetadata.newBuilder()
            .setUuid(toMessage(index.uuid()))
            .addAllFields(index.fieldIds())
            .setName(index.name())
            .setDatasetVersion(index.datasetVersion())
            .setFragmentBitmap(index.fragmentBytes());
    index.details().ifPresent(details -> message.setIndexDetails(toMessage(details)));
    index.indexVersion().ifPresent(message::setIndexVersion);
    index.createdAtMillis().ifPresent(message::setCreatedAt);
    index.baseId().ifPresent(message::setBaseId);
    return message.addAllFiles(files(index.files())).setUnknownFields(index.unknown()).build();
  }
}
