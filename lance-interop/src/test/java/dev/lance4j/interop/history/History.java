package dev.lance4j.interop.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.history.Change.Theirs;
import dev.lance4j.interop.history.Content.Variant;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.table.VersionSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A table that goes through steps, and beside it what each of its versions must hold. */
final class History implements AutoCloseable {
  /** Who writes. */
  enum Writers {
    /** This library alone; the real one looks at the table now and then. */
    US,
    /** Each library to a table of its own. */
    EACH,
    /** Now this library, now the real one, to one table. */
    BOTH
  }

  private static final int LOOK = 10;
  private static final String ID = "_rowid";
  private static final String CREATED = "_row_created_at_version";
  private static final String UPDATED = "_row_last_updated_at_version";

  private final Variant variant;
  private final Writers writers;
  private final Random random;
  private final BufferAllocator allocator;
  private final Oracle oracle = Oracle.shared();
  private final String uri;
  private final Theirs theirs;
  private final Map<Long, Long> theirVersions = new HashMap<>();
  private final NavigableMap<Long, Content> versions = new TreeMap<>();
  private final List<String> done = new ArrayList<>();
  private Dataset dataset;
  private long rowIds;
  private boolean tellsNullStructs;

  History(Variant variant, Writers writers, long seed, Path folder, BufferAllocator allocator) {
    this.variant = variant;
    // The real library loses null structs whose fields lie in several files when it writes them.
    this.tellsNullStructs = variant.nullStructs() && writers != Writers.BOTH;
    this.writers = writers;
    this.random = new Random(seed);
    this.allocator = allocator;
    this.uri = folder.resolve("ours").toString();
    String other = writers == Writers.EACH ? folder.resolve("theirs").toString() : uri;
    this.theirs = new Theirs(oracle, other, v -> theirVersions.getOrDefault(v, v), allocator);
    create();
  }

  private void create() {
    List<Field> fields = Values.sampleFields();
    Content empty = new Content(variant, fields, List.of());
    int fileRows = 1 + random.nextInt(12);
    List<Map<String, Object>> rows =
        RowChanges.randomRows(empty, fields, 1 + random.nextInt(25), random);
    boolean first = writers == Writers.BOTH && random.nextBoolean();
    try (ArrowTable data = theirs.data(fields, rows)) {
      if (!first) {
        Dataset.write(uri)
            .allocator(allocator)
            .fileVersion(variant.files())
            .stableRowIds(variant.stable())
            .maxRowsPerFile(fileRows)
            .from(data.root())
            .close();
      }
      if (first || writers == Writers.EACH) {
        ObjectNode args = Oracle.args(theirs.uri()).put("stableRowIds", variant.stable());
        args.put("fileVersion", variant.files().toString()).put("maxRowsPerFile", fileRows);
        oracle.send("write", args, data);
      }
    }
    dataset = open();
    done.add("create with " + rows.size() + " rows, " + fileRows + " in a file");
    check(empty.plus(rows, 1), true);
    theirVersions.put(1L, 1L);
  }

