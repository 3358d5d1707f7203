package dev.lance4j.table;

import java.util.Map;
import java.util.UUID;

/**
 * One operation on a table, computed from one version of it.
 *
 * @param readVersion the version that the operation was computed from, 0 when a table is created
 * @param uuid tells it apart from all others; hyphenated, lower case
 * @param operation what it changes
 * @param tag a label for the version that it leads to; empty for none
 * @param properties free; {@value #COMMIT_MESSAGE} holds a message
 */
public record Transaction(
    long readVersion,
    String uuid,
    Operation operation,
    String tag,
    Map<String, String> properties) {

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

  /** The same transaction with properties. */
  public Transaction withProperties(Map<String, String> newProperties) {
    return new Transaction(readVersion, uuid, operation, tag, newProperties);
  }

  /** The name of the transaction's file inside {@code _transactions}. */
  public String fileName() {
    return Long.toUnsignedString(readVersion) + "-" + uuid + ".txn";
  }
}
