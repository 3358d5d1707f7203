package dev.lance4j.table.internal;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.BasePath;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.WriterVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

/**
 * Builds the version after another by applying a transaction. A function of its arguments, but for
 * the time and the version that a restore loads; used for one build.
 */
public final class NextManifest implements Operation.Visitor<TableState> {
  private final TableState base;
  private final CommitOptions options;
  private final LongFunction<TableState> versions;
  private final UnaryOperator<TableState> repairs;
  private final RowIdAssignment rowIds;
  private final boolean stableRowIds;
  private long nextFragmentId;

  private NextManifest(
      TableState base,
      boolean stableRowIds,
      CommitOptions options,
      FragmentSequences sequences,
      LongFunction<TableState> versions,
      UnaryOperator<TableState> repairs) {
    this.base = base;
    this.options = options;
    this.versions = versions;
    this.repairs = repairs;
    this.stableRowIds = stableRowIds;
    this.rowIds = new RowIdAssignment(base.manifest(), sequences, version());
    OptionalLong highest = base.manifest().highestFragmentId();
    this.nextFragmentId = highest.isPresent() ? highest.getAsLong() + 1 : 0;
  }

  /**
   * The version after {@code base}.
   *
   * @param transaction what to apply, already checked against conflicts up to {@code base}
   * @param sequences reads the row ids of fragments
   * @param versions loads an earlier version
   * @param repairs corrects what early writers left behind
   * @throws InvalidInputException if the operation does not fit the table
   */
  public static TableState after(
      TableState base,
      Transaction transaction,
      CommitOptions options,
      FragmentSequences sequences,
      LongFunction<TableState> versions,
      UnaryOperator<TableState> repairs) {
    boolean stable = base.manifest().hasStableRowIds();
    return new NextManifest(base, stable, options, sequences, versions, repairs).build(transaction);
  }

  /**
   * The first version of a table.
   *
   * @param sequences reads the row ids of fragments
   * @throws InvalidInputException if the operation cannot create a table
   */
  public static TableState first(
      Transaction transaction, CommitOptions options, FragmentSequences sequences) {
    if (!(transaction.operation() instanceof Operation.Overwrite overwrite)) {
      throw new InvalidInputException(
          "Cannot apply operation "
              + transaction.operation().kind()
              + " to a dataset that does not exist; create it first");
    }
    Manifest nothing =
        Manifest.builder(0, overwrite.schema())
            .basePaths(withIds(List.of(), overwrite.initialBases()))
            .build();
    Operation.Overwrite content =
        new Operation.Overwrite(
            overwrite.fragments(), overwrite.schema(), overwrite.configUpserts(), List.of());
    NextManifest next =
        new NextManifest(
            new TableState(nothing, List.of()),
            options.stableRowIds(),
            options,
            sequences,
            version -> null,
            UnaryOperator.identity());
    return next.finish(content.accept(next), transaction);
  }

  private long version() {
    return base.manifest().version() + 1;
  }

  private TableState build(Transaction transaction) {
    return finish(transaction.operation().accept(this), transaction);
  }

  private TableState finish(TableState applied, Transaction transaction) {
    TableState changed = repairs.apply(applied);
    Manifest manifest = changed.manifest();
    List<FragmentMetadata> fragments = new ArrayList<>(manifest.fragments().size());
    for (FragmentMetadata fragment : manifest.fragments()) {
      fragments.add(withoutDeadFiles(fragment));
    }
    fragments.sort(Comparator.comparingLong(FragmentMetadata::id));
    checkIdsAreUnique(fragments);
    Manifest next =
        manifest.toBuilder()
            .version(version())
            .fragments(fragments)
            .tag(transaction.tag())
            .timestamp(Instant.now())
            .writerVersion(Optional.of(WriterVersion.LANCE4J))
            .transactionFile(transaction.fileName())
            .dataFormat(Optional.of(manifest.storageVersion()))
            .maxFragmentId(maxFragmentId(manifest, fragments))
            .build();
    return changed.withManifest(ManifestFlags.compute(next, stableRowIds));
  }

  private static FragmentMetadata withoutDeadFiles(FragmentMetadata fragment) {
    for (DataFile file : fragment.files()) {
      if (file.isDead()) {
        return fragment.withFiles(fragment.files().stream().filter(f -> !f.isDead()).toList());
      }
    }
    return fragment;
  }

