package dev.lance4j.table.internal;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Gives fields new ids that early writers gave the id of a dropped column, whose values are still
 * in the files. The column that is in the schema is the one that was written last.
 */
final class DuplicateFieldIds {
  private final Map<Integer, Integer> newIds = new TreeMap<>();

  private DuplicateFieldIds(Manifest manifest) {
    Set<Integer> nested = nestedFields(manifest.schema());
    for (FragmentMetadata fragment : manifest.fragments()) {
      if (fragment.files().size() > 1) {
        collect(fragment.files(), nested);
      }
    }
    if (!newIds.isEmpty()) {
      int max = maxFieldId(manifest);
      for (Map.Entry<Integer, Integer> entry : newIds.entrySet()) {
        entry.setValue(++max);
      }
    }
  }

  /** Fields with children, which each file that has some of the children may list. */
  private static Set<Integer> nestedFields(LanceSchema schema) {
    Set<Integer> ids = new HashSet<>();
    for (LanceField field : schema.flatten()) {
      if (!field.children().isEmpty()) {
        ids.add(field.id());
      }
    }
    return ids;
  }

  private void collect(List<DataFile> files, Set<Integer> nested) {
    Set<Integer> seen = new HashSet<>();
    for (DataFile file : files) {
      for (int id : file.fieldIds()) {
        if (id >= 0 && !nested.contains(id) && !seen.add(id)) {
          newIds.put(id, -1);
        }
      }
    }
  }

  private static int maxFieldId(Manifest manifest) {
    int max = manifest.schema().maxFieldId();
    for (FragmentMetadata fragment : manifest.fragments()) {
      for (DataFile file : fragment.files()) {
        for (int id : file.fieldIds()) {
          max = Math.max(max, id);
        }
      }
    }
    return max;
  }

  static Manifest repair(Manifest manifest) {
    DuplicateFieldIds duplicates = new DuplicateFieldIds(manifest);
    return duplicates.newIds.isEmpty() ? manifest : duplicates.rename(manifest);
  }

  private Manifest rename(Manifest manifest) {
    List<LanceField> fields = new ArrayList<>();
    for (LanceField field : manifest.schema().fields()) {
      fields.add(field.mapTree(f -> f.withId(newIds.getOrDefault(f.id(), f.id()))));
    }
    LanceSchema schema = new LanceSchema(fields, manifest.schema().metadata());
    Set<Integer> live = new HashSet<>();
    schema.flatten().forEach(field -> live.add(field.id()));
    List<FragmentMetadata> fragments = new ArrayList<>(manifest.fragments().size());
    for (FragmentMetadata fragment : manifest.fragments()) {
      fragments.add(fragment.withFiles(rename(fragment.files(), live)));
    }
    return manifest.toBuilder().schema(schema).fragments(fragments).build();
  }

  private List<DataFile> rename(List<DataFile> files, Set<Integer> live) {
    Set<Integer> renamed = new HashSet<>();
    List<DataFile> result = new ArrayList<>(files.size());
    for (int i = files.size() - 1; i >= 0; i--) {
      List<Integer> ids = new ArrayList<>(files.get(i).fieldIds());
      ids.replaceAll(id -> newIds.containsKey(id) && renamed.add(id) ? newIds.get(id) : id);
      if (ids.stream().anyMatch(live::contains)) {
        result.add(0, files.get(i).withFieldIds(ids));
      }
    }
    return result;
  }
}
