package dev.lance4j.table.internal;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.table.BasePath;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.SequenceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Between fragments and the messages of them in manifests and transactions. */
final class FragmentMessages {
  private FragmentMessages() {}

  static List<FragmentMetadata> fromMessages(List<TableProto.DataFragment> messages, String path) {
    List<FragmentMetadata> fragments = new ArrayList<>(messages.size());
    SharedList fieldIds = new SharedList();
    SharedList columns = new SharedList();
    for (TableProto.DataFragment message : messages) {
      fragments.add(fromMessage(message, path, fieldIds, columns));
    }
    return fragments;
  }

  static FragmentMetadata fromMessage(TableProto.DataFragment message, String path) {
    return fromMessage(message, path, new SharedList(), new SharedList());
  }

  private static FragmentMetadata fromMessage(
      TableProto.DataFragment message, String path, SharedList fieldIds, SharedList columns) {
    long id = message.getId();
    if (id < 0 || id > FragmentMetadata.MAX_ID) {
      throw new CorruptFileException(
          path, -1, "fragment id " + Long.toUnsignedString(id) + " does not fit in 32 bits");
    }
    String what = "fragment " + id;
    if (message.getOverlaysCount() > 0) {
      throw new UnsupportedFormatException(
          path + ": " + what + " has data overlay files, which need a newer version of Lance4j");
    }
    if (message.hasColumnRowIds()
        || message.hasColumnCreatedAtVersions()
        || message.hasColumnLastUpdatedAtVersions()) {
      throw new UnsupportedFormatException(
          path + ": " + what + " keeps row ids in a column; that needs a newer version of Lance4j");
    }
    long rows = message.getPhysicalRows();
    if (rows < 0 || rows > FragmentMetadata.MAX_ROWS) {
      throw new CorruptFileException(
          path, -1, what + " has " + Long.toUnsignedString(rows) + " rows, which is too many");
    }
    List<DataFile> files = new ArrayList<>(message.getFilesCount());
    for (TableProto.DataFile file : message.getFilesList()) {
      files.add(fromMessage(file, path, fieldIds, columns));
    }
    Optional<DeletionFile> deletionFile =
        message.hasDeletionFile()
            ? Optional.of(fromMessage(message.getDeletionFile(), path, what))
            : Optional.empty();
    return new FragmentMetadata(
        id,
        files,
        deletionFile,
        rows,
        rowIds(message, path),
        lastUpdated(message, path),
        created(message, path));
  }

  private static Optional<SequenceLocation> rowIds(TableProto.DataFragment message, String path) {
    return switch (message.getRowIdSequenceCase()) {
      case INLINE_ROW_IDS -> inline(message.getInlineRowIds());
      case EXTERNAL_ROW_IDS -> external(message.getExternalRowIds(), path);
      case ROWIDSEQUENCE_NOT_SET -> Optional.empty();
    };
  }

  private static Optional<SequenceLocation> lastUpdated(
      TableProto.DataFragment message, String path) {
    return switch (message.getLastUpdatedAtVersionSequenceCase()) {
      case INLINE_LAST_UPDATED_AT_VERSIONS -> inline(message.getInlineLastUpdatedAtVersions());
      case EXTERNAL_LAST_UPDATED_AT_VERSIONS ->
          external(message.getExternalLastUpdatedAtVersions(), path);
      case LASTUPDATEDATVERSIONSEQUENCE_NOT_SET -> Optional.empty();
    };
  }

  private static Optional<SequenceLocation> created(TableProto.DataFragment message, String path) {
    return switch (message.getCreatedAtVersionSequenceCase()) {
      case INLINE_CREATED_AT_VERSIONS -> inline(message.getInlineCreatedAtVersions());
      case EXTERNAL_CREATED_AT_VERSIONS -> external(message.getExternalCreatedAtVersions(), path);
      case CREATEDATVERSIONSEQUENCE_NOT_SET -> Optional.empty();
    };
  }

  private static Optional<SequenceLocation> inline(ByteString bytes) {
    return Optional.of(new SequenceLocation.Inline(bytes));
  }

  private static Optional<SequenceLocation> external(TableProto.ExternalFile file, String path) {
    return Optional.of(
        new SequenceLocation.External(
            Checks.inside(file.getPath(), path, "a sequence"),
            Checks.nonNegative(file.getOffset(), path, "the offset in " + file.getPath()),
            Checks.nonNegative(file.getSize(), path, "the size in " + file.getPath())));
  }

  static DataFile fromMessage(TableProto.DataFile message, String path) {
    return fromMessage(message, path, new SharedList(), new SharedList());
  }

  private static DataFile fromMessage(
      TableProto.DataFile message, String path, SharedList fieldIds, SharedList columns) {
    String file = Checks.inside(message.getPath(), path, "a data file");
    int count = message.getColumnIndicesCount();
    if (count != 0 && count != message.getFieldsCount()) {
      throw new CorruptFileException(
          path,
          -1,
          file + " has " + message.getFieldsCount() + " fields but " + count + " column indices");
    }
    return new DataFile(
        file,
        fieldIds.of(message.getFieldsList()),
        columns.of(message.getColumnIndicesList()),
        message.getFileMajorVersion(),
        message.getFileMinorVersion(),
        Checks.nonNegative(message.getFileSizeBytes(), path, "the size of " + file),
        message.hasBaseId() ? OptionalInt.of(message.getBaseId()) : OptionalInt.empty());
  }

