package dev.lance4j.write.internal;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Fragments with another data file in their list. */
public final class FragmentFileLists {
  private FragmentFileLists() {}

  /**
   * A fragment with a file whose fields it did not have. Files with no field of the schema are no
   * more listed.
   *
   * @param schema that the table will have
   */
  public static FragmentMetadata with(
      FragmentMetadata fragment, DataFile file, LanceSchema schema) {
    Set<Integer> live = new HashSet<>();
    schema.flatten().forEach(field -> live.add(field.id()));
    List<DataFile> files = new ArrayList<>();
    for (DataFile old : fragment.files()) {
      if (old.fieldIds().stream().anyMatch(live::contains)) {
        files.add(old);
      }
    }
    files.add(file);
    return fragment.withFiles(files);
  }

  /**
   * A fragment with a file whose fields take the place of those that other files have. Files none
   * of whose fields is left are no more listed.
   *
   * @param schema of the table
   */
  public static FragmentMetadata replacing(
      FragmentMetadata fragment, DataFile newFile, LanceSchema schema) {
    List<DataFile> files = new ArrayList<>();
    for (DataFile file : fragment.files()) {
      DataFile rest = without(file, newFile, schema);
      if (!rest.isDead()) {
        files.add(rest);
      }
    }
    files.add(newFile);
    return fragment.withFiles(files);
  }

  private static DataFile without(DataFile file, DataFile newFile, LanceSchema schema) {
    Set<Integer> gone = new HashSet<>(newFile.fieldIds());
    for (LanceField field : schema.flatten()) {
      if (gone.contains(field.id()) && hasOther(field, file, newFile)) {
        gone.remove(field.id());
      }
    }
    List<Integer> ids = new ArrayList<>(file.fieldIds());
    ids.replaceAll(id -> gone.contains(id) ? DataFile.TOMBSTONE : id);
    return file.withFieldIds(ids);
  }

  /** Whether a file holds a field below another that the new file does not hold. */
  private static boolean hasOther(LanceField field, DataFile file, DataFile newFile) {
    for (LanceField child : field.children()) {
      boolean own = file.indexOf(child.id()) >= 0 && newFile.indexOf(child.id()) < 0;
      if (own || hasOther(child, file, newFile)) {
        return true;
      }
    }
    return false;
  }
}
