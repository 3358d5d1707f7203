package dev.lance4j.scan.internal.column;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The stored columns that a plan reads, in groups. Each column has a slot; what several users need
 * of a column is read once if one array has it all.
 */
public final class ReadColumns {
  private final LanceSchema schema;
  private final List<Slot> slots = new ArrayList<>();
  private final List<ReadGroup> groups = new ArrayList<>();

  /** A column, reduced to the fields that are needed. */
  private record Slot(LanceField narrowed, boolean described) {
    LanceField asRead() {
      return described ? BlobFields.described(narrowed) : narrowed;
    }

    boolean has(LanceField whole, List<String> path) {
      LanceField mine = narrowed;
      LanceField theirs = whole;
      for (String name : path.subList(1, path.size())) {
        mine = mine.child(name);
        theirs = theirs.child(name);
        if (mine == null) {
          return false;
        }
      }
      return mine.equals(theirs);
    }
  }

  /**
   * @param schema of the table
   */
  public ReadColumns(LanceSchema schema) {
    this.schema = schema;
  }

  /** The number of slots so far. */
  public int size() {
    return slots.size();
  }

  /** All groups so far. */
  public List<ReadGroup> groups() {
    return groups;
  }

  /** What is in a slot. */
  public LanceField field(int slot) {
    return slots.get(slot).asRead();
  }

  /** The first slot that has all that is needed, or -1. */
  public int find(ColumnNeed need) {
    for (int i = 0; i < slots.size(); i++) {
      if (covers(slots.get(i), need)) {
        return i;
      }
    }
    return -1;
  }

  private boolean covers(Slot slot, ColumnNeed need) {
    LanceField whole = schema.field(need.column());
    boolean sameForm = slot.described() == isDescribed(need) || !hasBlobs(slot.narrowed());
    return slot.narrowed().name().equals(need.column())
        && sameForm
        && need.paths().stream().allMatch(path -> slot.has(whole, path));
  }

  private boolean isDescribed(ColumnNeed need) {
    return need.described() && hasBlobs(need.narrow(schema));
  }

  private static boolean hasBlobs(LanceField field) {
    return !BlobFields.described(field).equals(field);
  }

  /** Reads together what no slot has yet. */
  public ReadGroup add(List<ColumnNeed> needs) {
    Map<List<Object>, List<List<String>>> merged = new LinkedHashMap<>();
    for (ColumnNeed need : needs) {
      if (find(need) < 0) {
        merged
            .computeIfAbsent(List.of(need.column(), isDescribed(need)), column -> new ArrayList<>())
            .addAll(need.paths());
      }
    }
    int first = slots.size();
    merged.forEach(
        (key, paths) ->
            slots.add(new Slot(schema.projectPaths(paths).fields().get(0), (boolean) key.get(1))));
    return group(first);
  }

  /** As above, in up to two groups: columns whose values are small, and the others. */
  public List<ReadGroup> addByWidth(List<ColumnNeed> needs) {
    List<ColumnNeed> narrow = new ArrayList<>();
    List<ColumnNeed> wide = new ArrayList<>();
    for (ColumnNeed need : needs) {
      if (find(need) < 0) {
        (ValueWidth.isNarrow(schema.field(need.column()).toArrow()) ? narrow : wide).add(need);
      }
    }
    List<ReadGroup> added = new ArrayList<>();
    for (List<ColumnNeed> some : List.of(narrow, wide)) {
      if (!some.isEmpty()) {
        added.add(add(some));
      }
    }
    return added;
  }

  private ReadGroup group(int first) {
    List<LanceField> fields = new ArrayList<>();
    for (int i = first; i < slots.size(); i++) {
      fields.add(field(i));
    }
    ReadGroup group =
        new ReadGroup(groups.size(), first, new LanceSchema(fields, schema.metadata()));
    groups.add(group);
    return group;
  }
}
