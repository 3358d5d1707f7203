package dev.lance4j.table.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.proto.table.TransactionProto.Transaction;
import java.math.BigInteger;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Between messages and JSON. An object has the names of the message's fields; numbers are numbers,
 * also those of 64 bits; enums are names; bytes are Base64, but text in maps by name; UUIDs are
 * text. Fragments and what they hold have the form that the other implementations use, see {@link
 * FragmentJson}.
 */
final class MessageJson {
  /** A message that is not written field by field. */
  interface Form {
    JsonNode toJson(Message message);

    Message fromJson(JsonValue value);
  }

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The key of bytes that a later writer added to a message and that are carried along. */
  private static final String UNKNOWN = "unknown_fields";

  private static final Map<Descriptor, Form> FORMS =
      Map.of(
          TableProto.UUID.getDescriptor(), new UuidForm(),
          TableProto.DataFragment.getDescriptor(), FragmentJson.FRAGMENT,
          TableProto.DataFile.getDescriptor(), FragmentJson.DATA_FILE);

  /** Fields of the messages that are not part of what a transaction means. */
  private static final Set<FieldDescriptor> LEFT_OUT =
      Set.of(
          Transaction.getDescriptor().findFieldByName("data_overlay"),
          Transaction.getDescriptor().findFieldByName("composite_operation"),
          Transaction.Overwrite.getDescriptor().findFieldByName("schema_metadata"),
          Transaction.Merge.getDescriptor().findFieldByName("schema_metadata"),
          Transaction.Rewrite.getDescriptor().findFieldByName("old_fragments"),
          Transaction.Rewrite.getDescriptor().findFieldByName("new_fragments"),
          Transaction.UpdateConfig.getDescriptor().findFieldByName("upsert_values"),
          Transaction.UpdateConfig.getDescriptor().findFieldByName("delete_keys"),
          Transaction.UpdateConfig.getDescriptor().findFieldByName("schema_metadata"),
          Transaction.UpdateConfig.getDescriptor().findFieldByName("field_metadata"));

  private MessageJson() {}

