package dev.lance4j.table.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.proto.table.TransactionProto;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Transaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The JSON of what is sent between the machines that take part in one write. */
public final class TransactionJson {
  // Beside the operation, because its message has no place for them.
  private static final String SCHEMA_METADATA = "schema_metadata";
  private static final String FRAGMENT_REUSE = "fragment_reuse";
  private static final List<String> TRANSACTION_ONLY =
      List.of("read_version", "uuid", "tag", "transaction_properties");

  private TransactionJson() {}

  /** The JSON of a fragment. */
  public static String toJson(FragmentMetadata fragment) {
    return MessageJson.toJson(FragmentMessages.toMessage(fragment)).toString();
  }

  /**
   * Reads a fragment.
   *
   * @throws InvalidInputException if it is not one
   */
  public static FragmentMetadata fragment(String json) {
    Message message =
        MessageJson.fromJson(
            JsonValue.parse(json, "fragment"), TableProto.DataFragment.newBuilder());
    return checked(
        () -> FragmentMessages.fromMessage((TableProto.DataFragment) message, "JSON"), "fragment");
  }

  /** The JSON of an index segment. */
  public static String toJson(IndexMetadata index) {
    return MessageJson.toJson(IndexMessages.toMessage(index)).toString();
  }

  /**
   * Reads an index segment.
   *
   * @throws InvalidInputException if it is not one
   */
  public static IndexMetadata index(String json) {
    return index(JsonValue.parse(json, "index segment"));
  }

  private static IndexMetadata index(JsonValue json) {
    Message message = MessageJson.fromJson(json, TableProto.IndexMetadata.newBuilder());
    return checked(
        () -> IndexMessages.fromMessage((TableProto.IndexMetadata) message, "JSON"),
        "index segment");
  }

  /** The JSON of an operation. */
  public static String toJson(Operation operation) {
    ObjectNode object = toObject(new Transaction(0, "", operation, "", Map.of()));
    return object.remove(TRANSACTION_ONLY).toString();
  }

  /** The JSON of a transaction. */
  public static String toJson(Transaction transaction) {
    return toObject(transaction).toString();
  }

  private static ObjectNode toObject(Transaction transaction) {
    ObjectNode object = (ObjectNode) MessageJson.toJson(TransactionMessages.toMessage(transaction));
    Map<String, String> metadata = SchemaMetadata.of(transaction.operation());
    if (!metadata.isEmpty()) {
      ObjectNode node = object.putObject(SCHEMA_METADATA);
      new TreeMap<>(metadata).forEach(node::put);
    }
    if (transaction.operation() instanceof Operation.Rewrite rewrite) {
      rewrite
          .fragmentReuse()
          .ifPresent(
              entry ->
                  object.set(FRAGMENT_REUSE, MessageJson.toJson(IndexMessages.toMessage(entry))));
    }
    return object;
  }

  /**
   * Reads an operation.
   *
   * @throws InvalidInputException if it is not one
   */
  public static Operation operation(String json) {
    JsonValue value = JsonValue.parse(json, "operation");
    Map<String, JsonValue> members = value.members();
    for (String key : TRANSACTION_ONLY) {
      if (members.containsKey(key)) {
        throw new InvalidInputException(
            members.get(key).where() + " belongs to a transaction; read it as one");
      }
    }
    return fromObject(value).operation();
  }

  /**
   * Reads a transaction.
   *
   * @throws InvalidInputException if it is not one
   */
  public static Transaction transaction(String json) {
    Transaction transaction = fromObject(JsonValue.parse(json, "transaction"));
    Checks.requireUuid(transaction.uuid());
    return transaction;
  }

  private static Transaction fromObject(JsonValue value) {
    Map<String, String> metadata = new LinkedHashMap<>();
    JsonNode node = value.node();
    JsonValue message = value;
    if (node.has(FRAGMENT_REUSE)) {
      IndexMetadata entry = index(value.members().get(FRAGMENT_REUSE));
      JsonValue rest = new JsonValue(without(value, FRAGMENT_REUSE), value.where());
      return TransactionMessages.withFragmentReuse(fromObject(rest), entry);
    }
    if (node.has(SCHEMA_METADATA)) {
      value
          .members()
          .get(SCHEMA_METADATA)
          .members()
          .forEach((key, text) -> metadata.put(key, text.text()));
      message = new JsonValue(without(value, SCHEMA_METADATA), value.where());
    }
    Message parsed = MessageJson.fromJson(message, TransactionProto.Transaction.newBuilder());
    Transaction transaction =
        checked(
            () -> TransactionMessages.fromMessage((TransactionProto.Transaction) parsed, "JSON"),
            value.where());
    return SchemaMetadata.put(transaction, metadata);
  }

  private static ObjectNode without(JsonValue value, String key) {
    ObjectNode rest = JsonNodeFactory.instance.objectNode();
    value
        .members()
        .forEach(
            (name, member) -> {
              if (!name.equals(key)) {
                rest.set(name, member.node());
              }
            });
    return rest;
  }

  private static <T> T checked(Supplier<T> parse, String what) {
    try {
      return parse.get();
    } catch (CorruptFileException e) {
      throw new InvalidInputException(
          "This is not the JSON of a " + what + ": " + e.getMessage(), e);
    }
  }
}
