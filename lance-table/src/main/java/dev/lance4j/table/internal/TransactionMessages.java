package dev.lance4j.table.internal;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.proto.table.TransactionProto;
import dev.lance4j.format.schema.SchemaMessages;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/** Between transactions and their bytes. */
public final class TransactionMessages {
  private static final int FIRST_UNKNOWN_OPERATION = 115;
  private static final int LAST_UNKNOWN_OPERATION = 199;

  private final String path;

  private TransactionMessages(String path) {
    this.path = path;
  }

  /**
   * Parses a transaction.
   *
   * @param path where the bytes are from, for errors
   * @throws CorruptFileException if the bytes are no transaction
   * @throws UnsupportedFormatException if its operation is one that this version does not know
   */
  public static Transaction parse(ByteBuffer bytes, String path) {
    try {
      return fromMessage(TransactionProto.Transaction.parseFrom(bytes), path);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, "the transaction is damaged: " + e.getMessage(), e);
    }
  }

  /** The bytes of a transaction; equal transactions have equal bytes. */
  public static byte[] toBytes(Transaction transaction) {
    return ManifestFile.toBytes(toMessage(transaction));
  }

  static TransactionProto.Transaction toMessage(Transaction transaction) {
    TransactionProto.Transaction.Builder message =
        TransactionProto.Transaction.newBuilder()
            .setReadVersion(transaction.readVersion())
            .setUuid(transaction.uuid())
            .setTag(transaction.tag())
            .putAllTransactionProperties(transaction.properties());
    return transaction.operation().accept(new OperationWriter(message)).build();
  }

  static Transaction fromMessage(TransactionProto.Transaction message, String path) {
    return new TransactionMessages(path).fromMessage(message);
  }

  private Transaction fromMessage(TransactionProto.Transaction message) {
    return new Transaction(
        message.getReadVersion(),
        message.getUuid(),
        operation(message),
        message.getTag(),
        message.getTransactionPropertiesMap());
  }

  private Operation operation(TransactionProto.Transaction message) {
    return switch (message.getOperationCase()) {
      case APPEND -> new Operation.Append(fragments(message.getAppend().getFragmentsList()));
      case DELETE -> delete(message.getDelete());
      case OVERWRITE -> overwrite(message.getOverwrite());
      case CREATE_INDEX -> createIndex(message.getCreateIndex());
      case REWRITE -> rewrite(message.getRewrite());
      case MERGE -> merge(message.getMerge());
      case RESTORE -> new Operation.Restore(message.getRestore().getVersion());
      case RESERVE_FRAGMENTS ->
          new Operation.ReserveFragments(message.getReserveFragments().getNumFragments());
      case UPDATE -> update(message.getUpdate());
      case PROJECT ->
          new Operation.Project(
              SchemaMessages.fromMessages(message.getProject().getSchemaList(), Map.of(), path));
      case UPDATE_CONFIG -> ConfigMessages.fromMessage(message.getUpdateConfig(), path);
      case DATA_REPLACEMENT -> dataReplacement(message.getDataReplacement());
      case UPDATE_MEM_WAL_STATE ->
          new Operation.UpdateMemWalState(
              message.getUpdateMemWalState().getMergedGenerationsList());
      case CLONE -> cloneTable(message.getClone());
      case UPDATE_BASES ->
          new Operation.UpdateBases(
              FragmentMessages.basesFromMessages(message.getUpdateBases().getNewBasesList()));
      case DATA_OVERLAY -> throw unsupported("DataOverlay");
      case COMPOSITE_OPERATION -> throw unsupported("116");
      case OPERATION_NOT_SET -> throw missing(message);
    };
  }

  private UnsupportedFormatException unsupported(String operation) {
    return new UnsupportedFormatException(
        path
            + ": the transaction has the operation "
            + operation
            + ", which this version of Lance4j does not know; use a newer version");
  }

  private RuntimeException missing(TransactionProto.Transaction message) {
    for (int number : message.getUnknownFields().asMap().keySet()) {
      if (number >= FIRST_UNKNOWN_OPERATION && number <= LAST_UNKNOWN_OPERATION) {
        return unsupported(Integer.toString(number));
      }
    }
    return new CorruptFileException(path, -1, "the transaction has no operation");
  }

  private List<FragmentMetadata> fragments(List<TableProto.DataFragment> messages) {
    return FragmentMessages.fromMessages(messages, path);
  }

  private Operation delete(TransactionProto.Transaction.Delete message) {
    return new Operation.Delete(
        fragments(message.getUpdatedFragmentsList()),
        message.getDeletedFragmentIdsList(),
        message.getPredicate());
  }

  private Operation overwrite(TransactionProto.Transaction.Overwrite message) {
    return new Operation.Overwrite(
        fragments(message.getFragmentsList()),
        SchemaMessages.fromMessages(message.getSchemaList(), Map.of(), path),
        message.getConfigUpsertValuesMap(),
        FragmentMessages.basesFromMessages(message.getInitialBasesList()));
  }

  private Operation createIndex(TransactionProto.Transaction.CreateIndex message) {
    return new Operation.CreateIndex(
        IndexMessages.fromMessages(message.getNewIndicesList(), path),
        IndexMessages.fromMessages(message.getRemovedIndicesList(), path));
  }

  private Operation rewrite(TransactionProto.Transaction.Rewrite message) {
    List<Operation.RewriteGroup> groups = new ArrayList<>();
    for (TransactionProto.Transaction.Rewrite.RewriteGroup group : message.getGroupsList()) {
      groups.add(
          new Operation.RewriteGroup(
              fragments(group.getOldFragmentsList()), fragments(group.getNewFragmentsList())));
    }
    if (groups.isEmpty() && message.getOldFragmentsCount() > 0) {
      groups.add(
          new Operation.RewriteGroup(
              fragments(message.getOldFragmentsList()), fragments(message.getNewFragmentsList())));
    }
    List<Operation.RewrittenIndex> indices = new ArrayList<>();
    for (TransactionProto.Transaction.Rewrite.RewrittenIndex index :
        message.getRewrittenIndicesList()) {
      if (!index.hasNewIndexDetails()) {
        throw new CorruptFileException(path, -1, "a rewritten index has no new_index_details");
      }
      indices.add(
          new Operation.RewrittenIndex(
              IndexMessages.uuid(index.hasOldId() ? index.getOldId() : null, path),
              IndexMessages.uuid(index.hasNewId() ? index.getNewId() : null, path),
              IndexMessages.details(index.getNewIndexDetails()),
              index.getNewIndexVersion(),
              IndexMessages.files(index.getNewIndexFilesList(), path)));
    }
    return new Operation.Rewrite(groups, indices);
  }

  private Operation merge(TransactionProto.Transaction.Merge message) {
    return new Operation.Merge(
        fragments(message.getFragmentsList()),
        SchemaMessages.fromMessages(message.getSchemaList(), Map.of(), path));
  }

  private Operation update(TransactionProto.Transaction.Update message) {
    return new Operation.Update(
        message.getRemovedFragmentIdsList(),
        fragments(message.getUpdatedFragmentsList()),
        fragments(message.getNewFragmentsList()),
        message.getFieldsModifiedList(),
        message.getMergedGenerationsList(),
        message.getFieldsForPreservingFragBitmapList(),
        message.getUpdateMode() == TransactionProto.Transaction.UpdateMode.REWRITE_COLUMNS
            ? Operation.UpdateMode.REWRITE_COLUMNS
            : Operation.UpdateMode.REWRITE_ROWS,
        message.hasInsertedRows()
            ? Optional.of(KeyFilterMessages.fromMessage(message.getInsertedRows(), path))
            : Optional.empty(),
        rowsUpdatedInPlace(message));
  }

  private RowAddressSet rowsUpdatedInPlace(TransactionProto.Transaction.Update message) {
    RowAddressSet.Builder rows = RowAddressSet.builder();
    if (message.getUpdatedFragmentOffsetBitmapsCount() > 0) {
      message
          .getUpdatedFragmentOffsetBitmapsMap()
          .forEach(
              (id, bitmap) ->
                  rows.addOffsets(
                      fragmentId(id), RoaringBytes.parse(bitmap.asReadOnlyByteBuffer(), path, 0)));
    } else {
      message
          .getUpdatedFragmentOffsetsMap()
          .forEach(
              (id, list) ->
                  rows.addOffsets(
                      fragmentId(id),
                      RoaringBitmap.bitmapOf(
                          list.getValuesList().stream().mapToInt(offset -> offset).toArray())));
    }
    return rows.build();
  }

  private long fragmentId(long id) {
    if (id < 0 || id > FragmentMetadata.MAX_ID) {
      throw new CorruptFileException(
          path, -1, "there is no fragment id " + Long.toUnsignedString(id));
    }
    return id;
  }

  private Operation dataReplacement(TransactionProto.Transaction.DataReplacement message) {
    List<Operation.Replacement> replacements = new ArrayList<>();
    for (TransactionProto.Transaction.DataReplacementGroup group : message.getReplacementsList()) {
      replacements.add(
          new Operation.Replacement(
              group.getFragmentId(), FragmentMessages.fromMessage(group.getNewFile(), path)));
    }
    return new Operation.DataReplacement(replacements);
  }

  private Operation cloneTable(TransactionProto.Transaction.Clone message) {
    return new Operation.Clone(
        message.getIsShallow(),
        message.hasRefName() ? Optional.of(message.getRefName()) : Optional.empty(),
        message.getRefVersion(),
        message.getRefPath(),
        message.hasBranchName() ? Optional.of(message.getBranchName()) : Optional.empty());
  }

  /**
   * The transaction with what its message has no place for.
   *
   * @throws InvalidInputException if it does not rewrite fragments
   */
  static Transaction withFragmentReuse(Transaction transaction, IndexMetadata entry) {
    if (transaction.operation() instanceof Operation.Rewrite rewrite) {
      return transaction.withOperation(rewrite.withFragmentReuse(entry));
    }
    throw new InvalidInputException(
        "The operation "
            + transaction.operation().kind()
            + " rewrites no fragments, so that it has no entry of the fragment reuse index");
  }
}
