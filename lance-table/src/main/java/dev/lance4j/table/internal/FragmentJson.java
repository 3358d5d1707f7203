package dev.lance4j.table.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.proto.table.TableProto.DataFile;
import dev.lance4j.format.proto.table.TableProto.DataFragment;
import dev.lance4j.format.proto.table.TableProto.DeletionFile;
import dev.lance4j.format.proto.table.TableProto.DeletionFile.DeletionFileType;
import dev.lance4j.format.proto.table.TableProto.ExternalFile;
import java.util.Locale;
import java.util.Map;

/**
 * The JSON of fragments and data files that the real library's Python binding writes and reads, so
 * that fragments can go from one to the other. Numbers that are not recorded are null; sequences
 * are arrays of bytes.
 */
final class FragmentJson {
  static final MessageJson.Form FRAGMENT = new FragmentForm();
  static final MessageJson.Form DATA_FILE = new DataFileForm();

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private FragmentJson() {}

  private static JsonNode recorded(long value) {
    return value == 0 ? NODES.nullNode() : MessageJson.unsigned(value);
  }

  private static JsonNode base(boolean present, int id) {
    return present ? NODES.numberNode(Integer.toUnsignedLong(id)) : NODES.nullNode();
  }

  private static final class DataFileForm implements MessageJson.Form {
    @Override
    public JsonNode toJson(Message message) {
      DataFile file = (DataFile) message;
      ObjectNode object = NODES.objectNode();
      object.put("path", file.getPath());
      ArrayNode fields = object.putArray("fields");
      file.getFieldsList().forEach(fields::add);
      ArrayNode columns = object.putArray("column_indices");
      file.getColumnIndicesList().forEach(columns::add);
      object.put("file_major_version", file.getFileMajorVersion());
      object.put("file_minor_version", file.getFileMinorVersion());
      object.set("file_size_bytes", recorded(file.getFileSizeBytes()));
      object.set("base_id", base(file.hasBaseId(), file.getBaseId()));
      return object;
    }

    @Override
    public Message fromJson(JsonValue value) {
      DataFile.Builder file = DataFile.newBuilder();
      value.members().forEach((name, member) -> set(file, name, member));
      return file.build();
    }

    private static void set(DataFile.Builder file, String name, JsonValue value) {
      if (value.isNull()) {
        return;
      }
      switch (name) {
        case "path" -> file.setPath(value.text());
        case "fields" -> value.elements().forEach(id -> file.addFields(id.intNumber(false)));
        case "column_indices" ->
            value.elements().forEach(column -> file.addColumnIndices(column.intNumber(false)));
        case "file_major_version" -> file.setFileMajorVersion(value.intNumber(true));
        case "file_minor_version" -> file.setFileMinorVersion(value.intNumber(true));
        case "file_size_bytes" -> file.setFileSizeBytes(value.longNumber(true));
        case "base_id" -> file.setBaseId(value.intNumber(true));
        default -> value.refuseUnknown();
      }
    }
  }

  private static final class FragmentForm implements MessageJson.Form {
    @Override
    public JsonNode toJson(Message message) {
      DataFragment fragment = (DataFragment) message;
      ObjectNode object = NODES.objectNode();
      object.set("id", MessageJson.unsigned(fragment.getId()));
      ArrayNode files = object.putArray("files");
      fragment.getFilesList().forEach(file -> files.add(DATA_FILE.toJson(file)));
      object.set("physical_rows", recorded(fragment.getPhysicalRows()));
      object.set(
          "deletion_file",
          fragment.hasDeletionFile() ? toJson(fragment.getDeletionFile()) : NODES.nullNode());
      object.set("row_id_meta", rowIds(fragment));
      object.set("created_at_version_meta", created(fragment));
      object.set("last_updated_at_version_meta", lastUpdated(fragment));
      return object;
    }

    private static ObjectNode toJson(DeletionFile file) {
      ObjectNode object = NODES.objectNode();
      object.set("read_version", MessageJson.unsigned(file.getReadVersion()));
      object.set("id", MessageJson.unsigned(file.getId()));
      object.put("file_type", file.getFileType() == DeletionFileType.BITMAP ? "bitmap" : "array");
      object.set("num_deleted_rows", recorded(file.getNumDeletedRows()));
      object.set("base_id", base(file.hasBaseId(), file.getBaseId()));
      return object;
    }

    private static JsonNode rowIds(DataFragment fragment) {
      return switch (fragment.getRowIdSequenceCase()) {
        case INLINE_ROW_IDS -> inline("Inline", fragment.getInlineRowIds());
        case EXTERNAL_ROW_IDS -> external("External", fragment.getExternalRowIds());
        case ROWIDSEQUENCE_NOT_SET -> NODES.nullNode();
      };
    }

    private static JsonNode created(DataFragment fragment) {
      return switch (fragment.getCreatedAtVersionSequenceCase()) {
        case INLINE_CREATED_AT_VERSIONS -> inline("inline", fragment.getInlineCreatedAtVersions());
        case EXTERNAL_CREATED_AT_VERSIONS ->
            external("external", fragment.getExternalCreatedAtVersions());
        case CREATEDATVERSIONSEQUENCE_NOT_SET -> NODES.nullNode();
      };
    }

