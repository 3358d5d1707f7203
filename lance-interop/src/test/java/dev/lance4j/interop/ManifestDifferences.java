package dev.lance4j.interop;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** Where two messages of one type differ, field by field; entries of maps are in no order. */
final class ManifestDifferences {
  private final BiPredicate<String, List<Object>> ignored;
  private final List<String> found = new ArrayList<>();

  private ManifestDifferences(BiPredicate<String, List<Object>> ignored) {
    this.ignored = ignored;
  }

  /**
   * The differences, each as a path and both values.
   *
   * @param ignored takes the path of a field without indices, and its two values, null where it is
   *     absent
   */
  static List<String> between(
      Message ours, Message theirs, BiPredicate<String, List<Object>> ignored) {
    ManifestDifferences differences = new ManifestDifferences(ignored);
    differences.compare("", "", ours, theirs);
    return differences.found;
  }

  private void compare(String path, String place, Message ours, Message theirs) {
    for (FieldDescriptor field : ours.getDescriptorForType().getFields()) {
      String inner = path.isEmpty() ? field.getName() : path + "." + field.getName();
      String where = place.isEmpty() ? field.getName() : place + "." + field.getName();
      if (field.isMapField()) {
        value(inner, where, entries(field, ours), entries(field, theirs));
      } else if (field.isRepeated()) {
        list(inner, where, field, ours, theirs);
      } else if (!field.hasPresence() || (ours.hasField(field) && theirs.hasField(field))) {
        single(inner, where, ours.getField(field), theirs.getField(field));
      } else {
        Object our = ours.hasField(field) ? ours.getField(field) : null;
        Object their = theirs.hasField(field) ? theirs.getField(field) : null;
        value(inner, where, our, their);
      }
    }
    value(path + ".unknown", place, ours.getUnknownFields(), theirs.getUnknownFields());
  }

  private static Map<Object, Object> entries(FieldDescriptor field, Message message) {
    Map<Object, Object> entries = new TreeMap<>();
    for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
      Message entry = (Message) message.getRepeatedField(field, i);
      List<FieldDescriptor> parts = field.getMessageType().getFields();
      entries.put(entry.getField(parts.get(0)), entry.getField(parts.get(1)));
    }
    return entries;
  }

  private void list(
      String path, String place, FieldDescriptor field, Message ours, Message theirs) {
    int count = ours.getRepeatedFieldCount(field);
    value(path + ".size", place, count, theirs.getRepeatedFieldCount(field));
    for (int i = 0; i < Math.min(count, theirs.getRepeatedFieldCount(field)); i++) {
      single(
          path,
          place + "[" + i + "]",
          ours.getRepeatedField(field, i),
          theirs.getRepeatedField(field, i));
    }
  }

  private void single(String path, String place, Object ours, Object theirs) {
    if (ours instanceof Message our && theirs instanceof Message their) {
      compare(path, place, our, their);
    } else {
      value(path, place, ours, theirs);
    }
  }

  private void value(String path, String place, Object ours, Object theirs) {
    List<Object> both = new ArrayList<>();
    both.add(ours);
    both.add(theirs);
    if (!Objects.equals(ours, theirs) && !ignored.test(path, both)) {
      found.add(place + ": " + ours + " instead of " + theirs);
    }
  }
}
