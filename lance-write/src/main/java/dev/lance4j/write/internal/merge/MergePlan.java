package dev.lance4j.write.internal.merge;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.PrimaryKey;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Schema;

/** What a merge does, fitted to the columns of a table and of a source. Immutable. */
final class MergePlan {
  private final MergeOptions options;
  private final LanceSchema table;
  private final LanceSchema tableAsRead;
  private final SourceColumns source;
  private final KeyColumns keys;
  private final Optional<MergeCondition> updateCondition;
  private final Optional<MergeCondition> deleteCondition;

  private MergePlan(
      MergeOptions options, LanceSchema table, SourceColumns source, KeyColumns keys) {
    this.options = options;
    this.table = table;
    this.source = source;
    this.keys = keys;
    this.tableAsRead = BlobV2Fields.described(table);
    this.updateCondition =
        options
            .whenMatched()
            .condition()
            .map(
                text -> MergeCondition.ofPairs(text, PendingBlobs.of(source.given()), tableAsRead));
    this.deleteCondition =
        options
            .whenNotMatchedBySource()
            .condition()
            .map(text -> MergeCondition.ofTarget(text, tableAsRead));
  }

  /**
   * @param input the source's schema
   * @throws InvalidInputException if there is no such key, or a condition does not fit
   * @throws SchemaMismatchException if the source does not fit the table
   */
  static MergePlan of(MergeOptions options, LanceSchema table, Schema input) {
    KeyColumns keys = KeyColumns.of(table, options.on());
    SourceColumns source = SourceColumns.of(table, input);
    for (LanceField key : keys.fields()) {
      if (!key.equals(source.given().field(key.name()))) {
        throw new SchemaMismatchException(
            "The source of the merge lacks the key column '" + key.name() + "', or a part of it");
      }
    }
    MergePlan plan = new MergePlan(options, table, source, keys);
    if (options.whenNotMatched().inserts()) {
      plan.requireInsertable();
    }
    if (options.form() == MergeOptions.Form.REWRITE_COLUMNS) {
      plan.requireInPlace();
    }
    return plan;
  }

  private void requireInsertable() {
    List<String> missing = new ArrayList<>();
    collectRequired(table.fields(), source.given().fields(), "", missing);
    if (!missing.isEmpty()) {
      throw new SchemaMismatchException(
          "The source lacks "
              + missing
              + ", which must not be null, so that its rows cannot be inserted; give values, or do"
              + " nothing with rows that are not matched");
    }
  }

  private static void collectRequired(
      List<LanceField> expected, List<LanceField> given, String path, List<String> missing) {
    for (LanceField field : expected) {
      Optional<LanceField> other =
          given.stream().filter(candidate -> candidate.id() == field.id()).findFirst();
      if (other.isPresent()) {
        collectRequired(
            field.children(), other.get().children(), path + field.name() + '.', missing);
      } else if (!field.nullable()) {
        missing.add(path + field.name());
      }
    }
  }

  private void requireInPlace() {
    String reason = null;
    if (options.whenMatched().action() != WhenMatched.Action.UPDATE) {
      reason = "matched rows are not updated";
    } else if (options.whenNotMatchedBySource().deletes()) {
      reason = "rows that are not in the source are deleted";
    } else if (source.hasPartialStructs()) {
      reason = "the source leaves out fields of a struct column";
    } else if (columnsInPlace().fields().isEmpty()) {
      reason = "the source has nothing but the key";
    }
    if (reason != null) {
      throw new InvalidInputException(
          "The merge cannot update columns in place, because " + reason + "; let it rewrite rows");
    }
  }

  MergeOptions options() {
    return options;
  }

  LanceSchema table() {
    return table;
  }

  SourceColumns source() {
    return source;
  }

  KeyColumns keys() {
    return keys;
  }

  WhenMatched.Action matchedAction() {
    return options.whenMatched().action();
  }

  boolean updates() {
    return matchedAction() == WhenMatched.Action.UPDATE;
  }

  boolean inserts() {
    return options.whenNotMatched().inserts();
  }

  boolean deletesBySource() {
    return options.whenNotMatchedBySource().deletes();
  }

  Optional<MergeCondition> updateCondition() {
    return updateCondition;
  }

  Optional<MergeCondition> deleteCondition() {
    return deleteCondition;
  }

  /** Whether concurrent inserts of the same keys must be noticed. */
  boolean guardsInserts() {
    List<Integer> primary = PrimaryKey.of(table).stream().map(LanceField::id).toList();
    return options.guardsInserts() || keys.fieldIds().equals(primary);
  }

  /**
   * The columns of the table that have to be read to compare it with the source, with blobs as
   * descriptors.
   */
  LanceSchema comparedColumns() {
    Set<Integer> ids = new LinkedHashSet<>(keys.fieldIds());
    updateCondition.ifPresent(c -> c.targetColumns().forEach(field -> ids.add(field.id())));
    deleteCondition.ifPresent(c -> c.targetColumns().forEach(field -> ids.add(field.id())));
    return new LanceSchema(
        tableAsRead.fields().stream().filter(field -> ids.contains(field.id())).toList(),
        table.metadata());
  }

  /** Whether updated values are written beside the others instead of with the whole row. */
  boolean isInPlace() {
    return switch (options.form()) {
      case REWRITE_ROWS -> false;
      case REWRITE_COLUMNS -> true;
      case AUTO ->
          updates()
              && !deletesBySource()
              && !source.hasPartialStructs()
              && source.given().fields().size() < table.fields().size()
              && !columnsInPlace().fields().isEmpty();
    };
  }

  /**
   * The columns that an update in place writes: those of the source but the key, which is equal.
   */
  LanceSchema columnsInPlace() {
    List<Integer> keyIds = keys.fieldIds();
    return new LanceSchema(
        source.given().fields().stream().filter(field -> !keyIds.contains(field.id())).toList(),
        table.metadata());
  }
}
