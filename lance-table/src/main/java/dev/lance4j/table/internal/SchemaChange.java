package dev.lance4j.table.internal;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a change of the schema means for data that was written without knowing of it. */
final class SchemaChange {
  private SchemaChange() {}

  /**
   * Whether files written for one schema would lose values, or be invalid, under another: because a
   * column got a new id, or because a column that they may lack values for must have values.
   */
  static boolean invalidatesFiles(LanceSchema before, LanceSchema after) {
    Map<String, LanceField> old = new HashMap<>();
    collect(before.fields(), "", old);
    Map<String, LanceField> now = new HashMap<>();
    collect(after.fields(), "", now);
    Map<Integer, LanceField> oldById = new HashMap<>();
    old.values().forEach(field -> oldById.put(field.id(), field));
    Map<Integer, LanceField> nowById = new HashMap<>();
    now.values().forEach(field -> nowById.put(field.id(), field));
    for (Map.Entry<String, LanceField> entry : now.entrySet()) {
      LanceField field = entry.getValue();
      LanceField same = oldById.get(field.id());
      LanceField atPath = old.get(entry.getKey());
      boolean newId = same == null && atPath != null && !nowById.containsKey(atPath.id());
      boolean nowRequired = !field.nullable() && (same == null || same.nullable());
      if (newId || nowRequired) {
        return true;
      }
    }
    return false;
  }

  private static void collect(
      List<LanceField> fields, String parent, Map<String, LanceField> into) {
    for (LanceField field : fields) {
      // Names may contain dots, but not this.
      String path = parent + '\0' + field.name();
      into.put(path, field);
      collect(field.children(), path, into);
    }
  }
}
