package dev.lance4j.table;

import com.google.protobuf.ByteString;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.internal.MessageBytes;
import dev.lance4j.table.internal.TransactionJson;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a transaction changes. Fragments in an operation are given as they are afterwards. Each kind
 * is a record; whatever treats them differently is a {@link Visitor}, so that a new kind does not
 * compile before it is decided everywhere. Serialisable, so that what many machines wrote can be
 * committed by one.
 */
public sealed interface Operation extends Serializable {
  /** Calls the visitor's method for this kind. */
  <R> R accept(Visitor<R> visitor);

  /** Which kind this is. */
  Kind kind();

  /** Adds the rows of fragments that {@code FragmentWriter}s wrote. */
  static Append append(List<FragmentMetadata> fragments) {
    return new Append(fragments);
  }

  /** Creates a table or replaces its schema and rows, with fragments that were written for it. */
  static Overwrite overwrite(List<FragmentMetadata> fragments, LanceSchema schema) {
    return new Overwrite(fragments, schema);
  }

  /**
   * This operation as JSON: an object with one key, the operation's name in the format's
   * transactions (such as {@code append}), whose value has the names of the fields there. Fragments
   * are as {@link FragmentMetadata#toJson} has them. The metadata of an operation's schema, which
   * the format's transactions lack, are under the key {@code schema_metadata} beside it.
   */
  default String toJson() {
    return TransactionJson.toJson(this);
  }

  /**
   * Reads what {@link #toJson} writes.
   *
   * @throws dev.lance4j.format.InvalidInputException if it is not the JSON of an operation; the
   *     message names the key
   */
  static Operation fromJson(String json) {
    return TransactionJson.operation(json);
  }

  /** The kinds of operations, for rules about pairs of them. */
  enum Kind {
    APPEND("Append"),
    DELETE("Delete"),
    OVERWRITE("Overwrite"),
    CREATE_INDEX("CreateIndex"),
    REWRITE("Rewrite"),
    MERGE("Merge"),
    RESTORE("Restore"),
    RESERVE_FRAGMENTS("ReserveFragments"),
    UPDATE("Update"),
    PROJECT("Project"),
    UPDATE_CONFIG("UpdateConfig"),
    DATA_REPLACEMENT("DataReplacement"),
    UPDATE_MEM_WAL_STATE("UpdateMemWalState"),
    CLONE("Clone"),
    UPDATE_BASES("UpdateBases");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The name that errors show. */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Adds rows.
   *
   * @param fragments the new fragments, with id 0
   */
  record Append(List<FragmentMetadata> fragments) implements Operation {
    public Append {
      fragments = List.copyOf(fragments);
    }

