package dev.lance4j.table.internal;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which of a fragment's data files holds which field. Files are numbered as in the fragment. */
final class FieldOwners {
  private final Map<Integer, Integer> owners = new HashMap<>();

  FieldOwners(FragmentMetadata fragment) {
    List<DataFile> files = fragment.files();
    for (int file = 0; file < files.size(); file++) {
      for (int fieldId : files.get(file).fieldIds()) {
        if (fieldId >= 0) {
          // Early writers gave ids out twice. Like the reference implementation, read the first
          // file;
          // the next commit repairs the ids.
          owners.putIfAbsent(fieldId, file);
        }
      }
    }
  }

  /** The files that hold values of a field; more than one if its children were added separately. */
  SortedSet<Integer> filesOf(LanceField field) {
    SortedSet<Integer> files = new TreeSet<>();
    for (LanceField child : field.children()) {
      files.addAll(filesOf(child));
    }
    // A nested field of its own column holds its children's values: a packed struct.
    Integer own = owners.get(field.id());
    if (files.isEmpty() && own != null) {
      files.add(own);
    }
    return files;
  }

  /**
   * The part of a field that one of several files holds.
   *
   * @param file one of {@link #filesOf}
   * @throws UnsupportedFormatException if the field is not a struct, so that its parts cannot be
   *     put together
   */
  LanceField part(LanceField field, int file) {
    if (filesOf(field).size() == 1) {
      return field;
    }
    if (!field.logicalType().equals("struct")) {
      throw new UnsupportedFormatException(
          "The items of field '" + field.name() + "' are spread over several data files");
    }
    List<LanceField> children = new ArrayList<>();
    for (LanceField child : field.children()) {
      if (filesOf(child).contains(file)) {
        children.add(part(child, file));
      }
    }
    return field.withChildren(children);
  }
}
