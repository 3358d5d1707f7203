package dev.lance4j.format.schema;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.file.Dictionary;
import dev.lance4j.format.proto.file.Encoding;
import dev.lance4j.format.proto.file.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Between a schema and the flat list of field messages that files and manifests hold. */
public final class SchemaMessages {
  private static final int TOP_LEVEL = -1;
  private static final int NO_ID = -1;
  private static final String PRIMARY_KEY = "lance-schema:unenforced-primary-key";
  private static final String PRIMARY_KEY_POSITION = "lance-schema:unenforced-primary-key:position";
  private static final String CLUSTERING_KEY_POSITION =
      "lance-schema:unenforced-clustering-key:position";

  private SchemaMessages() {}

  /** The fields as messages, parents before children. */
  public static List<Field> toMessages(LanceSchema schema) {
    List<Field> messages = new ArrayList<>();
    for (LanceField field : schema.fields()) {
      add(field, TOP_LEVEL, messages);
    }
    return messages;
  }

  private static void add(LanceField field, int parent, List<Field> messages) {
    Field.Builder message =
        Field.newBuilder()
            .setName(field.name())
            .setId(field.id())
            .setParentId(parent)
            .setLogicalType(field.logicalType())
            .setNullable(field.nullable())
            .setEncoding(encoding(field.logicalType()));
    Map<String, String> metadata = field.metadata();
    message.setExtensionName(metadata.getOrDefault(LogicalType.EXTENSION_NAME, ""));
    message.putAllMetadata(toBytes(metadata));
    message.setUnenforcedPrimaryKey(isTrue(metadata.get(PRIMARY_KEY)));
    message.setUnenforcedPrimaryKeyPosition(position(metadata.get(PRIMARY_KEY_POSITION)));
    message.setUnenforcedClusteringKeyPosition(position(metadata.get(CLUSTERING_KEY_POSITION)));
    if (field.dictionary() != null) {
      message.setDictionary(
          Dictionary.newBuilder()
              .setOffset(field.dictionary().offset())
              .setLength(field.dictionary().length()));
    }
    messages.add(message.build());
    for (LanceField child : field.children()) {
      // Release 7.0.0 gives the children of a blob's descriptor no parent.
      add(child, child.id() == NO_ID ? TOP_LEVEL : field.id(), messages);
    }
  }

  private static boolean isTrue(String text) {
    return text != null
        && switch (text.toLowerCase(Locale.ROOT)) {
          case "true", "1", "yes" -> true;
          default -> false;
        };
  }

  private static int position(String text) {
    try {
      return text == null ? 0 : Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Metadata as messages hold it, in the order of the keys so that files are reproducible. */
  public static Map<String, ByteString> toBytes(Map<String, String> metadata) {
    Map<String, ByteString> bytes = new LinkedHashMap<>();
    new TreeMap<>(metadata).forEach((key, value) -> bytes.put(key, ByteString.copyFromUtf8(value)));
    return bytes;
  }

  /** Metadata of a message as text; bytes that are not UTF-8 are replaced. */
  public static Map<String, String> fromBytes(Map<String, ByteString> metadata) {
    Map<String, String> text = new LinkedHashMap<>();
    metadata.forEach((key, value) -> text.put(key, value.toStringUtf8()));
    return text;
  }

  private static Encoding encoding(String logicalType) {
    int colon = logicalType.indexOf(':');
    return switch (colon < 0 ? logicalType : logicalType.substring(0, colon)) {
      case "null", "struct" -> Encoding.NONE;
      case "string", "large_string", "binary", "large_binary", "json" -> Encoding.VAR_BINARY;
      case "dict" -> Encoding.DICTIONARY;
      default -> Encoding.PLAIN;
    };
  }

  /**
   * Builds the tree of a flat list. Fields without an id, which 7.0.0 writes behind the descriptor
   * struct of a blob, are its children, though they name no parent.
   *
   * @param messages parents before children
   * @param metadata of the schema
   * @param path the file that holds the list, for errors
   * @throws CorruptFileException if a parent is missing or the nesting makes no sense
   */
  public static LanceSchema fromMessages(
      List<Field> messages, Map<String, ByteString> metadata, String path) {
    List<Node> roots = new ArrayList<>();
    Map<Integer, Node> byId = new HashMap<>();
    Node last = null;
    for (Field message : messages) {
      Node node = new Node(message, new ArrayList<>());
      if (message.getId() < 0) {
        if (last != null && last.message().getLogicalType().equals("struct")) {
          last.children().add(node);
        }
        continue;
      }
      last = node;
      if (message.getParentId() == TOP_LEVEL) {
        roots.add(node);
      } else {
        Node parent = byId.get(message.getParentId());
        if (parent == null) {
          throw new CorruptFileException(
              path,
              -1,
              "field '"
                  + message.getName()
                  + "' has the parent "
                  + message.getParentId()
                  + ", which does not come before it");
        }
        parent.children().add(node);
      }
      byId.putIfAbsent(message.getId(), node);
    }
    List<LanceField> fields = new ArrayList<>(roots.size());
    for (Node root : roots) {
      fields.add(root.toField(path, 0));
    }
    return new LanceSchema(fields, fromBytes(metadata));
  }

  private record Node(Field message, List<Node> children) {
    // Deeper nesting than any writer produces would exhaust the stack further up.
    private static final int MAX_DEPTH = 128;

    LanceField toField(String path, int depth) {
      if (depth > MAX_DEPTH) {
        throw new CorruptFileException(path, -1, "fields nest deeper than " + MAX_DEPTH);
      }
      List<LanceField> fields = new ArrayList<>(children.size());
      for (Node child : children) {
        fields.add(child.toField(path, depth + 1));
      }
      checkChildren(path);
      Map<String, String> metadata = fromBytes(message.getMetadataMap());
      if (!message.getExtensionName().isEmpty()) {
        metadata.put(LogicalType.EXTENSION_NAME, message.getExtensionName());
      }
      LanceField.LegacyDictionary dictionary =
          message.hasDictionary()
              ? new LanceField.LegacyDictionary(
                  message.getDictionary().getOffset(), message.getDictionary().getLength())
              : null;
      return new LanceField(
          message.getId(),
          message.getName(),
          message.getLogicalType(),
          message.getNullable(),
          metadata,
          dictionary,
          fields);
    }

    private boolean hasKeysAndValues() {
      return !message.getNullable()
          && children.size() == 2
          && !children.get(0).message().getNullable();
    }

    private void checkChildren(String path) {
      String type = message.getLogicalType();
      boolean list = type.startsWith("list") || type.startsWith("large_list") || type.equals("map");
      boolean structList = type.startsWith("fixed_size_list:struct:");
      boolean single = list || structList;
      boolean fits = single ? children.size() == 1 : (children.isEmpty() || type.equals("struct"));
      if (!fits) {
        throw new CorruptFileException(
            path,
            -1,
            "field '"
                + message.getName()
                + "' of type "
                + type
                + " has "
                + children.size()
                + " children");
      }
      if ((type.equals("map") || structList)
          && !children.get(0).message().getLogicalType().equals("struct")) {
        throw new CorruptFileException(
            path, -1, "the items of field '" + message.getName() + "' are not structs");
      }
      if (children.stream().map(child -> child.message().getName()).distinct().count()
          != children.size()) {
        throw new CorruptFileException(
            path, -1, "two children of field '" + message.getName() + "' have the same name");
      }
      if (type.equals("map") && !children.get(0).hasKeysAndValues()) {
        throw new CorruptFileException(
            path,
            -1,
            "the items of map '" + message.getName() + "' are not keys, never null, and values");
      }
    }
  }
}
