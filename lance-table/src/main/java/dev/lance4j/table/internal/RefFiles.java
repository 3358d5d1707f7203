package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.json.Jsonb;
import dev.lance4j.format.internal.json.JsonbValue;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.Branch;
import dev.lance4j.table.Tag;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Between tags and branches and the JSON files that record them. */
public final class RefFiles {
  private static final int MAX_BYTES = 16 << 20;

  private final String path;
  private final JsonbValue root;

  private RefFiles(String path, JsonbValue root) {
    this.path = path;
    this.root = root;
  }

  private static RefFiles open(ObjectStore store, String path) {
    ByteBuffer bytes = WholeObject.read(store, path, MAX_BYTES);
    try {
      byte[] json = Jsonb.encode(StandardCharsets.UTF_8.decode(bytes).toString());
      JsonbValue root = JsonbValue.root(json, 0, json.length);
      if (root.kind() == JsonbValue.Kind.OBJECT) {
        return new RefFiles(path, root);
      }
      throw new CorruptFileException(path, -1, "the file holds no JSON object");
    } catch (InvalidInputException e) {
      throw new CorruptFileException(path, -1, "the file is no JSON: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a tag.
   *
   * @param name of the tag, which the file does not hold
   * @throws dev.lance4j.format.store.ObjectNotFoundException if there is no file
   * @throws CorruptFileException if it is damaged
   */
  public static Tag readTag(ObjectStore store, String path, String name) {
    RefFiles file = open(store, path);
    return new Tag(
        name,
        file.string("branch"),
        file.number("version"),
        file.string("createdAt").map(file::instant),
        file.string("updatedAt").map(file::instant),
        file.number("manifestSize"),
        file.metadata());
  }

  /**
   * Reads a branch.
   *
   * @param name of the branch, which the file does not hold
   * @throws dev.lance4j.format.store.ObjectNotFoundException if there is no file
   * @throws CorruptFileException if it is damaged
   */
  public static Branch readBranch(ObjectStore store, String path, String name) {
    RefFiles file = open(store, path);
    Optional<String> parent = file.string("parentBranch");
    long version = file.number("parentVersion");
    long createdAt = file.number("createAt");
    List<Branch.Point> lineage =
        file.field("identifier").isPresent()
            ? file.lineage()
            : List.of(EarlyBranches.point(name, parent, version, createdAt));
    return new Branch(
        name,
        parent,
        version,
        lineage,
        file.instant(createdAt),
        file.number("manifestSize"),
        file.metadata());
  }

  private Optional<JsonbValue> field(String key) {
    return Optional.ofNullable(root.field(key))
        .filter(value -> value.kind() != JsonbValue.Kind.NULL);
  }

  private Optional<String> string(String key) {
    return field(key).map(value -> text(value, key));
  }

  private String text(JsonbValue value, String key) {
    if (value.kind() != JsonbValue.Kind.STRING) {
      throw wrong(key);
    }
    return value.string();
  }

  private long number(String key) {
    return whole(field(key).orElseThrow(() -> wrong(key)), key);
  }

  private long whole(JsonbValue value, String key) {
    if (value.kind() == JsonbValue.Kind.NUMBER
        && value.number() instanceof Long number
        && number >= 0) {
      return number;
    }
    throw wrong(key);
  }

  private CorruptFileException wrong(String key) {
    return new CorruptFileException(path, -1, "the value of '" + key + "' is missing or wrong");
  }

  private Map<String, String> metadata() {
    Map<String, String> metadata = new LinkedHashMap<>();
    field("metadata")
        .ifPresent(
            object -> {
              if (object.kind() != JsonbValue.Kind.OBJECT) {
                throw wrong("metadata");
              }
              String[] keys = object.keys();
              JsonbValue[] values = object.children();
              for (int i = 0; i < keys.length; i++) {
                metadata.put(keys[i], text(values[i], "metadata"));
              }
            });
    return metadata;
  }

  private Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new CorruptFileException(path, -1, "'" + text + "' is no time", e);
    }
  }

  private Instant instant(long seconds) {
    try {
      return Instant.ofEpochSecond(seconds);
    } catch (DateTimeException e) {
      throw new CorruptFileException(path, -1, seconds + " seconds are no time", e);
    }
  }

  private List<Branch.Point> lineage() {
    JsonbValue pairs = field("identifier").get().field("version_mapping");
    if (pairs == null || pairs.kind() != JsonbValue.Kind.ARRAY) {
      throw wrong("identifier");
    }
    List<Branch.Point> points = new ArrayList<>(pairs.size());
    for (JsonbValue pair : pairs.children()) {
      if (pair.kind() != JsonbValue.Kind.ARRAY || pair.size() != 2) {
        throw wrong("identifier");
      }
      points.add(
          new Branch.Point(whole(pair.item(0), "identifier"), text(pair.item(1), "identifier")));
    }
    return points;
  }

  /** The bytes of a tag's file. */
  public static ByteBuffer write(Tag tag) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("branch", tag.branch().orElse(null));
    json.put("version", tag.version());
    tag.createdAt().ifPresent(time -> json.put("createdAt", time.toString()));
    tag.updatedAt().ifPresent(time -> json.put("updatedAt", time.toString()));
    json.put("manifestSize", tag.manifestBytes());
    json.put("metadata", new TreeMap<>(tag.metadata()));
    return bytes(json);
  }

  /** The bytes of a branch's file. */
  public static ByteBuffer write(Branch branch) {
    List<Object> points = new ArrayList<>();
    branch.lineage().forEach(point -> points.add(List.of(point.version(), point.id())));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("parentBranch", branch.parent().orElse(null));
    json.put("identifier", Map.of("version_mapping", points));
    json.put("parentVersion", branch.version());
    json.put("createAt", branch.createdAt().getEpochSecond());
    json.put("manifestSize", branch.manifestBytes());
    json.put("metadata", new TreeMap<>(branch.metadata()));
    return bytes(json);
  }

  private static ByteBuffer bytes(Map<String, Object> json) {
    return ByteBuffer.wrap(PrettyJson.of(json).getBytes(StandardCharsets.UTF_8));
  }
}
