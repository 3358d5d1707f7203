package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.Ref;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Look-ups in versions that share the files of indices with others, by each kind of index. */
class IndexedVersionsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  static Stream<Arguments> tables() {
    return IndexKindsUnderTest.ofValues().stream()
        .flatMap(kind -> Stream.of(Arguments.of(kind, false), Arguments.of(kind, true)));
  }

  private String uri() {
    return folder.resolve("t.lance").toString();
  }

  /** Rows k = 0 … 29 with v = k in three fragments, and an index on v. */
  private Dataset table(ScalarIndexSpec kind, boolean stableRowIds) {
    try (VectorSchemaRoot rows = rows(0, 30);
        Dataset plain =
            Dataset.write(uri())
                .allocator(allocator)
                .stableRowIds(stableRowIds)
                .maxRowsPerFile(10)
                .from(rows)) {
      return plain.createIndex("v", kind);
    }
  }

  private VectorSchemaRoot rows(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int k = from; k < to; k++) {
      text.append(k == from ? "" : " ").append(k).append(':').append(k).append(":a");
    }
    return MergeTables.rows("k,v,s", text.toString(), allocator);
  }

  /** The rows of a look-up, which an index must answer at least in part. */
  private List<String> lookUp(Dataset dataset, String filter) {
    Scan scan = dataset.scan().where(filter);
    assertThat(scan.explain()).contains("Look up");
    IndexedScans.requireSame(scan, allocator);
    return MergeTables.text(scan.open());
  }

  @ParameterizedTest
  @MethodSource("tables")
  void anOldVersionIsLookedUpAsItWas(ScalarIndexSpec kind, boolean stableRowIds) {
    try (Dataset first = table(kind, stableRowIds);
        Dataset second = first.update().where("v = 5").set("v", "100").execute().dataset();
        Dataset third = second.delete("v = 6").dataset()) {
      assertThat(lookUp(third, "v = 5")).isEmpty();
      assertThat(lookUp(third, "v = 6")).isEmpty();
      assertThat(lookUp(third, "v = 100")).containsExactly("5:100:a");
      try (Dataset old = third.checkout(first.version())) {
        assertThat(lookUp(old, "v = 5")).containsExactly("5:5:a");
        assertThat(lookUp(old, "v = 6")).containsExactly("6:6:a");
        assertThat(lookUp(old, "v = 100")).isEmpty();
        try (Dataset restored = old.restore()) {
          assertThat(lookUp(restored, "v IN (5, 6, 100)")).containsExactly("5:5:a", "6:6:a");
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void aCloneLooksUpInTheFilesOfItsOrigin(ScalarIndexSpec kind, boolean stableRowIds) {
    try (Dataset origin = table(kind, stableRowIds);
        Dataset clone = origin.shallowClone(folder.resolve("clone.lance").toString());
        VectorSchemaRoot more = rows(30, 35);
        Dataset grown = clone.append(more);
        Dataset changed = grown.update().where("v = 3").set("v", "33").execute().dataset()) {
      assertThat(lookUp(clone, "v = 3")).containsExactly("3:3:a");
      assertThat(lookUp(changed, "v = 3")).isEmpty();
      assertThat(lookUp(changed, "v = 33")).containsExactlyInAnyOrder("33:33:a", "3:33:a");
      assertThat(lookUp(origin, "v = 33")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void aBranchLooksUpWhatItHas(ScalarIndexSpec kind, boolean stableRowIds) {
    try (Dataset main = table(kind, stableRowIds)) {
      main.branches().create("trial");
      try (Dataset trial = main.checkout(Ref.branch("trial"));
          Dataset changed = trial.update().where("v = 3").set("v", "-3").execute().dataset()) {
        assertThat(lookUp(changed, "v = 3")).isEmpty();
        assertThat(lookUp(changed, "v = -3")).containsExactly("3:-3:a");
        assertThat(lookUp(main, "v = 3")).containsExactly("3:3:a");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void rowsOfATableThatWasOverwrittenAreNotTakenForTheOldOnes(
      ScalarIndexSpec kind, boolean stableRowIds) {
    table(kind, stableRowIds).close();
    try (VectorSchemaRoot others = rows(100, 120);
        Dataset written =
            Dataset.write(uri())
                .allocator(allocator)
                .mode(WriteMode.OVERWRITE)
                .maxRowsPerFile(10)
                .from(others)) {
      Scan scan = written.scan().where("v = 5 OR v = 105");
      IndexedScans.requireSame(scan, allocator);
      assertThat(MergeTables.text(scan.open())).containsExactly("105:105:a");
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void aColumnThatIsWrittenAnewInPlaceIsNotLookedUpInTheOldValues(
      ScalarIndexSpec kind, boolean stableRowIds) {
    try (Dataset first = table(kind, stableRowIds);
        VectorSchemaRoot source = MergeTables.rows("k,v", "3:300 25:-", allocator);
        Dataset second =
            first
                .mergeInsert("k")
                .form(MergeOptions.Form.REWRITE_COLUMNS)
                .whenMatched(WhenMatched.updateAll())
                .execute(source)
                .dataset()) {
      assertThat(lookUp(second, "v = 3")).isEmpty();
      assertThat(lookUp(second, "v = 300")).containsExactly("3:300:a");
      assertThat(lookUp(second, "v IS NULL")).containsExactly("25:-:a");
      assertThat(lookUp(second, "v = 4 OR v = 12")).containsExactly("4:4:a", "12:12:a");
    }
  }
}