  static JsonNode toJson(Message message) {
    Form form = FORMS.get(message.getDescriptorForType());
    if (form != null) {
      return form.toJson(message);
    }
    ObjectNode object = NODES.objectNode();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      boolean absent = field.hasPresence() && !message.hasField(field);
      if (!absent && !LEFT_OUT.contains(field)) {
        object.set(field.getName(), fieldToJson(field, message.getField(field)));
      }
    }
    if (!message.getUnknownFields().asMap().isEmpty()) {
      object.set(UNKNOWN, bytes(message.getUnknownFields().toByteString()));
    }
    return object;
  }

  private static JsonNode fieldToJson(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      return mapToJson(field, (List<?>) value);
    }
    if (!field.isRepeated()) {
      return valueToJson(field, value);
    }
    ArrayNode array = NODES.arrayNode();
    for (Object element : (List<?>) value) {
      array.add(valueToJson(field, element));
    }
    return array;
  }

  private static JsonNode mapToJson(FieldDescriptor map, List<?> entries) {
    FieldDescriptor valueField = valueField(map);
    Map<String, JsonNode> sorted = new TreeMap<>();
    for (Object each : entries) {
      MapEntry<?, ?> entry = (MapEntry<?, ?>) each;
      JsonNode value =
          isText(map)
              ? NODES.textNode(((ByteString) entry.getValue()).toStringUtf8())
              : valueToJson(valueField, entry.getValue());
      sorted.put(valueToJson(keyField(map), entry.getKey()).asText(), value);
    }
    ObjectNode object = NODES.objectNode();
    sorted.forEach(object::set);
    return object;
  }

  private static JsonNode valueToJson(FieldDescriptor field, Object value) {
    return switch (field.getJavaType()) {
      case INT ->
          isUnsigned(field)
              ? NODES.numberNode(Integer.toUnsignedLong((Integer) value))
              : NODES.numberNode((Integer) value);
      case LONG -> isUnsigned(field) ? unsigned((Long) value) : NODES.numberNode((Long) value);
      case FLOAT -> NODES.numberNode((Float) value);
      case DOUBLE -> NODES.numberNode((Double) value);
      case BOOLEAN -> NODES.booleanNode((Boolean) value);
      case STRING -> NODES.textNode((String) value);
      case BYTE_STRING -> bytes((ByteString) value);
      case ENUM -> NODES.textNode(((EnumValueDescriptor) value).getName());
      case MESSAGE -> toJson((Message) value);
    };
  }

  static JsonNode unsigned(long value) {
    return value >= 0
        ? NODES.numberNode(value)
        : NODES.numberNode(new BigInteger(Long.toUnsignedString(value)));
  }

  private static JsonNode bytes(ByteString value) {
    return NODES.textNode(Base64.getEncoder().encodeToString(value.toByteArray()));
  }

  /** Fills a message; keys that are missing leave its fields as they are. */
  static Message fromJson(JsonValue value, Message.Builder message) {
    Descriptor descriptor = message.getDescriptorForType();
    Form form = FORMS.get(descriptor);
    if (form != null) {
      return form.fromJson(value);
    }
    value
        .members()
        .forEach(
            (name, member) -> {
              FieldDescriptor field = descriptor.findFieldByName(name);
              if (name.equals(UNKNOWN)) {
                message.setUnknownFields(unknownFields(member));
              } else if (field == null || LEFT_OUT.contains(field)) {
                member.refuseUnknown();
              } else if (!member.isNull()) {
                setField(message, field, member);
              }
            });
    return message.build();
  }

  private static void setField(Message.Builder message, FieldDescriptor field, JsonValue value) {
    if (field.isMapField()) {
      addEntries(message, field, value);
    } else if (field.isRepeated()) {
      for (JsonValue element : value.elements()) {
        message.addRepeatedField(field, fromJson(message, field, element));
      }
    } else if (field.getContainingOneof() != null && message.hasOneof(field.getContainingOneof())) {
      throw new InvalidInputException(
          value.where()
              + " excludes "
              + message.getOneofFieldDescriptor(field.getContainingOneof()).getName()
              + "; give one of them");
    } else {
      message.setField(field, fromJson(message, field, value));
    }
  }

  private static void addEntries(Message.Builder message, FieldDescriptor map, JsonValue value) {
    FieldDescriptor valueField = valueField(map);
    for (Map.Entry<String, JsonValue> member : value.members().entrySet()) {
      Message.Builder entry = message.newBuilderForField(map);
      entry.setField(keyField(map), key(keyField(map), member));
      entry.setField(
          valueField,
          isText(map)
              ? ByteString.copyFromUtf8(member.getValue().text())
              : fromJson(entry, valueField, member.getValue()));
      message.addRepeatedField(map, entry.build());
    }
  }

  private static Object key(FieldDescriptor field, Map.Entry<String, JsonValue> member) {
    String key = member.getKey();
    try {
      return switch (field.getJavaType()) {
        case STRING -> key;
        case INT -> isUnsigned(field) ? Integer.parseUnsignedInt(key) : Integer.parseInt(key);
        case LONG -> isUnsigned(field) ? Long.parseUnsignedLong(key) : Long.parseLong(key);
        case FLOAT, DOUBLE, BOOLEAN, BYTE_STRING, ENUM, MESSAGE ->
            throw new IllegalStateException("No map has keys like " + field);
      };
    } catch (NumberFormatException e) {
      throw new InvalidInputException(
          member.getValue().where() + " must have a number for its key", e);
    }
  }

  private static Object fromJson(Message.Builder parent, FieldDescriptor field, JsonValue value) {
    return switch (field.getJavaType()) {
      case INT -> value.intNumber(isUnsigned(field));
      case LONG -> value.longNumber(isUnsigned(field));
      case FLOAT -> (float) value.number();
      case DOUBLE -> value.number();
      case BOOLEAN -> value.bool();
      case STRING -> value.text();
      case BYTE_STRING -> bytes(value);
      case ENUM -> enumValue(field, value);
      case MESSAGE -> fromJson(value, parent.newBuilderForField(field));
    };
  }

  private static EnumValueDescriptor enumValue(FieldDescriptor field, JsonValue value) {
    EnumValueDescriptor named = field.getEnumType().findValueByName(value.text());
    if (named == null) {
      throw value.expected(
          "one of "
              + field.getEnumType().getValues().stream()
                  .map(EnumValueDescriptor::getName)
                  .toList());
    }
    return named;
  }

  private static ByteString bytes(JsonValue value) {
    try {
      return ByteString.copyFrom(Base64.getDecoder().decode(value.text()));
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(value.where() + " must be Base64", e);
    }
  }

  private static UnknownFieldSet unknownFields(JsonValue value) {
    try {
      return UnknownFieldSet.parseFrom(bytes(value));
    } catch (InvalidProtocolBufferException e) {
      throw new InvalidInputException(value.where() + " does not hold fields of a message", e);
    }
  }

  /** Metadata by name is text although messages hold bytes. */
  private static boolean isText(FieldDescriptor map) {
    return keyField(map).getJavaType() == FieldDescriptor.JavaType.STRING
        && valueField(map).getJavaType() == FieldDescriptor.JavaType.BYTE_STRING;
  }

  private static FieldDescriptor keyField(FieldDescriptor map) {
    return map.getMessageType().findFieldByNumber(1);
  }

  private static FieldDescriptor valueField(FieldDescriptor map) {
    return map.getMessageType().findFieldByNumber(2);
  }

  private static boolean isUnsigned(FieldDescriptor field) {
    return switch (field.getType()) {
      case UINT32, UINT64, FIXED32, FIXED64 -> true;
      default -> false;
    };
  }

  private static final class UuidForm implements Form {
    @Override
    public JsonNode toJson(Message message) {
      return NODES.textNode(IndexMessages.uuid((TableProto.UUID) message, "UUID").toString());
    }

    @Override
    public Message fromJson(JsonValue value) {
      String text = value.text();
      try {
        java.util.UUID uuid = java.util.UUID.fromString(text);
        if (uuid.toString().equalsIgnoreCase(text)) {
          return IndexMessages.toMessage(uuid);
        }
      } catch (IllegalArgumentException e) {
        // Said below, as for text of which only a part is a UUID.
      }
      throw new InvalidInputException(
          value.where() + " is '" + text + "', which is not a hyphenated UUID");
    }
  }
}
