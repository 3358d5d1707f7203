package dev.lance4j.table.internal;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.BasePath;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.KeyFilter;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Operation.Kind;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;

/**
 * Whether an operation that was computed from an older version may be applied after another that
 * was committed since. The relation has a direction: an overwrite may follow an append, but not the
 * other way round. Visits the operation that is being committed.
 */
public final class ConflictRules implements Operation.Visitor<ConflictRules.Verdict> {
  /** The outcome of checking one pair. */
  public enum Verdict {
    /** Both may happen. */
    COMPATIBLE,
    /** Doing the operation again on the newest version makes sense. */
    RETRYABLE,
    /** Doing it again may mean something else. */
    INCOMPATIBLE
  }

  private final Operation committed;
  private final Basis basis;

  private ConflictRules(Operation committed, Basis basis) {
    this.committed = committed;
    this.basis = basis;
  }

  /**
   * Decides about a pair.
   *
   * @param current the operation that is being committed
   * @param committed the operation of a version after the one that {@code current} read
   * @param basis what {@code current} was computed from
   */
  public static Verdict verdict(Operation current, Operation committed, Basis basis) {
    return current.accept(new ConflictRules(committed, basis));
  }

  /**
   * Checks a pair. Deletes and updates of the same fragment may both happen as far as this can tell
   * if their affected rows are known; {@link RowRebase} finds out whether they are the same.
   *
   * @param version the version that {@code committed} led to
   * @throws CommitConflictException unless both may happen
   */
  public static void check(Operation current, Operation committed, Basis basis, long version) {
    Verdict verdict = verdict(current, committed, basis);
    if (verdict == Verdict.RETRYABLE) {
      throw new CommitConflictException(
          "Retryable commit conflict for version "
              + version
              + ": This "
              + current.kind()
              + " transaction was preempted by concurrent transaction "
              + committed.kind()
              + " at version "
              + version
              + ". Please retry.",
          version,
          true);
    }
    if (verdict == Verdict.INCOMPATIBLE) {
      throw new CommitConflictException(
          "Incompatible transaction: This "
              + current.kind()
              + " transaction is incompatible with concurrent transaction "
              + committed.kind()
              + " at version "
              + version
              + ". Look at what it changed before doing this again.",
          version,
          false);
    }
  }

  private static Verdict retryableIf(boolean condition) {
    return condition ? Verdict.RETRYABLE : Verdict.COMPATIBLE;
  }

  private static Verdict incompatibleIf(boolean condition) {
    return condition ? Verdict.INCOMPATIBLE : Verdict.COMPATIBLE;
  }