    @Override
    public Kind kind() {
      return Kind.APPEND;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.append(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Deletes rows.
   *
   * @param updatedFragments those that keep rows, with their new deletion file
   * @param deletedFragmentIds those that keep none
   * @param predicate which rows, for information only
   */
  record Delete(
      List<FragmentMetadata> updatedFragments, List<Long> deletedFragmentIds, String predicate)
      implements Operation {
    public Delete {
      updatedFragments = List.copyOf(updatedFragments);
      deletedFragmentIds = List.copyOf(deletedFragmentIds);
    }

    @Override
    public Kind kind() {
      return Kind.DELETE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.delete(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Creates a table or replaces its whole content.
   *
   * @param fragments the new content, with id 0
   * @param schema the new schema; its metadata reaches the manifest but not the transaction's bytes
   * @param configUpserts settings to add to the table's
   * @param initialBases places for files; only when the table is created
   */
  record Overwrite(
      List<FragmentMetadata> fragments,
      LanceSchema schema,
      Map<String, String> configUpserts,
      List<BasePath> initialBases)
      implements Operation {
    public Overwrite {
      fragments = List.copyOf(fragments);
      configUpserts = Map.copyOf(configUpserts);
      initialBases = List.copyOf(initialBases);
    }

    /** Content and schema, no settings. */
    public Overwrite(List<FragmentMetadata> fragments, LanceSchema schema) {
      this(fragments, schema, Map.of(), List.of());
    }

    @Override
    public Kind kind() {
      return Kind.OVERWRITE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.overwrite(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Adds and removes index segments.
   *
   * @param newIndices segments to add
   * @param removedIndices segments to remove, found by their uuid
   */
  record CreateIndex(List<IndexMetadata> newIndices, List<IndexMetadata> removedIndices)
      implements Operation {
    public CreateIndex {
      newIndices = List.copyOf(newIndices);
      removedIndices = List.copyOf(removedIndices);
    }

    @Override
    public Kind kind() {
      return Kind.CREATE_INDEX;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.createIndex(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Moves rows to other fragments without changing them.
   *
   * @param groups which fragments become which
   * @param rewrittenIndices segments whose row addresses were translated
   * @param fragmentReuse the {@link FragmentReuse} entry of the next version, if the translation is
   *     left for later; the bytes of transactions do not hold it
   */
  record Rewrite(
      List<RewriteGroup> groups,
      List<RewrittenIndex> rewrittenIndices,
      Optional<IndexMetadata> fragmentReuse)
      implements Operation {
    public Rewrite {
      groups = List.copyOf(groups);
      rewrittenIndices = List.copyOf(rewrittenIndices);
    }

    /** A rewrite after which no index holds addresses of the fragments that vanish. */
    public Rewrite(List<RewriteGroup> groups, List<RewrittenIndex> rewrittenIndices) {
      this(groups, rewrittenIndices, Optional.empty());
    }

    /** This rewrite with an entry for the addresses that indices still hold. */
    public Rewrite withFragmentReuse(IndexMetadata entry) {
      return new Rewrite(groups, rewrittenIndices, Optional.of(entry));
    }

    @Override
    public Kind kind() {
      return Kind.REWRITE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.rewrite(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Fragments that are rewritten together.
   *
   * @param oldFragments those that vanish
   * @param newFragments those that take their place, with reserved ids or id 0
   */
  record RewriteGroup(List<FragmentMetadata> oldFragments, List<FragmentMetadata> newFragments) {
    public RewriteGroup {
      oldFragments = List.copyOf(oldFragments);
      newFragments = List.copyOf(newFragments);
    }
  }

  /**
   * A segment that another takes the place of.
   *
   * @param oldId the segment that vanishes
   * @param newId the one in its place
   * @param details of the new one
   * @param version of the new one's format
   * @param files all files of the new one; empty when not known
   */
  record RewrittenIndex(
      UUID oldId, UUID newId, IndexDetails details, int version, List<IndexFile> files) {
    public RewrittenIndex {
      files = List.copyOf(files);
    }
  }

  /**
   * Adds columns to fragments.
   *
   * @param fragments all fragments of the next version
   * @param schema the whole new schema
   */
  record Merge(List<FragmentMetadata> fragments, LanceSchema schema) implements Operation {
    public Merge {
      fragments = List.copyOf(fragments);
    }

    @Override
    public Kind kind() {
      return Kind.MERGE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.merge(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Makes an earlier version the newest one.
   *
   * @param version the earlier version
   */
  record Restore(long version) implements Operation {
    @Override
    public Kind kind() {
      return Kind.RESTORE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.restore(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Sets fragment ids aside.
   *
   * @param count how many
   */
  record ReserveFragments(int count) implements Operation {
    @Override
    public Kind kind() {
      return Kind.RESERVE_FRAGMENTS;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.reserveFragments(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /** How an update stores the new values. */
  enum UpdateMode {
    /** Changed rows are written anew as a whole and deleted where they were. */
    REWRITE_ROWS,
    /** Changed columns are written anew for whole fragments. */
    REWRITE_COLUMNS
  }

  /**
   * Changes rows, and perhaps adds some.
   *
   * @param removedFragmentIds fragments all of whose rows moved away
   * @param updatedFragments fragments with a new deletion file or new files
   * @param newFragments moved rows, then inserted ones, with id 0
   * @param fieldsModified the fields that were rewritten in place
   * @param mergedGenerations messages of memory tables that were merged, kept as they are
   * @param fieldsWithNewValues the fields whose values changed; indices on others stay right
   * @param mode how the new values are stored
   * @param insertedKeys the keys of inserted rows, if concurrent merges must not insert the same
   * @param rowsUpdatedInPlace the rows of updated fragments that have new values in new files; the
   *     version in which they changed last follows from it
   */
  record Update(
      List<Long> removedFragmentIds,
      List<FragmentMetadata> updatedFragments,
      List<FragmentMetadata> newFragments,
      List<Integer> fieldsModified,
      List<ByteString> mergedGenerations,
      List<Integer> fieldsWithNewValues,
      UpdateMode mode,
      Optional<KeyFilter> insertedKeys,
      RowAddressSet rowsUpdatedInPlace)
      implements Operation {
    public Update {
      removedFragmentIds = List.copyOf(removedFragmentIds);
      updatedFragments = List.copyOf(updatedFragments);
      newFragments = List.copyOf(newFragments);
      fieldsModified = List.copyOf(fieldsModified);
      mergedGenerations = List.copyOf(mergedGenerations);
      fieldsWithNewValues = List.copyOf(fieldsWithNewValues);
    }

    /** Without rows that were updated in place. */
    public Update(
        List<Long> removedFragmentIds,
        List<FragmentMetadata> updatedFragments,
        List<FragmentMetadata> newFragments,
        List<Integer> fieldsModified,
        List<ByteString> mergedGenerations,
        List<Integer> fieldsWithNewValues,
        UpdateMode mode,
        Optional<KeyFilter> insertedKeys) {
      this(
          removedFragmentIds,
          updatedFragments,
          newFragments,
          fieldsModified,
          mergedGenerations,
          fieldsWithNewValues,
          mode,
          insertedKeys,
          RowAddressSet.EMPTY);
    }

    /**
     * Rows that were written anew as a whole.
     *
     * @param fieldsWithNewValues the fields whose values changed, or all where that is not known
     */
    public static Update ofRows(
        List<Long> removedFragmentIds,
        List<FragmentMetadata> updatedFragments,
        List<FragmentMetadata> newFragments,
        List<Integer> fieldsWithNewValues) {
      return new Update(
          removedFragmentIds,
          updatedFragments,
          newFragments,
          List.of(),
          List.of(),
          fieldsWithNewValues,
          UpdateMode.REWRITE_ROWS,
          Optional.empty());
    }

    @Override
    public Kind kind() {
      return Kind.UPDATE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.update(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Drops or alters columns without touching data.
   *
   * @param schema the whole new schema
   */
  record Project(LanceSchema schema) implements Operation {
    @Override
    public Kind kind() {
      return Kind.PROJECT;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.project(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Changes settings and metadata.
   *
   * @param config of the table's settings
   * @param tableMetadata of the user's metadata of the table
   * @param schemaMetadata of the schema's metadata
   * @param fieldMetadata of fields' metadata, by field id
   */
  record UpdateConfig(
      Optional<MapUpdate> config,
      Optional<MapUpdate> tableMetadata,
      Optional<MapUpdate> schemaMetadata,
      Map<Integer, MapUpdate> fieldMetadata)
      implements Operation {
    public UpdateConfig {
      fieldMetadata = Map.copyOf(fieldMetadata);
    }

    /** Changes settings only. */
    public static UpdateConfig ofConfig(MapUpdate config) {
      return new UpdateConfig(Optional.of(config), Optional.empty(), Optional.empty(), Map.of());
    }

    /** Changes the metadata of the table only. */
    public static UpdateConfig ofTableMetadata(MapUpdate change) {
      return new UpdateConfig(Optional.empty(), Optional.of(change), Optional.empty(), Map.of());
    }

    /** Changes the metadata of the schema only. */
    public static UpdateConfig ofSchemaMetadata(MapUpdate change) {
      return new UpdateConfig(Optional.empty(), Optional.empty(), Optional.of(change), Map.of());
    }

    /** Changes the metadata of fields only, by field id. */
    public static UpdateConfig ofFieldMetadata(Map<Integer, MapUpdate> changes) {
      return new UpdateConfig(Optional.empty(), Optional.empty(), Optional.empty(), changes);
    }

    @Override
    public Kind kind() {
      return Kind.UPDATE_CONFIG;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.updateConfig(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Replaces whole data files.
   *
   * @param replacements the new file of each fragment
   */
  record DataReplacement(List<Replacement> replacements) implements Operation {
    public DataReplacement {
      replacements = List.copyOf(replacements);
    }

    @Override
    public Kind kind() {
      return Kind.DATA_REPLACEMENT;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.dataReplacement(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * A data file that replaces the one with the same fields.
   *
   * @param fragmentId the fragment
   * @param newFile the new file
   */
  record Replacement(long fragmentId, DataFile newFile) {}

  /**
   * Records which memory tables were merged.
   *
   * @param mergedGenerations messages of memory tables, kept as they are
   */
  record UpdateMemWalState(List<ByteString> mergedGenerations) implements Operation {
    public UpdateMemWalState {
      mergedGenerations = List.copyOf(mergedGenerations);
    }

    @Override
    public Kind kind() {
      return Kind.UPDATE_MEM_WAL_STATE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.updateMemWalState(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Creates a table that starts as a version of another.
   *
   * @param shallow whether files stay where they are
   * @param refName the branch or tag that named the version
   * @param refVersion the version
   * @param refPath where the other table is
   * @param branchName the branch that the new table is, if it is one
   */
  record Clone(
      boolean shallow,
      Optional<String> refName,
      long refVersion,
      String refPath,
      Optional<String> branchName)
      implements Operation {
    @Override
    public Kind kind() {
      return Kind.CLONE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.cloneTable(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /**
   * Adds places for files.
   *
   * @param newBases the places; id 0 means that the commit assigns one
   */
  record UpdateBases(List<BasePath> newBases) implements Operation {
    public UpdateBases {
      newBases = List.copyOf(newBases);
    }

    @Override
    public Kind kind() {
      return Kind.UPDATE_BASES;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.updateBases(this);
    }

    private Object writeReplace() {
      return MessageBytes.of(this);
    }
  }

  /** A function with a case for each kind of operation. */
  interface Visitor<R> {
    R append(Append operation);

    R delete(Delete operation);

    R overwrite(Overwrite operation);

    R createIndex(CreateIndex operation);

    R rewrite(Rewrite operation);

    R merge(Merge operation);

    R restore(Restore operation);

    R reserveFragments(ReserveFragments operation);

    R update(Update operation);

    R project(Project operation);

    R updateConfig(UpdateConfig operation);

    R dataReplacement(DataReplacement operation);

    R updateMemWalState(UpdateMemWalState operation);

    R cloneTable(Clone operation);

    R updateBases(UpdateBases operation);
  }
}
