package dev.lance4j.table;

import dev.lance4j.table.internal.MessageBytes;
import dev.lance4j.table.internal.TransactionJson;
import java.io.Serializable;
import java.util.Map;
import java.util.UUID;

/**
 * One operation on a table, computed from one version of it. Serialisable, so that it can be made
 * on one machine and committed on another.
 *
 * @param readVersion the version that the operation was computed from, 0 when a table is created
 * @param uuid tells it apart from all others; hyphenated, lower case
 * @param operation what it changes
 * @param tag a label for the version that it leads to; empty for none
 * @param properties free; {@value #COMMIT_MESSAGE} holds a message
 */
public record Transaction(
    long readVersion, String uuid, Operation operation, String tag, Map<String, String> properties)
    implements Serializable {

  /** The property for a message that describes the commit. */
  public static final String COMMIT_MESSAGE = "__lance_commit_message";

  public Transaction {
    properties = Map.copyOf(properties);
  }

  /** A transaction of its own, without label and properties. */
  public static Transaction of(long readVersion, Operation operation) {
    return new Transaction(readVersion, UUID.randomUUID().toString(), operation, "", Map.of());
  }

  /** The same transaction computed from another version. */
  public Transaction withReadVersion(long version) {
    return new Transaction(version, uuid, operation, tag, properties);
  }

  /** The same transaction with another operation. */
  public Transaction withOperation(Operation other) {
    return new Transaction(readVersion, uuid, other, tag, properties);
  }

  /** The same transaction with properties. */
  public Transaction withProperties(Map<String, String> newProperties) {
    return new Transaction(readVersion, uuid, operation, tag, newProperties);
  }

  /** The name of the transaction's file inside {@code _transactions}. */
  public String fileName() {
    return Long.toUnsignedString(readVersion) + "-" + uuid + ".txn";
  }

  /**
   * This transaction as JSON: the object of its operation, see {@link Operation#toJson}, with the
   * further keys {@code read_version}, {@code uuid}, {@code tag} and {@code
   * transaction_properties}.
   */
  public String toJson() {
    return TransactionJson.toJson(this);
  }

  /**
   * Reads what {@link #toJson} writes.
   *
   * @throws dev.lance4j.format.InvalidInputException if it is not the JSON of a transaction; the
   *     message names the key
   */
  public static Transaction fromJson(String json) {
    return TransactionJson.transaction(json);
  }

  private Object writeReplace() {
    return MessageBytes.of(this);
  }
}
