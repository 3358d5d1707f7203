package dev.lance4j.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class CompactionPlanTest {
  private static final int FEW_KILOBYTES = 2_000;

  private final BufferAllocator allocator = new RootAllocator();
  private final PlannedTables tables = new PlannedTables(allocator);

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static CompactionOptions.Builder target(long rows) {
    return CompactionOptions.builder().targetRowsPerFragment(rows);
  }

  private static String tasks(CompactionPlan plan) {
    return plan.tasks().stream()
        .map(
            task ->
                task.fragments().stream()
                    .map(IdRange::toString)
                    .collect(Collectors.joining(",", "{", "}")))
        .collect(Collectors.joining(" "));
  }

  private static Object copy(Object object) throws Exception {
    return new ObjectInputStream(new ByteArrayInputStream(bytes(object))).readObject();
  }

  private static byte[] bytes(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** The table of the specification's planning rules. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          6    | 3 3 3 3 3 3                     | {0-1} {2-3} {4-5}
          5    | 3 3 3 3 3 3 3                   | {0-1} {2-3} {4-6}
          500  | 100 400 200 200 400 300 300 100 | {0-1} {2-4} {5-7}
          3    | 3 3 3 3 3 3                     | ''
          10   | 10 3 3 10 3 10                  | {1-2}
          10   | 10-2 10-1 10                    | {0}
          4    | 4 4-1 4                         | {1}
          10   | 10-10                           | {0}
          1000 | 400 400 400 1000-1 1000-200 300 300 | {0-2} {4-6}
          6    | 4 4 4 4 4                       | {0-1} {2-4}
          5    | 4                               | ''
          10   | 8-1 8-1                         | {0-1}
          0    | 3 3-1 3-2                       | {1} {2}
          """)
  void fragmentsAreChosenAndCutAsSpecified(long target, String fragments, String expected) {
    assertThat(tasks(tables.create(fragments, false).plan(target(target).build())))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0.1,10-1 10 10,''",
    "0.05,10 10-1 10,{1}",
    "0,10 10-1 10,{1}",
    "-1,10 10-1 10,{1}",
    "1,10-9 10 10,''",
    "0.8,1000-501,''",
    "0.1,1000-501,{0}"
  })
  void deletionsCountFromTheThresholdOn(float threshold, String fragments, String expected) {
    CompactionOptions options = target(10).materializeDeletionsThreshold(threshold).build();

    assertThat(tasks(tables.create(fragments, false).plan(options))).isEqualTo(expected);
  }

  @Test
  void deletionsMayBeLeftAlone() {
    CompactionOptions options = target(10).materializeDeletions(false).build();

    assertThat(tasks(tables.create("10-9 10-9", false).plan(options))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0,''", "1,''", "2,{0-1}", "3,{0-1}", "4,{0-1} {2-3}", "6,{0-1} {2-3} {4-5}"})
  void planningStopsBeforeTooManyFragments(long most, String expected) {
    CompactionOptions options = target(6).maxSourceFragments(most).build();

    assertThat(tasks(tables.create("3 3 3 3 3 3", false).plan(options))).isEqualTo(expected);
  }

  @Test
  void whatAnIndexCoversIsNotJoinedWithWhatItDoesNot() {
    tables.create("3 3 3 3 3", false);

    assertThat(tasks(tables.index("k_idx", 0, 1, 2).plan(target(100).build())))
        .isEqualTo("{0-2} {3-4}");
    assertThat(tasks(tables.index("k_idx", 3).plan(target(100).build()))).isEqualTo("{0-2}");
  }

  @Test
  void whatDifferentSegmentsOfAnIndexCoverIsNotJoined() {
    tables.create("3 3 3 3", false);
    int[] base = {0, 1};
    int[] delta = {2};

    assertThat(tasks(tables.segments("k_idx", base, delta).plan(target(100).build())))
        .isEqualTo("{0-1}");
  }

  @Test
  void anIndexThatDoesNotSayWhatItCoversCoversWhatThereWas() {
    tables.create("3 3 3", false);
    tables.indexOfUnknownCoverage("k_idx");
    tables.append(3);

    assertThat(tasks(tables.append(3).plan(target(100).build()))).isEqualTo("{0-2} {3-4}");
  }

  @Test
  void whatHappenedToFragmentsBeforeDoesNotKeepThemApart() {
    tables.create("3 3 3", false);
    TableVersion version = tables.table().latest();
    FragmentReuse.Version rewrite = new FragmentReuse.Version(1, List.of());
    FragmentReuse reuse = new FragmentReuse(List.of(rewrite));
    Compaction compaction =
        tables.commit(
            new Operation.CreateIndex(
                List.of(
                    reuse.write(tables.table(), version.version(), RoaringBitmap.bitmapOf(0, 1))),
                List.of()));

    assertThat(tasks(compaction.plan(target(100).build()))).isEqualTo("{0-2}");
  }

  @Test
  void settingsOfTheTableTakeThePlaceOfDefaults() {
    tables.create("4 4 4", false);
    Compaction compaction = tables.config("lance.compaction.target_rows_per_fragment", "4");

    assertThat(tasks(compaction.plan(CompactionOptions.defaults()))).isEmpty();
    assertThat(tasks(compaction.plan(target(5).build()))).isEqualTo("{0-2}");
    assertThat(tasks(tables.config("lance.compaction.of_later", "x").plan(target(5).build())))
        .isEqualTo("{0-2}");
  }

  @ParameterizedTest
  @CsvSource({
    "compaction_mode,xx",
    "target_rows_per_fragment,many",
    "materialize_deletions,perhaps",
    "num_threads,0"
  })
  void malformedSettingsAreNamed(String key, String value) {
    tables.create("4 4", false);
    Compaction compaction = tables.config("lance.compaction." + key, value);

    assertThatThrownBy(() -> compaction.plan(CompactionOptions.defaults()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(value);
  }

  @Test
  void deferredRemapIsRefusedWhereRowsHaveStableIds() {
    Compaction compaction = tables.create("4 4", true);

    assertThatThrownBy(
            () -> compaction.plan(CompactionOptions.builder().deferIndexRemap(true).build()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("stable row ids");
  }

  @Test
  void pagesCannotBeForcedToBeCopied() {
    Compaction compaction = tables.create("4 4", false);

    assertThatThrownBy(
            () ->
                compaction.plan(
                    CompactionOptions.builder().mode(CompactionMode.FORCE_BINARY_COPY).build()))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("reencode");
    assertThat(
            tasks(
                compaction.plan(
                    CompactionOptions.builder().mode(CompactionMode.TRY_BINARY_COPY).build())))
        .isEqualTo("{0-1}");
  }

  @Test
  void thePlanSaysWhatItWillDoAndWhy() {
    CompactionPlan plan = tables.create("40 10-4 10 20-5", false).plan(target(20).build());

    assertThat(plan.toString())
        .isEqualTo(
            """
            Compaction of memory://songs.lance version 1: 1 task
              fragments 1-3: 1 small, 2 with deletions; 31 rows in 2 new fragments, about 248 \
            bytes; 9 deleted rows go""");
    assertThat(tables.config("a", "b").plan(target(1).materializeDeletions(false).build()))
        .hasToString("Compaction of memory://songs.lance version 2: nothing to do");
  }

  @Test
  void plansAndTasksAreTheSameAfterTheyWereSent() throws Exception {
    CompactionPlan plan = tables.create("4 4-1 9 9 4 4", false).plan(target(8).build());
    assertThat(plan.tasks()).hasSize(2);

    assertThat(CompactionPlan.fromJson(plan.toJson())).isEqualTo(plan);
    assertThat(copy(plan)).isEqualTo(plan);
    for (CompactionTask task : plan.tasks()) {
      assertThat(CompactionTask.fromJson(task.toJson())).isEqualTo(task);
      assertThat(copy(task)).isEqualTo(task);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"uri\":\"x\",\"read_version\":1}",
        "{\"uri\":\"x\",\"read_version\":-1,\"tasks\":[]}",
        "{\"uri\":\"x\",\"read_version\":1,\"tasks\":[{}]}",
        "{\"uri\":\"x\",\"read_version\":1,\"tasks\":[],\"more\":3}"
      })
  void jsonThatIsNoPlanIsRefused(String json) {
    assertThatThrownBy(() -> CompactionPlan.fromJson(json))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("compaction plan");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [[3,1]]       | 1
          [[0,4],[4,5]] | 1
          [[0]]         | 1
          [[-1,4]]      | 1
          [[0,4]]       | 0
          """)
  void jsonOfAnImpossibleTaskIsRefused(String fragments, long rowsPerFile) {
    String json = tables.create("4 4", false).plan(target(9).build()).tasks().get(0).toJson();
    String changed =
        json.replace("[[0,1]]", fragments)
            .replace("\"max_rows_per_file\":9", "\"max_rows_per_file\":" + rowsPerFile);
    assertThat(changed).isNotEqualTo(json);

    assertThatThrownBy(() -> CompactionTask.fromJson(changed))
        .isInstanceOf(InvalidInputException.class);
  }

  /** Reported of a system whose tasks carried the whole dataset. */
  @Test
  void tasksAreSmallHoweverManyFragmentsThereAre() throws Exception {
    CompactionPlan plan = tables.create(2_000, 1).plan(CompactionOptions.builder().build());

    assertThat(plan.tasks()).hasSize(1);
    CompactionTask task = plan.tasks().get(0);
    assertThat(task.fragmentCount()).isEqualTo(2_000);
    assertThat(task.toJson().length()).isLessThan(FEW_KILOBYTES);
    assertThat(bytes(task).length).isLessThan(FEW_KILOBYTES);
  }

  @Test
  void manyFragmentsArePlannedInLessThanASecond() {
    Compaction compaction = tables.create(100_000, 1_000);
    compaction.plan(CompactionOptions.defaults());
    long start = System.nanoTime();

    CompactionPlan plan = compaction.plan(CompactionOptions.defaults());

    assertThat((System.nanoTime() - start) / 1_000_000).isLessThan(1_000);
    assertThat(plan.tasks()).hasSize(95);
  }
}
