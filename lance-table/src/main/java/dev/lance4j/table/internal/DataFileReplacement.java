package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts new data files in the place of those with the same fields. */
final class DataFileReplacement {
  private final List<Integer> fieldIds;
  private final Map<Long, DataFile> newFiles = new HashMap<>();

  DataFileReplacement(Operation.DataReplacement operation) {
    if (operation.replacements().isEmpty()) {
      throw new InvalidInputException("The data replacement names no files");
    }
    this.fieldIds = operation.replacements().get(0).newFile().fieldIds();
    for (Operation.Replacement replacement : operation.replacements()) {
      DataFile file = replacement.newFile();
      if (!file.fieldIds().equals(fieldIds)) {
        throw new InvalidInputException(
            "All new data files must have the same fields, but there are "
                + fieldIds
                + " and "
                + file.fieldIds());
      }
      newFiles.put(replacement.fragmentId(), file);
    }
  }

  List<Integer> fieldIds() {
    return fieldIds;
  }

  Set<Long> fragmentIds() {
    return newFiles.keySet();
  }

  List<FragmentMetadata> apply(List<FragmentMetadata> fragments) {
    List<FragmentMetadata> replaced = new ArrayList<>(fragments.size());
    int found = 0;
    for (FragmentMetadata fragment : fragments) {
      DataFile file = newFiles.get(fragment.id());
      replaced.add(file == null ? fragment : replace(fragment, file));
      found += file == null ? 0 : 1;
    }
    if (found < newFiles.size()) {
      throw new InvalidInputException(
          "Fragments whose data is to be replaced are not in the dataset: "
              + newFiles.keySet().stream()
                  .filter(id -> fragments.stream().noneMatch(f -> f.id() == id))
                  .toList());
    }
    return replaced;
  }

  private FragmentMetadata replace(FragmentMetadata fragment, DataFile newFile) {
    List<DataFile> files = new ArrayList<>(fragment.files());
    boolean covered = false;
    for (int i = 0; i < files.size(); i++) {
      DataFile file = files.get(i);
      if (file.fieldIds().equals(fieldIds) && file.fileVersion() == newFile.fileVersion()) {
        files.set(i, newFile);
        return fragment.withFiles(files);
      }
      covered |= !Collections.disjoint(file.fieldIds(), fieldIds);
    }
    if (covered) {
      throw new InvalidInputException(
          "No data file of fragment " + fragment.id() + " has exactly the fields " + fieldIds);
    }
    files.add(newFile);
    return fragment.withFiles(files);
  }
}
