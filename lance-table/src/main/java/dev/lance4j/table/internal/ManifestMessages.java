package dev.lance4j.table.internal;

import com.google.protobuf.Timestamp;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.schema.SchemaMessages;
import dev.lance4j.table.FeatureFlag;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.WriterVersion;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Between manifests and their messages. */
final class ManifestMessages {
  private static final String FILE_FORMAT = "lance";
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private ManifestMessages() {}

  static Manifest fromMessage(TableProto.Manifest message, String path) {
    FeatureFlag.checkReadable(message.getReaderFeatureFlags(), path);
    if (message.getBlobDatasetVersion() != 0) {
      throw new UnsupportedFormatException(
          path
              + ": the table keeps blobs in a second table, which no supported version of Lance does");
    }
    return Manifest.builder(
            message.getVersion(),
            SchemaMessages.fromMessages(
                message.getFieldsList(), message.getSchemaMetadataMap(), path))
        .fragments(FragmentMessages.fromMessages(message.getFragmentsList(), path))
        .timestamp(instant(message.getTimestamp(), path))
        .tag(message.getTag())
        .flags(message.getReaderFeatureFlags(), message.getWriterFeatureFlags())
        .maxFragmentId(
            message.hasMaxFragmentId()
                ? OptionalLong.of(Integer.toUnsignedLong(message.getMaxFragmentId()))
                : OptionalLong.empty())
        .transactionFile(
            message.getTransactionFile().isEmpty()
                ? ""
                : Checks.inside(message.getTransactionFile(), path, "the transaction"))
        .writerVersion(
            message.hasWriterVersion()
                ? Optional.of(writer(message.getWriterVersion()))
                : Optional.empty())
        .nextRowId(message.getNextRowId())
        .dataFormat(
            message.hasDataFormat()
                ? Optional.of(fileVersion(message.getDataFormat(), path))
                : Optional.empty())
        .config(message.getConfigMap())
        .tableMetadata(message.getTableMetadataMap())
        .basePaths(FragmentMessages.basesFromMessages(message.getBasePathsList()))
        .branch(message.hasBranch() ? Optional.of(message.getBranch()) : Optional.empty())
        .build();
  }

  private static Instant instant(Timestamp timestamp, String path) {
    int nanos = timestamp.getNanos();
    try {
      if (nanos >= 0 && nanos < NANOS_PER_SECOND) {
        return Instant.ofEpochSecond(timestamp.getSeconds(), nanos);
      }
    } catch (DateTimeException e) {
      throw new CorruptFileException(path, -1, "the timestamp is out of range", e);
    }
    throw new CorruptFileException(path, -1, "the timestamp has " + nanos + " nanoseconds");
  }

  private static WriterVersion writer(TableProto.Manifest.WriterVersion message) {
    return new WriterVersion(
        message.getLibrary(),
        message.getVersion(),
        message.hasPrerelease() ? Optional.of(message.getPrerelease()) : Optional.empty(),
        message.hasBuildMetadata() ? Optional.of(message.getBuildMetadata()) : Optional.empty());
  }

  private static FileVersion fileVersion(
      TableProto.Manifest.DataStorageFormat message, String path) {
    if (!message.getFileFormat().equals(FILE_FORMAT)) {
      throw new UnsupportedFormatException(
          path + ": the data files have the format '" + message.getFileFormat() + "'");
    }
    try {
      return FileVersion.parse(message.getVersion());
    } catch (InvalidInputException e) {
      throw new UnsupportedFormatException(path + ": " + e.getMessage(), e);
    }
  }

  /** The fields of the schema only, which come first. */
  static TableProto.Manifest fields(Manifest manifest) {
    return TableProto.Manifest.newBuilder()
        .addAllFields(SchemaMessages.toMessages(manifest.schema()))
        .build();
  }

  /** All but the fields of the schema and the fragments. */
  static TableProto.Manifest withoutFragments(
      Manifest manifest, OptionalLong indexSection, OptionalLong transactionSection) {
    Instant timestamp = manifest.timestamp();
    TableProto.Manifest.Builder message =
        TableProto.Manifest.newBuilder()
            .setVersion(manifest.version())
            .putAllSchemaMetadata(SchemaMessages.toBytes(manifest.schema().metadata()))
            .setTimestamp(
                Timestamp.newBuilder()
                    .setSeconds(timestamp.getEpochSecond())
                    .setNanos(timestamp.getNano()))
            .setTag(manifest.tag())
            .setReaderFeatureFlags(manifest.readerFlags())
            .setWriterFeatureFlags(manifest.writerFlags())
            .setTransactionFile(manifest.transactionFile())
            .setNextRowId(manifest.nextRowId())
            .putAllConfig(manifest.config())
            .putAllTableMetadata(manifest.tableMetadata())
            .addAllBasePaths(FragmentMessages.basesToMessages(manifest.basePaths()));
    manifest.maxFragmentId().ifPresent(id -> message.setMaxFragmentId((int) id));
    manifest.writerVersion().ifPresent(writer -> message.setWriterVersion(toMessage(writer)));
    manifest.dataFormat().ifPresent(version -> message.setDataFormat(toMessage(version)));
    manifest.branch().ifPresent(message::setBranch);
    indexSection.ifPresent(message::setIndexSection);
    transactionSection.ifPresent(message::setTransactionSection);
    return message.build();
  }

  private static TableProto.Manifest.WriterVersion toMessage(WriterVersion writer) {
    TableProto.Manifest.WriterVersion.Builder message =
        TableProto.Manifest.WriterVersion.newBuilder()
            .setLibrary(writer.library())
            .setVersion(writer.version());
    writer.prerelease().ifPresent(message::setPrerelease);
    writer.buildMetadata().ifPresent(message::setBuildMetadata);
    return message.build();
  }

  private static TableProto.Manifest.DataStorageFormat toMessage(FileVersion version) {
    return TableProto.Manifest.DataStorageFormat.newBuilder()
        .setFileFormat(FILE_FORMAT)
        .setVersion(version.toString())
        .build();
  }
}