  private static DeletionFile fromMessage(
      TableProto.DeletionFile message, String path, String fragment) {
    DeletionFile.Form form =
        switch (message.getFileType()) {
          case ARROW_ARRAY -> DeletionFile.Form.ARROW_ARRAY;
          case BITMAP -> DeletionFile.Form.BITMAP;
          case UNRECOGNIZED ->
              throw new UnsupportedFormatException(
                  path
                      + ": the deletion file of "
                      + fragment
                      + " has the unknown type "
                      + message.getFileTypeValue());
        };
    return new DeletionFile(
        form,
        message.getReadVersion(),
        message.getId(),
        Checks.nonNegative(message.getNumDeletedRows(), path, "the deletions of " + fragment),
        message.hasBaseId() ? OptionalInt.of(message.getBaseId()) : OptionalInt.empty());
  }

  static List<TableProto.DataFragment> toMessages(List<FragmentMetadata> fragments) {
    List<TableProto.DataFragment> messages = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      messages.add(toMessage(fragment));
    }
    return messages;
  }

  static TableProto.DataFragment toMessage(FragmentMetadata fragment) {
    TableProto.DataFragment.Builder message =
        TableProto.DataFragment.newBuilder()
            .setId(fragment.id())
            .setPhysicalRows(fragment.physicalRows());
    for (DataFile file : fragment.files()) {
      message.addFiles(toMessage(file));
    }
    fragment.deletionFile().ifPresent(file -> message.setDeletionFile(toMessage(file)));
    fragment.rowIds().ifPresent(ids -> setRowIds(message, ids));
    fragment.lastUpdatedVersions().ifPresent(versions -> setLastUpdated(message, versions));
    fragment.createdVersions().ifPresent(versions -> setCreated(message, versions));
    return message.build();
  }

  private static void setRowIds(
      TableProto.DataFragment.Builder message, SequenceLocation location) {
    if (location instanceof SequenceLocation.Inline inline) {
      message.setInlineRowIds(inline.bytes());
    } else {
      message.setExternalRowIds(toMessage((SequenceLocation.External) location));
    }
  }

  private static void setLastUpdated(
      TableProto.DataFragment.Builder message, SequenceLocation location) {
    if (location instanceof SequenceLocation.Inline inline) {
      message.setInlineLastUpdatedAtVersions(inline.bytes());
    } else {
      message.setExternalLastUpdatedAtVersions(toMessage((SequenceLocation.External) location));
    }
  }

  private static void setCreated(
      TableProto.DataFragment.Builder message, SequenceLocation location) {
    if (location instanceof SequenceLocation.Inline inline) {
      message.setInlineCreatedAtVersions(inline.bytes());
    } else {
      message.setExternalCreatedAtVersions(toMessage((SequenceLocation.External) location));
    }
  }

  private static TableProto.ExternalFile toMessage(SequenceLocation.External external) {
    return TableProto.ExternalFile.newBuilder()
        .setPath(external.path())
        .setOffset(external.offset())
        .setSize(external.size())
        .build();
  }

  static TableProto.DataFile toMessage(DataFile file) {
    TableProto.DataFile.Builder message =
        TableProto.DataFile.newBuilder()
            .setPath(file.path())
            .addAllFields(file.fieldIds())
            .addAllColumnIndices(file.columnIndices())
            .setFileMajorVersion(file.majorVersion())
            .setFileMinorVersion(file.minorVersion())
            .setFileSizeBytes(file.sizeBytes());
    file.baseId().ifPresent(message::setBaseId);
    return message.build();
  }

  private static TableProto.DeletionFile toMessage(DeletionFile file) {
    TableProto.DeletionFile.Builder message =
        TableProto.DeletionFile.newBuilder()
            .setFileType(
                switch (file.form()) {
                  case ARROW_ARRAY -> TableProto.DeletionFile.DeletionFileType.ARROW_ARRAY;
                  case BITMAP -> TableProto.DeletionFile.DeletionFileType.BITMAP;
                })
            .setReadVersion(file.readVersion())
            .setId(file.id())
            .setNumDeletedRows(file.deletedRows());
    file.baseId().ifPresent(message::setBaseId);
    return message.build();
  }

  static List<BasePath> basesFromMessages(List<TableProto.BasePath> messages) {
    List<BasePath> bases = new ArrayList<>(messages.size());
    for (TableProto.BasePath message : messages) {
      bases.add(
          new BasePath(
              message.getId(),
              message.hasName() ? Optional.of(message.getName()) : Optional.empty(),
              message.getIsDatasetRoot(),
              message.getPath()));
    }
    return bases;
  }

  static List<TableProto.BasePath> basesToMessages(List<BasePath> bases) {
    List<TableProto.BasePath> messages = new ArrayList<>(bases.size());
    for (BasePath base : bases) {
      TableProto.BasePath.Builder message =
          TableProto.BasePath.newBuilder()
              .setId(base.id())
              .setIsDatasetRoot(base.datasetRoot())
              .setPath(base.path());
      base.name().ifPresent(message::setName);
      messages.add(message.build());
    }
    return messages;
  }
}