  @Override
  public Verdict append(Operation.Append current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE, UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case MERGE, PROJECT -> retryableIf(committedSchemaInvalidatesFiles());
      case APPEND,
          DELETE,
          CREATE_INDEX,
          REWRITE,
          RESERVE_FRAGMENTS,
          UPDATE,
          UPDATE_CONFIG,
          DATA_REPLACEMENT,
          CLONE,
          UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict delete(Operation.Delete current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE, UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case MERGE -> Verdict.RETRYABLE;
      case DELETE, UPDATE -> retryableIf(rowsMayOverlap(current));
      case REWRITE, DATA_REPLACEMENT -> retryableIf(fragmentsOverlap(current));
      case APPEND, CREATE_INDEX, RESERVE_FRAGMENTS, PROJECT, UPDATE_CONFIG, CLONE, UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict update(Operation.Update current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE, UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case MERGE -> Verdict.RETRYABLE;
      case APPEND -> retryableIf(current.insertedKeys().isPresent());
      case UPDATE ->
          retryableIf(
              mayInsertSameKeys(current, (Operation.Update) committed) || rowsMayOverlap(current));
      case DELETE -> retryableIf(rowsMayOverlap(current));
      case REWRITE, DATA_REPLACEMENT -> retryableIf(fragmentsOverlap(current));
      case PROJECT -> retryableIf(committedSchemaInvalidatesFiles());
      case CREATE_INDEX, RESERVE_FRAGMENTS, UPDATE_CONFIG, CLONE, UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict overwrite(Operation.Overwrite current) {
    return switch (committed.kind()) {
      case UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case OVERWRITE ->
          settingsOverlap(upserts(current), upserts((Operation.Overwrite) committed))
              ? Verdict.INCOMPATIBLE
              : Verdict.RETRYABLE;
      case UPDATE_CONFIG ->
          incompatibleIf(
              settingsOverlap(upserts(current), ((Operation.UpdateConfig) committed).config()));
      case APPEND,
          DELETE,
          CREATE_INDEX,
          REWRITE,
          MERGE,
          RESTORE,
          RESERVE_FRAGMENTS,
          UPDATE,
          PROJECT,
          DATA_REPLACEMENT,
          CLONE,
          UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict createIndex(Operation.CreateIndex current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE, UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case CREATE_INDEX -> retryableIf(indicesCollide(current, (Operation.CreateIndex) committed));
      case REWRITE -> indexAfterRewrite(current, (Operation.Rewrite) committed);
      case MERGE -> retryableIf(lacksIndexedField(current, ((Operation.Merge) committed).schema()));
      case PROJECT ->
          retryableIf(lacksIndexedField(current, ((Operation.Project) committed).schema()));
      case UPDATE -> retryableIf(indexes(current, ((Operation.Update) committed).fieldsModified()));
      case DATA_REPLACEMENT ->
          retryableIf(indexes(current, replacedFields((Operation.DataReplacement) committed)));
      case APPEND, DELETE, RESERVE_FRAGMENTS, UPDATE_CONFIG, CLONE, UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict rewrite(Operation.Rewrite current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE -> Verdict.INCOMPATIBLE;
      case MERGE -> Verdict.RETRYABLE;
      case DELETE, UPDATE, DATA_REPLACEMENT, REWRITE -> retryableIf(fragmentsOverlap(current));
      case CREATE_INDEX -> rewriteAfterIndex(current, (Operation.CreateIndex) committed);
      case APPEND,
          RESERVE_FRAGMENTS,
          PROJECT,
          UPDATE_CONFIG,
          UPDATE_MEM_WAL_STATE,
          CLONE,
          UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict merge(Operation.Merge current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE, PROJECT, UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case APPEND, DELETE, REWRITE, MERGE, UPDATE, DATA_REPLACEMENT -> Verdict.RETRYABLE;
      case UPDATE_CONFIG -> retryableIf(changesSchemaMetadata());
      case CREATE_INDEX, RESERVE_FRAGMENTS, CLONE, UPDATE_BASES -> Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict restore(Operation.Restore current) {
    return incompatibleIf(committed.kind() == Kind.UPDATE_MEM_WAL_STATE);
  }

  @Override
  public Verdict reserveFragments(Operation.ReserveFragments current) {
    return incompatibleIf(committed.kind() == Kind.OVERWRITE || committed.kind() == Kind.RESTORE);
  }

  @Override
  public Verdict project(Operation.Project current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE, UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case MERGE, PROJECT -> Verdict.RETRYABLE;
      case APPEND, UPDATE, DATA_REPLACEMENT ->
          retryableIf(SchemaChange.invalidatesFiles(basis.schema(), current.schema()));
      case UPDATE_CONFIG -> retryableIf(changesSchemaMetadata());
      case DELETE, CREATE_INDEX, REWRITE, RESERVE_FRAGMENTS, CLONE, UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict updateConfig(Operation.UpdateConfig current) {
    return switch (committed.kind()) {
      case OVERWRITE ->
          incompatibleIf(
              current.schemaMetadata().isPresent()
                  || !current.fieldMetadata().isEmpty()
                  || settingsOverlap(current.config(), upserts((Operation.Overwrite) committed)));
      case UPDATE_CONFIG ->
          incompatibleIf(configsCollide(current, (Operation.UpdateConfig) committed));
      case APPEND,
          DELETE,
          CREATE_INDEX,
          REWRITE,
          MERGE,
          RESTORE,
          RESERVE_FRAGMENTS,
          UPDATE,
          PROJECT,
          DATA_REPLACEMENT,
          UPDATE_MEM_WAL_STATE,
          CLONE,
          UPDATE_BASES ->
          Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict dataReplacement(Operation.DataReplacement current) {
    return switch (committed.kind()) {
      case OVERWRITE, RESTORE, UPDATE_MEM_WAL_STATE -> Verdict.INCOMPATIBLE;
      case MERGE -> Verdict.RETRYABLE;
      case REWRITE -> retryableIf(fragmentsOverlap(current));
      case DELETE ->
          incompatibleIf(
              overlap(modified(current), ((Operation.Delete) committed).deletedFragmentIds()));
      case UPDATE -> replacementAfterUpdate(current, (Operation.Update) committed);
      case CREATE_INDEX ->
          retryableIf(indexes((Operation.CreateIndex) committed, replacedFields(current)));
      case PROJECT ->
          lacks(((Operation.Project) committed).schema(), replacedFields(current))
              ? Verdict.INCOMPATIBLE
              : retryableIf(committedSchemaInvalidatesFiles());
      case DATA_REPLACEMENT ->
          retryableIf(
              fragmentsOverlap(current)
                  && overlap(
                      replacedFields(current),
                      replacedFields((Operation.DataReplacement) committed)));
      case APPEND, RESERVE_FRAGMENTS, UPDATE_CONFIG, CLONE, UPDATE_BASES -> Verdict.COMPATIBLE;
    };
  }

  @Override
  public Verdict updateMemWalState(Operation.UpdateMemWalState current) {
    return switch (committed.kind()) {
      case CREATE_INDEX, REWRITE, RESERVE_FRAGMENTS, UPDATE_CONFIG, UPDATE_BASES ->
          Verdict.COMPATIBLE;
      case APPEND,
          DELETE,
          OVERWRITE,
          MERGE,
          RESTORE,
          UPDATE,
          PROJECT,
          DATA_REPLACEMENT,
          UPDATE_MEM_WAL_STATE,
          CLONE ->
          Verdict.INCOMPATIBLE;
    };
  }

  @Override
  public Verdict cloneTable(Operation.Clone current) {
    return Verdict.INCOMPATIBLE;
  }

  @Override
  public Verdict updateBases(Operation.UpdateBases current) {
    return incompatibleIf(
        committed instanceof Operation.UpdateBases other && basesCollide(current, other));
  }

  private static boolean basesCollide(Operation.UpdateBases a, Operation.UpdateBases b) {
    for (BasePath one : a.newBases()) {
      for (BasePath other : b.newBases()) {
        boolean sameId = one.id() != 0 && one.id() == other.id();
        boolean sameName = one.name().isPresent() && one.name().equals(other.name());
        if (sameId || sameName || one.path().equals(other.path())) {
          return true;
        }
      }
    }
    return false;
  }

  private static <T> boolean overlap(Collection<T> a, Collection<T> b) {
    return !Collections.disjoint(a, b);
  }

  private boolean fragmentsOverlap(Operation current) {
    return overlap(modified(current), modified(committed));
  }

  /**
   * Whether a delete or update meets another in a fragment in a way that does not leave it to the
   * rows to decide.
   */
  private boolean rowsMayOverlap(Operation current) {
    if (basis.affectedRows().isEmpty()) {
      return fragmentsOverlap(current);
    }
    Set<Long> mine = modified(current);
    if (overlap(mine, removed(committed))) {
      return true;
    }
    for (FragmentMetadata theirs : updated(committed)) {
      FragmentMetadata before = basis.fragment(theirs.id());
      boolean newFiles = before == null || !before.files().equals(theirs.files());
      if (mine.contains(theirs.id()) && newFiles) {
        return true;
      }
    }
    return false;
  }

  /** The fragments that a delete or update changes. */
  private static List<FragmentMetadata> updated(Operation operation) {
    if (operation instanceof Operation.Delete delete) {
      return delete.updatedFragments();
    }
    return operation instanceof Operation.Update update ? update.updatedFragments() : List.of();
  }

  /** The fragments that a delete or update removes. */
  private static List<Long> removed(Operation operation) {
    if (operation instanceof Operation.Delete delete) {
      return delete.deletedFragmentIds();
    }
    return operation instanceof Operation.Update update ? update.removedFragmentIds() : List.of();
  }

  /** The existing fragments that an operation changes or removes. */
  private static Set<Long> modified(Operation operation) {
    Set<Long> ids = new HashSet<>(removed(operation));
    addIds(updated(operation), ids);
    if (operation instanceof Operation.Rewrite rewrite) {
      rewrite.groups().forEach(group -> addIds(group.oldFragments(), ids));
    } else if (operation instanceof Operation.DataReplacement replacement) {
      replacement.replacements().forEach(group -> ids.add(group.fragmentId()));
    }
    return ids;
  }

  private static void addIds(List<FragmentMetadata> fragments, Set<Long> ids) {
    fragments.forEach(fragment -> ids.add(fragment.id()));
  }

  private boolean committedSchemaInvalidatesFiles() {
    LanceSchema schema =
        committed instanceof Operation.Merge merge
            ? merge.schema()
            : ((Operation.Project) committed).schema();
    return SchemaChange.invalidatesFiles(basis.schema(), schema);
  }

  /** Whether the committed change of settings touches what a schema carries along. */
  private boolean changesSchemaMetadata() {
    Operation.UpdateConfig update = (Operation.UpdateConfig) committed;
    return update.schemaMetadata().isPresent() || !update.fieldMetadata().isEmpty();
  }

  private static boolean mayInsertSameKeys(Operation.Update current, Operation.Update other) {
    if (current.insertedKeys().isEmpty()) {
      return false;
    }
    if (other.insertedKeys().isEmpty()) {
      return true;
    }
    KeyFilter mine = current.insertedKeys().get();
    KeyFilter theirs = other.insertedKeys().get();
    return !mine.fieldIds().equals(theirs.fieldIds()) || mine.mayIntersect(theirs);
  }

  private static Optional<MapUpdate> upserts(Operation.Overwrite overwrite) {
    return Optional.of(MapUpdate.set(overwrite.configUpserts()));
  }

  /** Whether a key that one side sets is set or removed by the other. */
  private static boolean settingsOverlap(Optional<MapUpdate> a, Optional<MapUpdate> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return false;
    }
    for (Map.Entry<String, Optional<String>> entry : a.get().entries().entrySet()) {
      Optional<String> other = b.get().entries().get(entry.getKey());
      if (other != null && (entry.getValue().isPresent() || other.isPresent())) {
        return true;
      }
    }
    return false;
  }

  private static boolean configsCollide(Operation.UpdateConfig a, Operation.UpdateConfig b) {
    return settingsOverlap(a.config(), b.config())
        || (a.schemaMetadata().isPresent() && b.schemaMetadata().isPresent())
        || overlap(a.fieldMetadata().keySet(), b.fieldMetadata().keySet())
        || metadataOverlaps(a.tableMetadata(), b.tableMetadata());
  }

  private static boolean metadataOverlaps(Optional<MapUpdate> a, Optional<MapUpdate> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return false;
    }
    return a.get().replace()
        || b.get().replace()
        || overlap(a.get().entries().keySet(), b.get().entries().keySet());
  }

  private static boolean indicesCollide(Operation.CreateIndex a, Operation.CreateIndex b) {
    Set<String> names = names(a.newIndices());
    Set<String> otherNames = names(b.newIndices());
    return overlap(names, otherNames)
        || addsWhatOtherDrops(a, b)
        || addsWhatOtherDrops(b, a)
        || replacesTheSame(a, b);
  }

  private static boolean addsWhatOtherDrops(Operation.CreateIndex a, Operation.CreateIndex b) {
    Set<String> added = names(a.newIndices());
    added.removeAll(names(a.removedIndices()));
    return overlap(added, names(b.removedIndices()));
  }

  private static boolean replacesTheSame(Operation.CreateIndex a, Operation.CreateIndex b) {
    Set<UUID> removed = new HashSet<>();
    a.removedIndices().forEach(index -> removed.add(index.uuid()));
    Set<String> added = names(a.newIndices());
    added.addAll(names(b.newIndices()));
    return b.removedIndices().stream()
        .anyMatch(index -> removed.contains(index.uuid()) && added.contains(index.name()));
  }

  private static Set<String> names(List<IndexMetadata> indices) {
    Set<String> names = new HashSet<>();
    indices.forEach(index -> names.add(index.name()));
    return names;
  }

  /** Whether a rewrite leaves it to the fragment reuse index to translate addresses. */
  private static boolean isDeferred(Operation.Rewrite rewrite) {
    return rewrite.fragmentReuse().isPresent();
  }

  private static boolean changesFragmentReuse(Operation.CreateIndex creation) {
    return FragmentReuse.entry(creation.newIndices()).isPresent();
  }

  /** Whether all that is done is to replace the entry of the fragment reuse index. */
  private static boolean isTrim(Operation.CreateIndex creation) {
    return changesFragmentReuse(creation)
        && creation.newIndices().size() == 1
        && creation.removedIndices().size() == 1;
  }

  private static Verdict indexAfterRewrite(
      Operation.CreateIndex current, Operation.Rewrite rewrite) {
    if (!isDeferred(rewrite)) {
      return retryableIf(coversRewritten(current, rewrite));
    }
    return changesFragmentReuse(current)
        ? incompatibleIf(!isTrim(current))
        : retryableIf(losesRewritten(current, rewrite));
  }

  private static Verdict rewriteAfterIndex(
      Operation.Rewrite current, Operation.CreateIndex creation) {
    if (changesFragmentReuse(creation)) {
      return incompatibleIf(!isTrim(creation));
    }
    return retryableIf(
        isDeferred(current)
            ? losesRewritten(creation, current)
            : coversRewritten(creation, current));
  }

  /** Whether a new segment may cover a fragment that is rewritten. */
  private static boolean coversRewritten(
      Operation.CreateIndex creation, Operation.Rewrite rewrite) {
    RoaringBitmap old = ids(modified(rewrite));
    for (IndexMetadata index : creation.newIndices()) {
      Optional<RoaringBitmap> covered = index.fragments();
      if (covered.isEmpty() || RoaringBitmap.intersects(covered.get(), old)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the fragment reuse index cannot tell a new segment where its rows went. */
  private static boolean losesRewritten(Operation.CreateIndex creation, Operation.Rewrite rewrite) {
    for (IndexMetadata index : creation.newIndices()) {
      Optional<RoaringBitmap> covered = index.fragments();
      if (covered.isEmpty()) {
        return true;
      }
      for (Operation.RewriteGroup group : rewrite.groups()) {
        Set<Long> oldIds = new HashSet<>();
        addIds(group.oldFragments(), oldIds);
        RoaringBitmap old = ids(oldIds);
        boolean all = covered.get().contains(old) && !index.coversZones();
        if (!all && RoaringBitmap.intersects(covered.get(), old)) {
          return true;
        }
      }
    }
    return false;
  }

  private static RoaringBitmap ids(Set<Long> fragmentIds) {
    RoaringBitmap ids = new RoaringBitmap();
    fragmentIds.forEach(id -> ids.add(id.intValue()));
    return ids;
  }

  private static boolean indexes(Operation.CreateIndex creation, Collection<Integer> fieldIds) {
    return creation.newIndices().stream().anyMatch(index -> overlap(index.fieldIds(), fieldIds));
  }

  private static boolean lacksIndexedField(Operation.CreateIndex creation, LanceSchema schema) {
    return creation.newIndices().stream()
        .anyMatch(index -> !index.isSystem() && lacks(schema, index.fieldIds()));
  }

  private static boolean lacks(LanceSchema schema, Collection<Integer> fieldIds) {
    Set<Integer> missing = new HashSet<>(fieldIds);
    missing.removeIf(id -> id < 0);
    schema.flatten().forEach(field -> missing.remove(field.id()));
    return !missing.isEmpty();
  }

  private static Set<Integer> replacedFields(Operation.DataReplacement replacement) {
    Set<Integer> ids = new HashSet<>();
    replacement.replacements().forEach(group -> ids.addAll(group.newFile().fieldIds()));
    return ids;
  }

  private static Verdict replacementAfterUpdate(
      Operation.DataReplacement current, Operation.Update update) {
    Set<Long> targets = modified(current);
    if (overlap(targets, update.removedFragmentIds())) {
      return Verdict.INCOMPATIBLE;
    }
    Set<Long> updated = new HashSet<>();
    addIds(update.updatedFragments(), updated);
    boolean movesRows = !update.newFragments().isEmpty();
    boolean sameField = overlap(replacedFields(current), update.fieldsModified());
    return retryableIf(overlap(targets, updated) && (movesRows || sameField));
  }
}