    private static JsonNode lastUpdated(DataFragment fragment) {
      return switch (fragment.getLastUpdatedAtVersionSequenceCase()) {
        case INLINE_LAST_UPDATED_AT_VERSIONS ->
            inline("inline", fragment.getInlineLastUpdatedAtVersions());
        case EXTERNAL_LAST_UPDATED_AT_VERSIONS ->
            external("external", fragment.getExternalLastUpdatedAtVersions());
        case LASTUPDATEDATVERSIONSEQUENCE_NOT_SET -> NODES.nullNode();
      };
    }

    private static JsonNode inline(String key, ByteString bytes) {
      ObjectNode object = NODES.objectNode();
      ArrayNode array = object.putArray(key);
      for (int i = 0; i < bytes.size(); i++) {
        array.add(bytes.byteAt(i) & 0xFF);
      }
      return object;
    }

    private static JsonNode external(String key, ExternalFile file) {
      ObjectNode object = NODES.objectNode();
      ObjectNode place = object.putObject(key);
      place.put("path", file.getPath());
      place.set("offset", MessageJson.unsigned(file.getOffset()));
      place.set("size", MessageJson.unsigned(file.getSize()));
      return object;
    }

    @Override
    public Message fromJson(JsonValue value) {
      DataFragment.Builder fragment = DataFragment.newBuilder();
      value.members().forEach((name, member) -> set(fragment, name, member));
      return fragment.build();
    }

    private static void set(DataFragment.Builder fragment, String name, JsonValue value) {
      if (value.isNull()) {
        return;
      }
      switch (name) {
        case "id" -> fragment.setId(value.longNumber(true));
        case "files" ->
            value
                .elements()
                .forEach(file -> fragment.addFiles((DataFile) DATA_FILE.fromJson(file)));
        case "physical_rows" -> fragment.setPhysicalRows(value.longNumber(true));
        case "deletion_file" -> fragment.setDeletionFile(deletionFile(value));
        case "row_id_meta" -> {
          Sequence ids = sequence(value);
          if (ids.external() == null) {
            fragment.setInlineRowIds(ids.inline());
          } else {
            fragment.setExternalRowIds(ids.external());
          }
        }
        case "created_at_version_meta" -> {
          Sequence versions = sequence(value);
          if (versions.external() == null) {
            fragment.setInlineCreatedAtVersions(versions.inline());
          } else {
            fragment.setExternalCreatedAtVersions(versions.external());
          }
        }
        case "last_updated_at_version_meta" -> {
          Sequence versions = sequence(value);
          if (versions.external() == null) {
            fragment.setInlineLastUpdatedAtVersions(versions.inline());
          } else {
            fragment.setExternalLastUpdatedAtVersions(versions.external());
          }
        }
        default -> value.refuseUnknown();
      }
    }

    private static DeletionFile deletionFile(JsonValue value) {
      DeletionFile.Builder file = DeletionFile.newBuilder();
      value.members().forEach((name, member) -> set(file, name, member));
      return file.build();
    }

    private static void set(DeletionFile.Builder file, String name, JsonValue value) {
      if (value.isNull()) {
        return;
      }
      switch (name) {
        case "read_version" -> file.setReadVersion(value.longNumber(true));
        case "id" -> file.setId(value.longNumber(true));
        case "file_type" ->
            file.setFileType(
                switch (value.text().toLowerCase(Locale.ROOT)) {
                  case "array" -> DeletionFileType.ARROW_ARRAY;
                  case "bitmap" -> DeletionFileType.BITMAP;
                  default -> throw value.expected("'array' or 'bitmap'");
                });
        case "num_deleted_rows" -> file.setNumDeletedRows(value.longNumber(true));
        case "base_id" -> file.setBaseId(value.intNumber(true));
        default -> value.refuseUnknown();
      }
    }

    /** A serialised sequence: either its bytes or the place of them. */
    private record Sequence(ByteString inline, ExternalFile external) {}

    private static Sequence sequence(JsonValue value) {
      Map<String, JsonValue> members = value.members();
      if (members.size() != 1) {
        throw value.expected("an object with the one key 'inline' or 'external'");
      }
      Map.Entry<String, JsonValue> member = members.entrySet().iterator().next();
      return switch (member.getKey().toLowerCase(Locale.ROOT)) {
        case "inline" -> new Sequence(bytes(member.getValue()), null);
        case "external" -> new Sequence(null, externalFile(member.getValue()));
        default -> throw value.expected("an object with the one key 'inline' or 'external'");
      };
    }

    private static ByteString bytes(JsonValue value) {
      byte[] bytes = new byte[value.node().size()];
      int i = 0;
      for (JsonValue element : value.elements()) {
        int number = element.intNumber(true);
        if (number < 0 || number > 0xFF) {
          throw new InvalidInputException(element.where() + " must be a byte, 0 to 255");
        }
        bytes[i++] = (byte) number;
      }
      return ByteString.copyFrom(bytes);
    }

    private static ExternalFile externalFile(JsonValue value) {
      ExternalFile.Builder file = ExternalFile.newBuilder();
      value
          .members()
          .forEach(
              (name, member) -> {
                switch (name) {
                  case "path" -> file.setPath(member.text());
                  case "offset" -> file.setOffset(member.longNumber(true));
                  case "size" -> file.setSize(member.longNumber(true));
                  default -> member.refuseUnknown();
                }
              });
      return file.build();
    }
  }
}
