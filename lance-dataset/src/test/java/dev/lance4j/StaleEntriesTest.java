package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The story of a service whose list showed a document that a look-up by its key did not find: rows
 * are merged in, fragments compacted and indices brought up to date, in any order, after which the
 * list and every single look-up must agree, and no row be found under a value that it had before.
 */
class StaleEntriesTest {
  private static final String PATH = "documents";
  private static final int KEYS = 40;

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("id", new ArrowType.Int(64, true)),
              Field.nullable("state", new ArrowType.Int(64, true)),
              new Field(
                  "labels",
                  FieldType.nullable(ArrowType.List.INSTANCE),
                  List.of(Field.nullable("item", new ArrowType.Int(64, true))))));

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Map<Long, Long> states = new TreeMap<>();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  enum Step {
    MERGE,
    COMPACT,
    OPTIMIZE
  }

  /**
   * @param spec the kind of index
   * @param column that it is on
   * @param stable whether the table has stable row ids
   * @param steps in order
   */
  record Story(ScalarIndexSpec spec, String column, boolean stable, List<Step> steps) {}

  static List<Story> stories() {
    List<Story> stories = new ArrayList<>();
    for (boolean stable : new boolean[] {true, false}) {
      for (List<Step> steps : orders()) {
        for (String column : List.of("id", "state")) {
          stories.add(new Story(ScalarIndexSpec.btree().withRowsPerPage(4), column, stable, steps));
          stories.add(new Story(ScalarIndexSpec.bitmap(), column, stable, steps));
          stories.add(
              new Story(ScalarIndexSpec.zoneMap().withRowsPerZone(3), column, stable, steps));
          stories.add(
              new Story(ScalarIndexSpec.bloomFilter().withRowsPerZone(5), column, stable, steps));
        }
        stories.add(new Story(ScalarIndexSpec.labelList(), "labels", stable, steps));
      }
    }
    return stories;
  }

  /** All orders of the three steps, each done twice. */
  private static List<List<Step>> orders() {
    List<List<Step>> orders = new ArrayList<>();
    for (Step first : Step.values()) {
      for (Step second : Step.values()) {
        for (Step third : Step.values()) {
          if (first != second && second != third && first != third) {
            orders.add(List.of(first, second, third, first, second, third));
          }
        }
      }
    }
    return orders;
  }

  @ParameterizedTest
  @MethodSource("stories")
  void theListAndEveryLookUpAgree(Story story) throws Exception {
    create(story);
    for (int i = 0; i < story.steps().size(); i++) {
      try (Dataset before = open();
          Dataset after = apply(before, story.steps().get(i), i)) {
        check(after, story.steps().subList(0, i + 1));
      }
    }
  }

  private Dataset open() {
    return Dataset.open(PATH, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  private void create(Story story) {
    for (long id = 0; id < 24; id++) {
      states.put(id, id % 5);
    }
    try (VectorSchemaRoot rows = rows(states);
        Dataset created =
            Dataset.write(PATH)
                .store(store)
                .allocator(allocator)
                .stableRowIds(story.stable())
                .maxRowsPerFile(8)
                .from(rows)) {
      created.createIndex(story.column(), story.spec()).close();
    }
  }

  private Dataset apply(Dataset dataset, Step step, int number) {
    return switch (step) {
      case MERGE -> merge(dataset, number);
      case COMPACT -> dataset.compact().dataset();
      case OPTIMIZE -> dataset.optimizeIndices(OptimizeOptions.defaults());
    };
  }

  /** Changes the state of some rows and adds others. */
  private Dataset merge(Dataset dataset, int number) {
    Map<Long, Long> source = new TreeMap<>();
    for (long id = number; id < KEYS; id += 7) {
      source.put(id, 10L + number);
    }
    states.putAll(source);
    try (VectorSchemaRoot rows = rows(source)) {
      return dataset
          .mergeInsert("id")
          .whenMatched(WhenMatched.updateAll())
          .whenNotMatched(WhenNotMatched.insertAll())
          .execute(rows)
          .dataset();
    }
  }

  private VectorSchemaRoot rows(Map<Long, Long> source) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    ListVector labels = (ListVector) root.getVector("labels");
    BigIntVector items = (BigIntVector) labels.getDataVector();
    int row = 0;
    for (Map.Entry<Long, Long> each : source.entrySet()) {
      ((BigIntVector) root.getVector("id")).setSafe(row, each.getKey());
      ((BigIntVector) root.getVector("state")).setSafe(row, each.getValue());
      int at = labels.startNewValue(row);
      items.setSafe(at, each.getValue());
      items.setSafe(at + 1, 100 + each.getKey());
      labels.endValue(row++, 2);
    }
    root.setRowCount(row);
    return root;
  }

  private void check(Dataset dataset, List<Step> done) throws Exception {
    assertThat(ids(dataset, "id >= 0", false))
        .as("list after %s", done)
        .isEqualTo(List.copyOf(states.keySet()));
    for (long id = 0; id < KEYS; id++) {
      List<Long> expected = states.containsKey(id) ? List.of(id) : List.of();
      assertThat(ids(dataset, "id = " + id, true))
          .as("id %d after %s", id, done)
          .isEqualTo(expected);
      assertThat(ids(dataset, "array_has(labels, " + (100 + id) + ")", true))
          .as("label of id %d after %s", id, done)
          .isEqualTo(expected);
    }
    for (long state = 0; state < 16; state++) {
      long wanted = state;
      List<Long> expected =
          states.entrySet().stream()
              .filter(each -> each.getValue() == wanted)
              .map(Map.Entry::getKey)
              .toList();
      for (String filter : List.of("state = " + state, "array_has(labels, " + state + ")")) {
        assertThat(ids(dataset, filter, true)).as("%s after %s", filter, done).isEqualTo(expected);
        assertThat(dataset.countRows(filter))
            .as("count of %s after %s", filter, done)
            .isEqualTo(expected.size());
      }
    }
  }

  /** The ids of the rows that fulfil a condition, ascending. */
  private static List<Long> ids(Dataset dataset, String filter, boolean indexed) throws Exception {
    List<Object> found =
        Songs.column(
            dataset.scan().select("id").where(filter).useScalarIndex(indexed).open(), "id");
    return found.stream().map(Long.class::cast).sorted().toList();
  }
}
