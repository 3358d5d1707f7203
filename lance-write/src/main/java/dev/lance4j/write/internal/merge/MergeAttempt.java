package dev.lance4j.write.internal.merge;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.RowCounts;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.lookup.KeyLookUp;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.MergeCounts;
import dev.lance4j.write.RowChange;
import dev.lance4j.write.internal.DataWriter;
import dev.lance4j.write.internal.RowDeletions;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** One run of a merge on one version of the table: it writes files and says what to commit. */
final class MergeAttempt {
  private static final int[] NO_ROWS = {};
  // About as many keys are read and compared while an index finds one: it reads a page for it.
  private static final long ROWS_READ_PER_LOOK_UP = 1024;
  private static final UpdatedRows.Written NOTHING =
      new UpdatedRows.Written(List.of(), List.of(), List.of());

  private final MergePlan plan;
  private final SourceRows source;
  private final Scan.Source target;
  private final MergeMemory memory;
  private final boolean inPlace;
  private final RowAddressSet.Builder deletions = RowAddressSet.builder();
  private final RowAddressSet.Builder updatedInPlace = RowAddressSet.builder();
  private final InsertedKeys insertedKeys;
  private final BitSet[] matched;
  private long inserted;
  private long updated;
  private long deleted;
  private long skipped;

  MergeAttempt(MergePlan plan, SourceRows source, Scan.Source target, MergeMemory memory) {
    this.plan = plan;
    this.source = source;
    this.target = target;
    this.memory = memory;
    this.inPlace = plan.isInPlace();
    this.insertedKeys = plan.guardsInserts() ? new InsertedKeys(plan.keys()) : null;
    this.matched = new BitSet[source.parts()];
  }

  /**
   * Writes the files; those of an attempt that fails are removed.
   *
   * @param betweenBatches is run now and then, and may throw
   */
  MergeWork run(Runnable betweenBatches) {
    try (UpdatedRows rows = writer()) {
      match(rows, betweenBatches);
      insert(rows);
      RowAddressSet rowsDeleted = deletions.build();
      RowDeletions applied = RowDeletions.write(target, rowsDeleted);
      UpdatedRows.Written written;
      try {
        written = rows.finish();
      } catch (RuntimeException | Error e) {
        WrittenFiles.remove(target.version(), operation(NOTHING, applied));
        throw e;
      }
      RowChange change =
          new RowChange(
              target.version(),
              operation(written, applied),
              inPlace ? Optional.empty() : Optional.of(rowsDeleted),
              inserted + updated + deleted);
      return new MergeWork(change, counts(written));
    }
  }

  private UpdatedRows writer() {
    LanceSchema given = plan.source().given();
    boolean sourceOnly = inPlace || (!plan.updates() && !plan.source().hasPartialStructs());
    LanceSchema written = sourceOnly ? given : plan.table();
    DataWriter writer =
        DataWriter.rewriting(
            target,
            written,
            new InsertOptions(
                target.allocator(),
                Optional.empty(),
                plan.options().maxRowsPerFile(),
                InsertOptions.DEFAULT_MAX_BYTES_PER_FILE,
                false,
                plan.options().externalBlobs()));
    RewrittenRows rewritten = new RewrittenRows(plan, target, written, writer);
    if (!inPlace) {
      return rewritten;
    }
    return new PatchedColumns(plan, target, rewritten, source.parts() == 1 ? null : memory);
  }

  /** Rows that are found by an index, where that is cheaper than going through all of them. */
  private Optional<KeyLookUp> knownRows() {
    if (plan.deletesBySource() || source.parts() > 1) {
      return Optional.empty();
    }
    try (SourcePart part = source.part(0)) {
      return part.rows() > RowCounts.liveRows(target) / ROWS_READ_PER_LOOK_UP
          ? Optional.empty()
          : KeyLookUp.of(target, plan.keys().fields(), part.keyColumns(), part.rows());
    }
  }

  private void match(UpdatedRows rows, Runnable betweenBatches) {
    try (TargetRows targetRows =
        new TargetRows(
            target, plan.comparedColumns(), plan.keys(), knownRows(), source.parts(), memory)) {
      for (int i = 0; i < source.parts(); i++) {
        int index = i;
        try (SourcePart part = source.part(index)) {
          matched[index] = new BitSet(part.rows());
          skipped += part.table().skipped().cardinality();
          targetRows.forEachBatch(
              index,
              batch -> {
                betweenBatches.run();
                match(rows, part, index, targetRows, batch);
              });
          rows.flush(part);
        }
      }
    }
  }

