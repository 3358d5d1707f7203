package dev.lance4j.table.internal;

import dev.lance4j.format.proto.table.TransactionProto.Transaction;
import dev.lance4j.format.schema.SchemaMessages;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import org.roaringbitmap.RoaringBitmap;

/** Puts an operation into the message of its transaction. */
final class OperationWriter implements Operation.Visitor<Transaction.Builder> {
  private final Transaction.Builder message;

  OperationWriter(Transaction.Builder message) {
    this.message = message;
  }

  @Override
  public Transaction.Builder append(Operation.Append operation) {
    return message.setAppend(
        Transaction.Append.newBuilder()
            .addAllFragments(FragmentMessages.toMessages(operation.fragments())));
  }

  @Override
  public Transaction.Builder delete(Operation.Delete operation) {
    return message.setDelete(
        Transaction.Delete.newBuilder()
            .addAllUpdatedFragments(FragmentMessages.toMessages(operation.updatedFragments()))
            .addAllDeletedFragmentIds(operation.deletedFragmentIds())
            .setPredicate(operation.predicate()));
  }

  @Override
  public Transaction.Builder overwrite(Operation.Overwrite operation) {
    return message.setOverwrite(
        Transaction.Overwrite.newBuilder()
            .addAllFragments(FragmentMessages.toMessages(operation.fragments()))
            .addAllSchema(SchemaMessages.toMessages(operation.schema()))
            .putAllConfigUpsertValues(operation.configUpserts())
            .addAllInitialBases(FragmentMessages.basesToMessages(operation.initialBases())));
  }

  @Override
  public Transaction.Builder createIndex(Operation.CreateIndex operation) {
    return message.setCreateIndex(
        Transaction.CreateIndex.newBuilder()
            .addAllNewIndices(IndexMessages.toMessages(operation.newIndices()))
            .addAllRemovedIndices(IndexMessages.toMessages(operation.removedIndices())));
  }

  @Override
  public Transaction.Builder rewrite(Operation.Rewrite operation) {
    Transaction.Rewrite.Builder rewrite = Transaction.Rewrite.newBuilder();
    for (Operation.RewriteGroup group : operation.groups()) {
      rewrite.addGroups(
          Transaction.Rewrite.RewriteGroup.newBuilder()
              .addAllOldFragments(FragmentMessages.toMessages(group.oldFragments()))
              .addAllNewFragments(FragmentMessages.toMessages(group.newFragments())));
    }
    for (Operation.RewrittenIndex index : operation.rewrittenIndices()) {
      rewrite.addRewrittenIndices(
          Transaction.Rewrite.RewrittenIndex.newBuilder()
              .setOldId(IndexMessages.toMessage(index.oldId()))
              .setNewId(IndexMessages.toMessage(index.newId()))
              .setNewIndexDetails(IndexMessages.toMessage(index.details()))
              .setNewIndexVersion(index.version())
              .addAllNewIndexFiles(IndexMessages.files(index.files())));
    }
    return message.setRewrite(rewrite);
  }

  @Override
  public Transaction.Builder merge(Operation.Merge operation) {
    return message.setMerge(
        Transaction.Merge.newBuilder()
            .addAllFragments(FragmentMessages.toMessages(operation.fragments()))
            .addAllSchema(SchemaMessages.toMessages(operation.schema())));
  }

  @Override
  public Transaction.Builder restore(Operation.Restore operation) {
    return message.setRestore(Transaction.Restore.newBuilder().setVersion(operation.version()));
  }

  @Override
  public Transaction.Builder reserveFragments(Operation.ReserveFragments operation) {
    return message.setReserveFragments(
        Transaction.ReserveFragments.newBuilder().setNumFragments(operation.count()));
  }

  @Override
  public Transaction.Builder update(Operation.Update operation) {
    Transaction.Update.Builder update =
        Transaction.Update.newBuilder()
            .addAllRemovedFragmentIds(operation.removedFragmentIds())
            .addAllUpdatedFragments(FragmentMessages.toMessages(operation.updatedFragments()))
            .addAllNewFragments(FragmentMessages.toMessages(operation.newFragments()))
            .addAllFieldsModified(operation.fieldsModified())
            .addAllMergedGenerations(operation.mergedGenerations())
            .addAllFieldsForPreservingFragBitmap(operation.fieldsWithNewValues())
            .setUpdateMode(
                switch (operation.mode()) {
                  case REWRITE_ROWS -> Transaction.UpdateMode.REWRITE_ROWS;
                  case REWRITE_COLUMNS -> Transaction.UpdateMode.REWRITE_COLUMNS;
                });
    operation
        .insertedKeys()
        .ifPresent(keys -> update.setInsertedRows(KeyFilterMessages.toMessage(keys)));
    for (FragmentMetadata fragment : operation.updatedFragments()) {
      RoaringBitmap offsets =
          operation.rowsUpdatedInPlace().offsets(fragment.id(), fragment.physicalRows());
      if (!offsets.isEmpty()) {
        update.putUpdatedFragmentOffsetBitmaps(fragment.id(), RoaringBytes.toBytes(offsets));
      }
    }
    return message.setUpdate(update);
  }

  @Override
  public Transaction.Builder project(Operation.Project operation) {
    return message.setProject(
        Transaction.Project.newBuilder()
            .addAllSchema(SchemaMessages.toMessages(operation.schema())));
  }

  @Override
  public Transaction.Builder updateConfig(Operation.UpdateConfig operation) {
    return message.setUpdateConfig(ConfigMessages.toMessage(operation));
  }

  @Override
  public Transaction.Builder dataReplacement(Operation.DataReplacement operation) {
    Transaction.DataReplacement.Builder replacement = Transaction.DataReplacement.newBuilder();
    for (Operation.Replacement group : operation.replacements()) {
      replacement.addReplacements(
          Transaction.DataReplacementGroup.newBuilder()
              .setFragmentId(group.fragmentId())
              .setNewFile(FragmentMessages.toMessage(group.newFile())));
    }
    return message.setDataReplacement(replacement);
  }

  @Override
  public Transaction.Builder updateMemWalState(Operation.UpdateMemWalState operation) {
    return message.setUpdateMemWalState(
        Transaction.UpdateMemWalState.newBuilder()
            .addAllMergedGenerations(operation.mergedGenerations()));
  }

  @Override
  public Transaction.Builder cloneTable(Operation.Clone operation) {
    Transaction.Clone.Builder cloned =
        Transaction.Clone.newBuilder()
            .setIsShallow(operation.shallow())
            .setRefVersion(operation.refVersion())
            .setRefPath(operation.refPath());
    operation.refName().ifPresent(cloned::setRefName);
    operation.branchName().ifPresent(cloned::setBranchName);
    return message.setClone(cloned);
  }

  @Override
  public Transaction.Builder updateBases(Operation.UpdateBases operation) {
    return message.setUpdateBases(
        Transaction.UpdateBases.newBuilder()
            .addAllNewBases(FragmentMessages.basesToMessages(operation.newBases())));
  }
}
