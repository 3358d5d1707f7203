package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.table.CleanupPolicy;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What makes no version of the table itself, such as tags, branches, clones and clean-ups, meets a
 * fault of the store at each of its calls in turn. Each part of what users see is then as before or
 * as it is meant to be; unless all is as meant the fault was reported, and doing it again finishes
 * the work and leaves no more files than if nothing had failed.
 */
class RefFaultsTest {
  private static final String ROOT = "tables";
  private static final String PATH = ROOT + "/songs.lance";
  private static final String OTHER = ROOT + "/other.lance";
  private static final CleanupPolicy ALL_OLD =
      CleanupPolicy.builder().deleteUnverified(true).errorIfTaggedOldVersions(false).build();

  private static final CleanupPolicy WITH_BRANCHES =
      CleanupPolicy.builder()
          .deleteUnverified(true)
          .errorIfTaggedOldVersions(false)
          .cleanReferencedBranches(true)
          .build();

  private final BufferAllocator allocator = new RootAllocator();

  /** Something that is done to the newest version of a table. */
  private interface Action {
    void apply(Dataset dataset, VectorSchemaRoot rows) throws Exception;
  }

  /**
   * An action with its name, and how it is done again after it failed. To have another one tested,
   * add a line to {@link #actions}.
   */
  private record Named(String name, Action action, Action again) {
    Named(String name, Action action) {
      this(name, action, action);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Named> actions() {
    return List.of(
        new Named("create a tag", (d, rows) -> d.tags().create("new", 3)),
        new Named("move a tag", (d, rows) -> d.tags().update("old", 3)),
        new Named("describe a tag", (d, rows) -> d.tags().replaceMetadata("old", Map.of("a", "b"))),
        new Named("delete a tag", (d, rows) -> d.tags().delete("old")),
        new Named(
            "create a branch",
            (d, rows) -> d.branches().create("new", 2),
            (d, rows) -> {
              deleteIfThere(d, "new");
              d.branches().create("new", 2);
            }),
        new Named(
            "describe a branch",
            (d, rows) -> d.branches().replaceMetadata("side", Map.of("a", "b"))),
        new Named(
            "delete a branch",
            (d, rows) -> d.branches().delete("side"),
            (d, rows) -> deleteIfThere(d, "side")),
        new Named(
            "append to a branch",
            (d, rows) -> {
              try (Dataset branch = d.checkout("side")) {
                branch.append(rows).close();
              }
            }),
        new Named("clone", (d, rows) -> d.shallowClone(OTHER).close()),
        new Named("clean up", (d, rows) -> d.cleanup(ALL_OLD)),
        new Named("clean up with branches", (d, rows) -> d.cleanup(WITH_BRANCHES)));
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static void deleteIfThere(Dataset dataset, String branch) {
    try {
      dataset.branches().delete(branch);
    } catch (InvalidInputException e) {
      assertThat(e).hasMessageContaining("no branch");
    }
  }

  /** Four versions, of which the second has a tag, and a branch from the first with one more. */
  private ObjectStore table() throws Exception {
    ObjectStore store = new MemoryObjectStore();
    try (VectorSchemaRoot rows = Songs.rows(0, 30, allocator);
        VectorSchemaRoot more = Songs.rows(30, 40, allocator)) {
      Dataset.write(PATH).store(store).allocator(allocator).maxRowsPerFile(10).from(rows).close();
      try (Dataset first = TableStates.open(store, PATH, allocator);
          Dataset second = first.append(more);
          Dataset third = second.delete("k = 12 OR k > 37").dataset();
          Dataset fourth = third.updateConfig(Map.of("a", "b"))) {
        assertThat(fourth.version()).isEqualTo(4);
        second.tags().create("old", 2);
        first.branches().create("side", 1);
        try (Dataset side = first.checkout("side")) {
          side.append(more).close();
        }
      }
    }
    return store;
  }

  private void apply(Action action, ObjectStore store) throws Exception {
    try (Dataset dataset = TableStates.open(store, PATH, allocator);
        VectorSchemaRoot rows = Songs.rows(50, 60, allocator)) {
      action.apply(dataset, rows);
    }
  }

  private Map<String, String> states(ObjectStore store) throws Exception {
    return TableStates.of(store, allocator, PATH, OTHER);
  }

  /** How many files there are in each directory, beside those that clean-ups find. */
  private Map<String, Integer> files(ObjectStore original) {
    ObjectStore store = TableStates.copy(original, ROOT);
    for (String path : List.of(PATH, OTHER)) {
      if (TableStates.table(store, path).findLatest().isPresent()) {
        try (Dataset newest = TableStates.open(store, path, allocator)) {
          newest.cleanup(WITH_BRANCHES);
        }
      }
    }
    Map<String, Integer> counts = new TreeMap<>();
    store.walk(
        ROOT,
        object ->
            counts.merge(
                object.path().substring(0, object.path().lastIndexOf('/')), 1, Integer::sum));
    return counts;
  }

  @ParameterizedTest
  @MethodSource("actions")
  void errorsBeforeTheEffect(Named named) throws Exception {
    atEachCall(named, Fault.ERROR_BEFORE);
  }

  @ParameterizedTest
  @MethodSource("actions")
  void errorsAfterTheEffect(Named named) throws Exception {
    atEachCall(named, Fault.ERROR_AFTER);
  }

  @ParameterizedTest
  @MethodSource("actions")
  void truncatedReads(Named named) throws Exception {
    atEachCall(named, Fault.TRUNCATED);
  }

  @ParameterizedTest
  @MethodSource("actions")
  void slowCalls(Named named) throws Exception {
    ObjectStore store = table();
    ObjectStore expected = TableStates.copy(store, ROOT);
    apply(named.action(), expected);

    apply(named.action(), new FaultyObjectStore(store).slow(Duration.ofMillis(1)));

    assertThat(states(store)).isEqualTo(states(expected));
  }

  private void atEachCall(Named named, Fault fault) throws Exception {
    ObjectStore base = table();
    ObjectStore done = TableStates.copy(base, ROOT);
    apply(named.action(), done);
    Map<String, String> before = states(base);
    Map<String, String> after = states(done);
    assertThat(after).isNotEqualTo(before);
    Map<String, Integer> files = files(done);
    boolean failed = true;
    for (int call = 1; failed; call++) {
      ObjectStore store = TableStates.copy(base, ROOT);
      FaultyObjectStore faulty = new FaultyObjectStore(store);
      inject(fault, call, faulty);
      String where = fault + " at call " + call;
      boolean reported = false;
      try {
        apply(named.action(), faulty);
      } catch (UncheckedIOException | LanceException e) {
        reported = true;
        assertThat(e).as(where).hasMessageMatching("(?s).{10,}");
      }
      failed = faulty.failures() > 0;
      Map<String, String> states = states(store);
      assertPartsAreOldOrNew(states, before, after, where);
      if (reported && !(states.equals(after) && files(store).equals(files))) {
        apply(named.again(), store);
      }
      assertThat(states(store)).as(where).isEqualTo(after);
      assertThat(files(store)).as(where).isEqualTo(files);
    }
  }

  private static void inject(Fault fault, int call, FaultyObjectStore store) {
    if (fault == Fault.TRUNCATED) {
      // Values have no checksum in the format: zeros in place of them are as good as others.
      store.fail(fault, StoreCall.READ, path -> !path.contains("/data/"), call, 1);
    } else {
      store.failNth(fault, call);
    }
  }

  private static void assertPartsAreOldOrNew(
      Map<String, String> states,
      Map<String, String> before,
      Map<String, String> after,
      String where) {
    before.forEach(
        (part, state) -> {
          if (state.equals(after.get(part))) {
            assertThat(states).as(where).containsEntry(part, state);
          }
        });
    states.forEach(
        (part, state) ->
            assertThat(state).as(where + ": " + part).isIn(before.get(part), after.get(part)));
  }
}