  private void match(
      UpdatedRows rows, SourcePart part, int index, TargetRows targetRows, TargetBatch batch) {
    RowKeys keys = plan.keys().read(targetRows.keyColumns(batch), batch.rows());
    JoinedRows joined = JoinedRows.of(keys, part.table());
    for (int i = 0; i < joined.size(); i++) {
      matched[index].set(joined.source(i));
    }
    switch (plan.matchedAction()) {
      case UPDATE -> {
        int[] pairs = pairsToUpdate(joined, part, targetRows, batch);
        requireOneSource(pairs, joined, part);
        update(rows, part, joined, pairs, batch);
      }
      case DELETE -> delete(joined.matched(), batch);
      case FAIL -> {
        if (joined.size() > 0) {
          throw new InvalidInputException(
              "The merge found a row of the table with the key "
                  + describe(part, joined.source(0))
                  + ", which it was told not to");
        }
      }
      case DO_NOTHING -> {}
    }
    if (plan.deletesBySource()) {
      deleteUnmatched(joined, targetRows, batch);
    }
  }

  private int[] pairsToUpdate(
      JoinedRows joined, SourcePart part, TargetRows targetRows, TargetBatch batch) {
    if (plan.updateCondition().isEmpty()) {
      return Columns.range(0, joined.size());
    }
    return plan.updateCondition()
        .get()
        .select(
            part,
            joined.sources(),
            batch,
            targetRows.columns(),
            joined.targets(),
            target.allocator());
  }

  /** Pairs of the same row of the table follow one another. */
  private void requireOneSource(int[] pairs, JoinedRows joined, SourcePart part) {
    for (int i = 1; i < pairs.length; i++) {
      if (joined.target(pairs[i]) == joined.target(pairs[i - 1])) {
        throw new InvalidInputException(
            "Several rows of the source match the same row of the table, with the key "
                + describe(part, joined.source(pairs[i]))
                + "; leave one of them in the source, or let the merge keep the first");
      }
    }
  }

  private String describe(SourcePart part, int row) {
    return plan.keys().describe(part.keyColumns(), row, target.allocator());
  }

  private void update(
      UpdatedRows rows, SourcePart part, JoinedRows joined, int[] pairs, TargetBatch batch) {
    if (pairs.length == 0) {
      return;
    }
    int[] sourceRows = new int[pairs.length];
    long[] addresses = new long[pairs.length];
    for (int i = 0; i < pairs.length; i++) {
      sourceRows[i] = joined.source(pairs[i]);
      addresses[i] = batch.addresses()[joined.target(pairs[i])];
    }
    updated += pairs.length;
    (inPlace ? updatedInPlace : deletions).add(addresses, 0, addresses.length);
    rows.update(part, sourceRows, addresses);
  }

  private void deleteUnmatched(JoinedRows joined, TargetRows targetRows, TargetBatch batch) {
    int[] unmatched = joined.unmatched();
    int[] chosen = Columns.range(0, unmatched.length);
    if (plan.deleteCondition().isPresent()) {
      chosen =
          plan.deleteCondition()
              .get()
              .select(null, NO_ROWS, batch, targetRows.columns(), unmatched, target.allocator());
    }
    int[] rows = new int[chosen.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = unmatched[chosen[i]];
    }
    delete(rows, batch);
  }

  private void delete(int[] rows, TargetBatch batch) {
    long[] addresses = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      addresses[i] = batch.addresses()[rows[i]];
    }
    deletions.add(addresses, 0, addresses.length);
    deleted += rows.length;
  }

  private void insert(UpdatedRows rows) {
    if (!plan.inserts()) {
      return;
    }
    for (int i = 0; i < source.parts(); i++) {
      try (SourcePart part = source.part(i)) {
        BitSet left = new BitSet(part.rows());
        left.set(0, part.rows());
        left.andNot(matched[i]);
        left.andNot(part.table().skipped());
        int[] chosen = left.stream().toArray();
        inserted += chosen.length;
        if (insertedKeys != null) {
          insertedKeys.add(part, chosen);
        }
        rows.insert(part, chosen);
      }
    }
  }

  private Operation.Update operation(UpdatedRows.Written written, RowDeletions applied) {
    List<FragmentMetadata> updatedFragments = new ArrayList<>(applied.updatedFragments());
    updatedFragments.addAll(written.patched());
    List<Integer> fields = plan.table().fields().stream().map(LanceField::id).toList();
    return new Operation.Update(
        applied.removedFragmentIds(),
        updatedFragments,
        written.added(),
        inPlace ? fieldIds(plan.columnsInPlace()) : List.of(),
        List.of(),
        inPlace ? List.of() : fields,
        inPlace ? Operation.UpdateMode.REWRITE_COLUMNS : Operation.UpdateMode.REWRITE_ROWS,
        Optional.ofNullable(insertedKeys).map(InsertedKeys::filter),
        updatedInPlace.build());
  }

  private static List<Integer> fieldIds(LanceSchema schema) {
    return schema.flatten().stream().map(LanceField::id).toList();
  }

  private MergeCounts counts(UpdatedRows.Written written) {
    long bytes = 0;
    for (DataFile file : written.files()) {
      bytes += file.sizeBytes();
    }
    return new MergeCounts(inserted, updated, deleted, skipped, written.files().size(), bytes);
  }
}
