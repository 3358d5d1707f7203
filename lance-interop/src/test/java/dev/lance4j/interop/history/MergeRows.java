package dev.lance4j.interop.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.MergeInsertBuilder;
import dev.lance4j.MergeResult;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.history.Content.Leaf;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.write.MergeOptions.Duplicates;
import dev.lance4j.write.MergeOptions.Form;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenMatched.Action;
import dev.lance4j.write.WhenNotMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Merges rows into a table.
 *
 * @param compared the column that {@code source} must have greater for an update; null if none
 * @param deleted what goes of the rows that the source lacks
 */
record MergeRows(
    Content before,
    List<String> keys,
    List<Field> fields,
    List<Map<String, Object>> source,
    Action matched,
    String compared,
    boolean inserts,
    Optional<Condition> deleted,
    Duplicates duplicates,
    Form form,
    long memoryBudget)
    implements Change {

  /** A merge; null if there is no column that can be a key. */
  static MergeRows random(Content before, Random random) {
    Leaf key = before.leaf(random, MergeRows::canBeKey);
    if (key == null) {
      return null;
    }
    List<String> keys = new ArrayList<>(List.of(key.column()));
    Leaf other = before.leaf(random, MergeRows::canBeKey);
    if (random.nextInt(4) == 0 && !other.column().equals(key.column())) {
      keys.add(other.column());
    }
    List<Field> fields =
        new ArrayList<>(random.nextInt(3) == 0 ? before.fields() : before.subset(random, true));
    for (String name : keys) {
      fields.removeIf(field -> field.getName().equals(name));
      fields.add(random.nextInt(fields.size() + 1), before.field(name));
    }
    Action matched =
        switch (random.nextInt(10)) {
          case 0 -> Action.DELETE;
          case 1 -> random.nextInt(3) == 0 ? Action.FAIL : Action.DO_NOTHING;
          default -> Action.UPDATE;
        };
    Optional<Condition> deleted =
        switch (random.nextInt(8)) {
          case 0 -> Optional.of(new Condition("true", row -> true));
          case 1 -> Optional.of(Condition.random(before, random));
          default -> Optional.empty();
        };
    boolean idle = matched == Action.DO_NOTHING && deleted.isEmpty();
    return new MergeRows(
        before,
        keys,
        fields,
        source(before, keys, fields, random),
        matched,
        matched == Action.UPDATE && random.nextInt(3) == 0 ? compared(fields) : null,
        idle || random.nextInt(4) != 0,
        deleted,
        random.nextInt(3) == 0 ? Duplicates.KEEP_FIRST : Duplicates.FAIL,
        random.nextInt(3) == 0 ? Form.REWRITE_ROWS : Form.AUTO,
        random.nextInt(3) == 0 ? 8L * (40 + random.nextInt(400)) : 1L << 20);
  }

  private static boolean canBeKey(Leaf leaf) {
    return leaf.child() == null && (leaf.isInteger() || leaf.isText());
  }

  private static String compared(List<Field> fields) {
    return fields.stream()
        .filter(field -> field.getType().equals(Values.INT64))
        .map(Field::getName)
        .findFirst()
        .orElse(null);
  }

  private static List<Map<String, Object>> source(
      Content before, List<String> keys, List<Field> fields, Random random) {
    boolean distinct = random.nextInt(5) != 0;
    List<Map<String, Object>> source = new ArrayList<>();
    for (Map<String, Object> row :
        RowChanges.randomRows(before, fields, random.nextInt(14), random)) {
      if (!distinct || source.stream().noneMatch(known -> sameKey(keys, known, row))) {
        source.add(row);
      }
    }
    return source;
  }

  private static boolean sameKey(
      List<String> keys, Map<String, Object> left, Map<String, Object> right) {
    return keys.stream()
        .allMatch(key -> left.get(key) != null && left.get(key).equals(right.get(key)));
  }

  /** What a merge leaves, and what it counts. */
  private record Merged(List<Row> rows, long inserted, long updated, long deleted) {}

  private List<Map<String, Object>> firsts() {
    List<Map<String, Object>> firsts = new ArrayList<>();
    for (Map<String, Object> row : source) {
      if (duplicates == Duplicates.FAIL
          || firsts.stream().noneMatch(known -> sameKey(keys, known, row))) {
        firsts.add(row);
      }
    }
    return firsts;
  }

  /** Merges; nothing if that is an error. */
  private Optional<Merged> merged(long version) {
    List<Map<String, Object>> rows = firsts();
    List<Row> after = new ArrayList<>();
    long updated = 0;
    for (Row row : before.rows()) {
      List<Map<String, Object>> partners =
          rows.stream().filter(other -> sameKey(keys, row.values(), other)).toList();
      List<Map<String, Object>> acting =
          partners.stream().filter(other -> acts(row, other)).toList();
      if (partners.isEmpty()) {
        if (deleted.isEmpty() || !deleted.get().holds(row)) {
          after.add(row);
        }
      } else if (matched == Action.FAIL || (matched == Action.UPDATE && acting.size() > 1)) {
        return Optional.empty();
      } else if (matched == Action.UPDATE && !acting.isEmpty()) {
        updated++;
        Map<String, Object> values = patched(row.values(), acting.get(0));
        after.add(row.moved(values, before.variant().stable(), version));
      } else if (matched != Action.DELETE) {
        after.add(row);
      }
    }
    long gone = (long) before.rows().size() - after.size();
    List<Map<String, Object>> added = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      if (inserts
          && before.rows().stream().noneMatch(other -> sameKey(keys, other.values(), row))) {
        added.add(Values.complete(row, before.fields()));
      }
    }
    Content all = before.withRows(after).plus(added, version);
    return Optional.of(new Merged(all.rows(), added.size(), updated, gone));
  }

  private boolean acts(Row target, Map<String, Object> row) {
    if (compared == null) {
      return true;
    }
    Long theirs = (Long) target.value(compared);
    Long ours = (Long) row.get(compared);
    return theirs != null && ours != null && ours > theirs;
  }

  private Map<String, Object> patched(Map<String, Object> target, Map<String, Object> row) {
    Map<String, Object> values = new HashMap<>(target);
    for (Field field : fields) {
      Object value = row.get(field.getName());
      Field whole = before.field(field.getName());
      if (value != null && field.getChildren().size() < whole.getChildren().size()) {
        Map<String, Object> struct = Values.struct(target.get(field.getName()), whole);
        ((Map<?, ?>) value).forEach((name, child) -> struct.put((String) name, child));
        value = struct;
      }
      values.put(field.getName(), value);
    }
    return values;
  }

  @Override
  public Optional<Content> outcome(long version) {
    return merged(version).map(result -> before.withRows(result.rows));
  }

  @Override
  public Dataset byUs(Dataset dataset) {
    try (dataset;
        VectorSchemaRoot batch = Values.batch(fields, source, dataset.allocator())) {
      MergeInsertBuilder merge =
          dataset
              .mergeInsert(keys.toArray(String[]::new))
              .whenMatched(
                  new WhenMatched(matched, Optional.ofNullable(compared).map(this::comparison)))
              .whenNotMatched(inserts ? WhenNotMatched.insertAll() : WhenNotMatched.doNothing())
              .whenNotMatchedBySource(
                  new WhenNotMatchedBySource(deleted.isPresent(), deleted.map(Condition::sql)))
              .duplicates(duplicates)
              .form(form)
              .maxRowsPerFile(7)
              .memoryBudget(memoryBudget);
      MergeResult result = merge.execute(batch);
      merged(0)
          .ifPresent(
              counts ->
                  assertThat(
                          List.of(
                              result.rowsInserted(), result.rowsUpdated(), result.rowsDeleted()))
                      .as("rows inserted, updated and deleted")
                      .isEqualTo(List.of(counts.inserted, counts.updated, counts.deleted)));
      return result.dataset();
    }
  }

  private String comparison(String column) {
    return "source." + column + " > target." + column;
  }

  /** Not where they count or do something else, which tests of the single cases show. */
  @Override
  public boolean canBeTheirs() {
    boolean distinct = true;
    for (int i = 0; i < source.size(); i++) {
      for (int j = 0; j < i; j++) {
        distinct &= !sameKey(keys, source.get(i), source.get(j));
      }
    }
    return distinct
        && !source.isEmpty()
        && fields.stream().allMatch(field -> before.fields().contains(field))
        && (matched != Action.DELETE || inserts || deleted.isEmpty());
  }

  @Override
  public void byThem(Theirs table) {
    ObjectNode args = Oracle.args(table.uri()).put("insert", inserts);
    keys.forEach(args.putArray("on")::add);
    switch (matched) {
      case UPDATE -> args.put("matched", compared == null ? "updateAll" : "updateIf");
      case DO_NOTHING -> args.put("matched", "doNothing");
      case FAIL -> args.put("matched", "fail");
      case DELETE -> args.put("matched", "delete");
    }
    if (compared != null) {
      args.put("matchedIf", comparison(compared));
    }
    deleted.ifPresent(filter -> args.put("bySource", "deleteIf").put("bySourceIf", filter.sql()));
    try (ArrowTable data = table.data(fields, source)) {
      JsonNode answer = table.oracle().send("mergeInsert", args, data);
      merged(0)
          .ifPresent(
              counts ->
                  assertThat(
                          List.of(
                              answer.get("inserted").asLong(),
                              answer.get("updated").asLong(),
                              answer.get("deleted").asLong()))
                      .as("rows inserted, updated and deleted by the real library")
                      .isEqualTo(List.of(counts.inserted, counts.updated, counts.deleted)));
    }
  }

  @Override
  public String toString() {
    return "merge "
        + source
        + " of "
        + Content.names(fields)
        + " on "
        + keys
        + ", matched "
        + matched
        + (compared == null ? "" : " if greater " + compared)
        + (inserts ? ", insert" : "")
        + deleted.map(filter -> ", else delete where " + filter.sql()).orElse("")
        + ", duplicates "
        + duplicates
        + ", "
        + form
        + " in "
        + memoryBudget;
  }
}