  // Tables of early writers may have two fragments of one id; that is no fault of this commit.
  private void checkIdsAreUnique(List<FragmentMetadata> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      long id = sorted.get(i).id();
      if (id == sorted.get(i - 1).id()
          && base.manifest().fragments().stream().filter(f -> f.id() == id).count() < 2) {
        throw new InvalidInputException(
            "There is a fragment " + id + " already; give new fragments the id 0");
      }
    }
  }

  private OptionalLong maxFragmentId(Manifest manifest, List<FragmentMetadata> fragments) {
    OptionalLong before = manifest.maxFragmentId();
    if (before.isEmpty()) {
      before = base.manifest().highestFragmentId();
    }
    if (fragments.isEmpty()) {
      return before;
    }
    long highest = Math.max(fragments.get(fragments.size() - 1).id(), before.orElse(0));
    if (highest > FragmentMetadata.MAX_ID) {
      throw new InvalidInputException("The dataset has used up all fragment ids");
    }
    return OptionalLong.of(highest);
  }

  private List<FragmentMetadata> withFragmentIds(List<FragmentMetadata> fragments) {
    List<FragmentMetadata> assigned = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      assigned.add(fragment.id() == 0 ? fragment.withId(nextFragmentId++) : fragment);
    }
    return assigned;
  }

  private void checkNewFiles(List<FragmentMetadata> fragments, FileVersion expected) {
    for (FragmentMetadata fragment : fragments) {
      if (fragment.physicalRows() <= 0 || fragment.physicalRows() > FragmentMetadata.MAX_ROWS) {
        throw new InvalidInputException(
            "A new fragment has " + fragment.physicalRows() + " rows; give the rows of its files");
      }
      for (DataFile file : fragment.files()) {
        checkVersion(file, expected);
      }
    }
  }

  private static void checkVersion(DataFile file, FileVersion expected) {
    if (file.fileVersion() != expected) {
      throw new InvalidInputException(
          "The operation added files with version "
              + file.fileVersion()
              + ", but the dataset's data storage version is "
              + expected
              + "; write the files with that version");
    }
  }

  private List<FragmentMetadata> newFragments(List<FragmentMetadata> fragments) {
    checkNewFiles(fragments, base.manifest().storageVersion());
    return withFragmentIds(fragments);
  }

  private TableState withFragments(List<FragmentMetadata> fragments) {
    return base.withManifest(
        base.manifest().toBuilder().fragments(fragments).nextRowId(rowIds.nextRowId()).build());
  }

  private TableState retainingIndices(Manifest manifest, List<IndexMetadata> indices) {
    return new TableState(
        manifest, IndexCoverage.retain(indices, manifest.schema(), manifest.fragments()));
  }

  /** The table's fragments without those of some ids and with others in their new form. */
  private List<FragmentMetadata> replaced(List<Long> removed, List<FragmentMetadata> updated) {
    Map<Long, FragmentMetadata> byId = new HashMap<>();
    updated.forEach(fragment -> byId.put(fragment.id(), fragment));
    Set<Long> gone = new HashSet<>(removed);
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (FragmentMetadata fragment : base.manifest().fragments()) {
      if (!gone.contains(fragment.id())) {
        fragments.add(byId.getOrDefault(fragment.id(), fragment));
      }
    }
    return fragments;
  }

  @Override
  public TableState append(Operation.Append operation) {
    List<FragmentMetadata> fragments = new ArrayList<>(base.manifest().fragments());
    List<FragmentMetadata> added = newFragments(operation.fragments());
    fragments.addAll(stableRowIds ? rowIds.fresh(added) : added);
    return withFragments(fragments);
  }

  @Override
  public TableState delete(Operation.Delete operation) {
    TableState deleted =
        withFragments(replaced(operation.deletedFragmentIds(), operation.updatedFragments()));
    return retainingIndices(deleted.manifest(), deleted.indices());
  }

  @Override
  public TableState overwrite(Operation.Overwrite operation) {
    if (!operation.initialBases().isEmpty()) {
      throw new InvalidInputException(
          "Base paths can be given when a dataset is created; add them to this one separately");
    }
    FileVersion storage = storageVersion(operation.fragments());
    checkNewFiles(operation.fragments(), storage);
    nextFragmentId = 0;
    List<FragmentMetadata> fragments = withFragmentIds(operation.fragments());
    if (stableRowIds) {
      fragments = rowIds.fresh(fragments);
    }
    Manifest manifest =
        base.manifest().toBuilder()
            .schema(operation.schema())
            .fragments(fragments)
            .nextRowId(rowIds.nextRowId())
            .dataFormat(Optional.of(storage))
            .config(MapUpdate.set(operation.configUpserts()).apply(base.manifest().config()))
            .build();
    return new TableState(manifest, List.of());
  }

  private FileVersion storageVersion(List<FragmentMetadata> fragments) {
    if (options.fileVersion().isPresent()) {
      return options.fileVersion().get();
    }
    for (FragmentMetadata fragment : fragments) {
      for (DataFile file : fragment.files()) {
        return file.fileVersion();
      }
    }
    return version() == 1 ? FileVersion.defaultVersion() : base.manifest().storageVersion();
  }

  @Override
  public TableState createIndex(Operation.CreateIndex operation) {
    Set<UUID> replaced = new HashSet<>();
    operation.removedIndices().forEach(index -> replaced.add(index.uuid()));
    operation.newIndices().forEach(index -> replaced.add(index.uuid()));
    List<IndexMetadata> indices = new ArrayList<>();
    for (IndexMetadata index : base.indices()) {
      if (!replaced.contains(index.uuid())) {
        indices.add(index);
      }
    }
    indices.addAll(operation.newIndices());
    return new TableState(base.manifest(), indices);
  }

  @Override
  public TableState rewrite(Operation.Rewrite operation) {
    List<Operation.RewriteGroup> groups = new ArrayList<>();
    Set<Long> existing = new HashSet<>();
    base.manifest().fragments().forEach(fragment -> existing.add(fragment.id()));
    Set<Long> gone = new HashSet<>();
    List<FragmentMetadata> added = new ArrayList<>();
    FileVersion storage = base.manifest().storageVersion();
    for (Operation.RewriteGroup group : operation.groups()) {
      checkNewFiles(group.newFragments(), storage);
      for (FragmentMetadata old : group.oldFragments()) {
        if (!existing.contains(old.id()) || !gone.add(old.id())) {
          throw new CommitConflictException(
              "The dataset does not contain fragment "
                  + old.id()
                  + ", which the rewrite wants to replace; plan it again",
              base.manifest().version(),
              true);
        }
      }
      List<FragmentMetadata> replacing = withFragmentIds(group.newFragments());
      if (stableRowIds) {
        rowIds.requireComplete(replacing);
      }
      added.addAll(replacing);
      groups.add(new Operation.RewriteGroup(group.oldFragments(), replacing));
    }
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (FragmentMetadata fragment : base.manifest().fragments()) {
      if (!gone.contains(fragment.id())) {
        fragments.add(fragment);
      }
    }
    fragments.addAll(added);
    Manifest manifest = base.manifest().toBuilder().fragments(fragments).build();
    return new TableState(manifest, rewrittenIndices(operation, groups));
  }

  private List<IndexMetadata> rewrittenIndices(
      Operation.Rewrite operation, List<Operation.RewriteGroup> groups) {
    Map<UUID, Operation.RewrittenIndex> rewritten = new HashMap<>();
    for (Operation.RewrittenIndex index : operation.rewrittenIndices()) {
      if (rewritten.put(index.oldId(), index) != null) {
        throw new InvalidInputException(
            "The rewrite replaces index segment " + index.oldId() + " twice");
      }
    }
    List<IndexMetadata> indices = new ArrayList<>();
    for (IndexMetadata index : base.indices()) {
      Operation.RewrittenIndex anew = rewritten.get(index.uuid());
      if (anew != null && index.fragments().isEmpty()) {
        throw new InvalidInputException(
            "Index '" + index.name() + "' does not record its fragments; build it again");
      }
      boolean follows = anew != null || (stableRowIds && IndexCoverage.knowsRowsByIds(index));
      IndexMetadata moved = follows ? IndexCoverage.rewritten(index, groups) : index;
      indices.add(
          anew == null ? moved : moved.rewritten(anew.newId(), anew.version(), anew.files()));
    }
    operation
        .fragmentReuse()
        .ifPresent(
            entry -> {
              indices.removeIf(index -> index.name().equals(entry.name()));
              indices.add(entry);
            });
    return indices;
  }

  @Override
  public TableState merge(Operation.Merge operation) {
    FileVersion storage = base.manifest().storageVersion();
    for (FragmentMetadata fragment : operation.fragments()) {
      fragment.files().forEach(file -> checkVersion(file, storage));
    }
    List<FragmentMetadata> fragments =
        operation.fragments().stream()
            .map(fragment -> EmptyStructs.removed(fragment, operation.schema()))
            .toList();
    Manifest manifest =
        base.manifest().toBuilder()
            .schema(operation.schema())
            .fragments(stableRowIds ? stamped(fragments) : fragments)
            .build();
    return retainingIndices(manifest, base.indices());
  }

  /** The fragments, with all rows updated in this version where the files are other ones. */
  private List<FragmentMetadata> stamped(List<FragmentMetadata> fragments) {
    Map<Long, List<DataFile>> filesBefore = new HashMap<>();
    base.manifest().fragments().forEach(old -> filesBefore.put(old.id(), old.files()));
    List<FragmentMetadata> stamped = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      boolean changed = !fragment.files().equals(filesBefore.get(fragment.id()));
      stamped.add(changed ? rowIds.updated(fragment) : fragment);
    }
    return stamped;
  }

  @Override
  public TableState restore(Operation.Restore operation) {
    TableState restored = versions.apply(operation.version());
    Manifest current = base.manifest();
    Manifest old = restored.manifest();
    if (stableRowIds && !old.hasStableRowIds()) {
      throw new InvalidInputException(
          "Version "
              + operation.version()
              + " has no stable row ids, but the dataset has them now; its row addresses would be"
              + " taken for ids of other rows");
    }
    OptionalLong highest = current.highestFragmentId();
    OptionalLong oldHighest = old.highestFragmentId();
    if (oldHighest.isPresent()
        && (highest.isEmpty() || oldHighest.getAsLong() > highest.getAsLong())) {
      highest = oldHighest;
    }
    long nextRowId = Math.max(current.nextRowId(), old.nextRowId());
    return restored.withManifest(
        old.toBuilder().maxFragmentId(highest).nextRowId(nextRowId).build());
  }

  @Override
  public TableState reserveFragments(Operation.ReserveFragments operation) {
    if (operation.count() <= 0) {
      throw new InvalidInputException(
          "Cannot reserve " + operation.count() + " fragments; reserve one at least");
    }
    long highest = base.manifest().highestFragmentId().orElse(0) + operation.count();
    if (highest > FragmentMetadata.MAX_ID) {
      throw new InvalidInputException("The dataset has used up all fragment ids");
    }
    return base.withManifest(
        base.manifest().toBuilder().maxFragmentId(OptionalLong.of(highest)).build());
  }

  @Override
  public TableState update(Operation.Update operation) {
    if (!operation.mergedGenerations().isEmpty()) {
      throw memWal();
    }
    List<FragmentMetadata> fragments =
        replaced(operation.removedFragmentIds(), updatedInPlace(operation));
    List<FragmentMetadata> added = newFragments(operation.newFragments());
    fragments.addAll(stableRowIds ? rowIds.moved(added) : added);
    List<Long> updated = operation.updatedFragments().stream().map(FragmentMetadata::id).toList();
    List<IndexMetadata> indices =
        IndexCoverage.withoutFragments(base.indices(), operation.fieldsModified(), updated);
    if (stableRowIds && operation.mode() == Operation.UpdateMode.REWRITE_ROWS) {
      indices =
          IndexCoverage.withMovedRows(
              indices, base.manifest().schema(), operation, onlyMovedRows(added));
    }
    return retainingIndices(withFragments(fragments).manifest(), indices);
  }

  /** The updated fragments, with the rows that have new values updated in this version. */
  private List<FragmentMetadata> updatedInPlace(Operation.Update operation) {
    if (!stableRowIds || operation.rowsUpdatedInPlace().isEmpty()) {
      return operation.updatedFragments();
    }
    List<FragmentMetadata> updated = new ArrayList<>(operation.updatedFragments().size());
    for (FragmentMetadata fragment : operation.updatedFragments()) {
      updated.add(
          rowIds.updated(
              fragment,
              operation.rowsUpdatedInPlace().offsets(fragment.id(), fragment.physicalRows())));
    }
    return updated;
  }

  /** Those new fragments all of whose rows were in the table before. */
  private List<FragmentMetadata> onlyMovedRows(List<FragmentMetadata> added) {
    return added.stream()
        .filter(fragment -> rowIds.given(fragment).length() == fragment.physicalRows())
        .toList();
  }

  private static UnsupportedFormatException memWal() {
    return new UnsupportedFormatException(
        "Write-ahead memory tables cannot be committed by this version of Lance4j");
  }

  @Override
  public TableState project(Operation.Project operation) {
    Set<Integer> live = new HashSet<>();
    operation.schema().flatten().forEach(field -> live.add(field.id()));
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (FragmentMetadata fragment : base.manifest().fragments()) {
      List<DataFile> files =
          EmptyStructs.removed(fragment, operation.schema()).files().stream()
              .filter(file -> file.fieldIds().stream().anyMatch(live::contains))
              .toList();
      // The real library cannot read a fragment without files, even if all its columns are null.
      boolean emptied = files.isEmpty() && !fragment.files().isEmpty();
      fragments.add(fragment.withFiles(emptied ? fragment.files().subList(0, 1) : files));
    }
    Manifest manifest =
        base.manifest().toBuilder().schema(operation.schema()).fragments(fragments).build();
    return retainingIndices(manifest, base.indices());
  }

  @Override
  public TableState updateConfig(Operation.UpdateConfig operation) {
    Manifest manifest = base.manifest();
    LanceSchema schema = manifest.schema();
    List<LanceField> fields = schema.fields();
    Set<Integer> missing = new HashSet<>(operation.fieldMetadata().keySet());
    schema.flatten().forEach(field -> missing.remove(field.id()));
    if (!missing.isEmpty()) {
      throw new InvalidInputException(
          "Field with id " + missing.iterator().next() + " does not exist");
    }
    if (!operation.fieldMetadata().isEmpty()) {
      fields =
          fields.stream()
              .map(field -> field.mapTree(f -> withMetadata(f, operation.fieldMetadata())))
              .toList();
    }
    Map<String, String> schemaMetadata = changed(schema.metadata(), operation.schemaMetadata());
    return base.withManifest(
        manifest.toBuilder()
            .schema(new LanceSchema(fields, schemaMetadata))
            .config(changed(manifest.config(), operation.config()))
            .tableMetadata(changed(manifest.tableMetadata(), operation.tableMetadata()))
            .build());
  }

  private static Map<String, String> changed(Map<String, String> old, Optional<MapUpdate> update) {
    return update.map(change -> change.apply(old)).orElse(old);
  }

  private static LanceField withMetadata(LanceField field, Map<Integer, MapUpdate> updates) {
    MapUpdate update = updates.get(field.id());
    if (update == null) {
      return field;
    }
    return new LanceField(
        field.id(),
        field.name(),
        field.logicalType(),
        field.nullable(),
        update.apply(field.metadata()),
        field.dictionary(),
        field.children());
  }

  @Override
  public TableState dataReplacement(Operation.DataReplacement operation) {
    DataFileReplacement replacement = new DataFileReplacement(operation);
    FileVersion storage = base.manifest().storageVersion();
    operation.replacements().forEach(group -> checkVersion(group.newFile(), storage));
    List<FragmentMetadata> replaced = replacement.apply(base.manifest().fragments());
    Manifest manifest =
        base.manifest().toBuilder().fragments(stableRowIds ? stamped(replaced) : replaced).build();
    return new TableState(
        manifest,
        IndexCoverage.withoutFragments(
            base.indices(), replacement.fieldIds(), replacement.fragmentIds()));
  }

  @Override
  public TableState updateMemWalState(Operation.UpdateMemWalState operation) {
    throw memWal();
  }

  @Override
  public TableState cloneTable(Operation.Clone operation) {
    throw new InvalidInputException("A clone can only create a dataset");
  }

  @Override
  public TableState updateBases(Operation.UpdateBases operation) {
    List<BasePath> bases = withIds(base.manifest().basePaths(), operation.newBases());
    return base.withManifest(base.manifest().toBuilder().basePaths(bases).build());
  }

  private static List<BasePath> withIds(List<BasePath> existing, List<BasePath> added) {
    List<BasePath> bases = new ArrayList<>(existing);
    for (BasePath candidate : added) {
      for (BasePath other : bases) {
        boolean sameName = candidate.name().isPresent() && candidate.name().equals(other.name());
        boolean sameId = candidate.id() != 0 && candidate.id() == other.id();
        if (sameName || sameId || candidate.path().equals(other.path())) {
          throw new InvalidInputException(
              "There is a base path with the name, id or path of " + candidate + " already");
        }
      }
      bases.add(candidate.id() == 0 ? candidate.withId(nextBaseId(bases)) : candidate);
    }
    return bases;
  }

  private static int nextBaseId(List<BasePath> bases) {
    int highest = 0;
    for (BasePath base : bases) {
      highest = Math.max(highest, base.id());
    }
    return highest + 1;
  }
}
