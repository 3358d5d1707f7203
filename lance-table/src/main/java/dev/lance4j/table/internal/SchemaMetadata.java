package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Transaction;
import java.util.Map;

/**
 * The metadata of the schema that an operation brings. The bytes of transactions do not hold it, so
 * whatever sends an operation elsewhere sends it as well.
 */
final class SchemaMetadata {
  private SchemaMetadata() {}

  /** The metadata; none if the operation brings no schema. */
  static Map<String, String> of(Operation operation) {
    if (operation instanceof Operation.Overwrite overwrite) {
      return overwrite.schema().metadata();
    }
    if (operation instanceof Operation.Merge merge) {
      return merge.schema().metadata();
    }
    if (operation instanceof Operation.Project project) {
      return project.schema().metadata();
    }
    return Map.of();
  }

  /** The transaction with the metadata in its operation's schema. */
  static Transaction put(Transaction transaction, Map<String, String> metadata) {
    if (metadata.isEmpty()) {
      return transaction;
    }
    return transaction.withOperation(put(transaction.operation(), metadata));
  }

  private static Operation put(Operation operation, Map<String, String> metadata) {
    if (operation instanceof Operation.Overwrite overwrite) {
      return new Operation.Overwrite(
          overwrite.fragments(),
          with(overwrite.schema(), metadata),
          overwrite.configUpserts(),
          overwrite.initialBases());
    }
    if (operation instanceof Operation.Merge merge) {
      return new Operation.Merge(merge.fragments(), with(merge.schema(), metadata));
    }
    if (operation instanceof Operation.Project project) {
      return new Operation.Project(with(project.schema(), metadata));
    }
    throw new InvalidInputException(
        "The operation " + operation.kind() + " has no schema that metadata could belong to");
  }

  private static LanceSchema with(LanceSchema schema, Map<String, String> metadata) {
    return new LanceSchema(schema.fields(), metadata);
  }
}