  private Dataset open() {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /** What was done so far, in words. */
  List<String> done() {
    return done;
  }

  void run(List<Step> steps) {
    for (int i = 0; i < steps.size(); i++) {
      step(steps.get(i));
      if (writers != Writers.US || i % LOOK == LOOK - 1 || i == steps.size() - 1) {
        look(theirs.uri(), writers == Writers.US);
      }
    }
  }

  private void step(Step step) {
    Change change = step.change(versions);
    boolean canBeTheirs = change.canBeTheirs();
    if (writers == Writers.EACH && !canBeTheirs) {
      return;
    }
    boolean byThem = writers == Writers.BOTH && canBeTheirs && random.nextBoolean();
    done.add((byThem ? "THEY " : "") + change);
    Content before = versions.lastEntry().getValue();
    Optional<Content> outcome = change.outcome(dataset.version() + 1);
    if (byThem) {
      theyChange(change, outcome.isEmpty());
      reopen();
    } else if (outcome.isEmpty()) {
      assertThatThrownBy(() -> change.byUs(dataset)).isInstanceOf(InvalidInputException.class);
      reopen();
    } else {
      dataset = change.byUs(dataset);
      change.checkVersions(versions.lastKey(), dataset.version());
      if (random.nextInt(5) == 0) {
        reopen();
      }
    }
    if (writers == Writers.EACH) {
      theyChange(change, outcome.isEmpty());
      for (long number = versions.lastKey() + 1; number < dataset.version(); number++) {
        theirVersions.put(number, theirVersions.get(versions.lastKey()));
      }
      theirVersions.put(dataset.version(), oracle.version(theirs.uri()));
    }
    for (long number = versions.lastKey() + 1; number < dataset.version(); number++) {
      versions.put(number, before);
    }
    if (change instanceof VersionChanges.CleanUp cleanUp) {
      versions.headMap(Math.min(cleanUp.first(), versions.lastKey())).clear();
    }
    if (change instanceof ColumnChanges.Alter alter && alter.dropsField()) {
      // Rows that had values of that field only have none that say that the struct is not null.
      tellsNullStructs = false;
    }
    check(outcome.orElse(before), change.keepsOrder());
    if (random.nextInt(3) == 0) {
      lookBack();
    }
  }

  private void theyChange(Change change, boolean refused) {
    if (refused) {
      assertThatThrownBy(() -> change.byThem(theirs)).isInstanceOf(OracleError.class);
    } else {
      change.byThem(theirs);
    }
  }

  private void reopen() {
    dataset.close();
    dataset = open();
  }

  /** Compares the newest version, and learns where rows are. */
  private void check(Content expected, boolean inOrder) {
    assertThat(dataset.schema()).isEqualTo(new Schema(expected.fields()));
    assertThat(dataset.countRows()).isEqualTo(expected.rows().size());
    List<Row> rows = rows(dataset);
    Set<Long> ids = new HashSet<>();
    rows.forEach(row -> assertThat(ids.add(row.id())).as("id of " + row + " is new").isTrue());
    if (writers == Writers.BOTH) {
      assertAlike("rows", values(expected.rows()), values(rows));
    } else {
      compare(expected, rows, inOrder);
    }
    versions.put(dataset.version(), expected.withRows(rows));
    rowIds = Math.max(rowIds, ids.stream().mapToLong(id -> id + 1).max().orElse(0));
    Condition condition = Condition.random(expected, random);
    assertThat(dataset.countRows(condition.sql()))
        .as(condition.sql())
        .isEqualTo(rows.stream().filter(condition::holds).count());
  }

  private void compare(Content expected, List<Row> rows, boolean inOrder) {
    Map<Long, Row> actual = new HashMap<>();
    rows.forEach(row -> actual.put(row.id(), row));
    List<Row> unknown = new ArrayList<>();
    List<Long> unmoved = new ArrayList<>();
    for (Row row : expected.rows()) {
      if (row.id() == Row.UNKNOWN) {
        unknown.add(normal(row));
        continue;
      }
      Row found = actual.remove(row.id());
      boolean any = row.updated() == Row.UNKNOWN && found != null;
      assertThat(found)
          .as("the row of an id")
          .isEqualTo(normal(any ? row.updatedIn(found.updated()) : row));
      if (row.updated() != dataset.version()) {
        unmoved.add(row.id());
      }
    }
    assertAlike(
        "rows that were written",
        unknown,
        actual.values().stream().map(row -> row.withId(Row.UNKNOWN)).toList());
    if (variant.stable()) {
      assertThat(actual.keySet()).as("new ids").allMatch(id -> id >= rowIds);
    }
    if (inOrder) {
      Set<Long> others = new HashSet<>(unmoved);
      assertThat(rows.stream().map(Row::id).filter(others::contains)).isEqualTo(unmoved);
    }
  }

  /** Shows only those that differ. */
  private static <T> void assertSame(String what, List<T> expected, List<T> actual) {
    assertThat(actual).as(what).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i)).as(what + ": " + i).isEqualTo(expected.get(i));
    }
  }

  /** In any order. */
  private static <T> void assertAlike(String what, List<T> expected, List<T> actual) {
    List<T> missing = new ArrayList<>(expected);
    List<T> more = new ArrayList<>(actual);
    actual.forEach(missing::remove);
    expected.forEach(more::remove);
    assertThat(more).as(what).isEqualTo(missing);
  }

  private Row normal(Row row) {
    Row visible = tellsNullStructs ? row : row.withValues(forThem(row).values());
    return variant.stable() ? visible : new Row(row.id(), visible.values(), 0, 0);
  }

  /** The real library loses null structs whose fields lie in several files. */
  private static Row forThem(Row row) {
    Map<String, Object> values = new HashMap<>();
    row.values().forEach((name, value) -> values.put(name, Values.withoutNullStructs(value)));
    return new Row(row.id(), values, 0, 0);
  }

  private List<Map<String, Object>> values(List<Row> rows) {
    return rows.stream().map(this::normal).map(Row::values).toList();
  }

  private List<Row> rows(Dataset version) {
    List<String> columns = new ArrayList<>(names(version.schema().getFields()));
    columns.add(ID);
    if (variant.stable()) {
      columns.addAll(List.of(CREATED, UPDATED));
    }
    List<Row> rows = new ArrayList<>();
    try (ArrowReader reader = version.scan().select(columns.toArray(String[]::new)).open()) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int i = 0; i < root.getRowCount(); i++) {
          Map<String, Object> values = Values.row(root, i);
          Object created = values.remove(CREATED);
          Object updated = values.remove(UPDATED);
          long id = (Long) values.remove(ID);
          Row row =
              variant.stable()
                  ? new Row(id, values, (Long) created, (Long) updated)
                  : new Row(id, values, 0, 0);
          rows.add(normal(row));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  private static List<String> names(List<Field> fields) {
    return fields.stream().map(Field::getName).toList();
  }

  /** Compares an earlier version. */
  private void lookBack() {
    if (writers == Writers.US) {
      assertThat(dataset.versions().stream().map(VersionSummary::id))
          .containsExactlyElementsOf(versions.keySet());
    }
    List<Long> numbers = List.copyOf(versions.keySet());
    long number = numbers.get(random.nextInt(numbers.size()));
    try (Dataset earlier = dataset.checkout(number)) {
      List<Row> expected = versions.get(number).rows().stream().map(this::normal).toList();
      assertSame("rows of version " + number, expected, rows(earlier));
    }
  }

  /** Compares what the real library reads of the newest version. */
  private void look(String table, boolean same) {
    Content content = versions.lastEntry().getValue();
    List<Row> rows = new ArrayList<>();
    ObjectNode args = Oracle.args(table).put("withRowId", true);
    names(content.fields()).forEach(args.putArray("columns")::add);
    try (ArrowTable theirRows = oracle.fetch("scan", args, allocator)) {
      for (int i = 0; i < theirRows.rowCount(); i++) {
        Map<String, Object> values = Values.row(theirRows.root(), i);
        rows.add(forThem(new Row((Long) values.remove(ID), values, 0, 0)));
      }
    }
    List<Row> expected = content.rows().stream().map(History::forThem).toList();
    if (same) {
      assertSame("rows for the real library", expected, rows);
    } else {
      assertAlike("rows of the real library", values(expected), values(rows));
    }
    assertThat(oracle.countRows(table)).isEqualTo(expected.size());
  }

  @Override
  public void close() {
    dataset.close();
  }
}
