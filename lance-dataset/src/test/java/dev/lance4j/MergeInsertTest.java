package dev.lance4j;

import static dev.lance4j.MergeTables.rows;
import static dev.lance4j.MergeTables.schema;
import static dev.lance4j.MergeTables.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.write.MergeOptions.Duplicates;
import dev.lance4j.write.MergeOptions.Form;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MergeInsertTest {
  private static final String TABLE = "1:1:a 2:1:b 3:1:c 4:1:d 5:1:e 6:1:f";
  private static final String SOURCE = "4:2:D 5:2:E 6:2:F 7:2:G 8:2:H 9:2:I";

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** A merge, what it counts and what the table is afterwards. */
  private record Case(
      String name,
      String on,
      String table,
      String columns,
      String source,
      UnaryOperator<MergeInsertBuilder> options,
      String counts,
      String expected) {
    static Case of(String name, UnaryOperator<MergeInsertBuilder> options) {
      return new Case(name, "k", TABLE, "k,v,s", SOURCE, options, "", "");
    }

    Case on(String columns) {
      return new Case(name, columns, table, this.columns, source, options, counts, expected);
    }

    Case table(String rows) {
      return new Case(name, on, rows, columns, source, options, counts, expected);
    }

    Case source(String names, String rows) {
      return new Case(name, on, table, names, rows, options, counts, expected);
    }

    Case gives(String insertedUpdatedDeleted, String rows) {
      return new Case(name, on, table, columns, source, options, insertedUpdatedDeleted, rows);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static MergeInsertBuilder upsert(MergeInsertBuilder merge) {
    return merge.whenMatched(WhenMatched.updateAll());
  }

  private static MergeInsertBuilder updateOnly(MergeInsertBuilder merge) {
    return upsert(merge).whenNotMatched(WhenNotMatched.doNothing());
  }

  private static MergeInsertBuilder deleteMatched(MergeInsertBuilder merge) {
    return merge.whenMatched(WhenMatched.delete()).whenNotMatched(WhenNotMatched.doNothing());
  }

  private static UnaryOperator<MergeInsertBuilder> deleteIf(String condition) {
    return merge -> merge.whenNotMatchedBySource(WhenNotMatchedBySource.deleteIf(condition));
  }

  private static MergeInsertBuilder mirror(MergeInsertBuilder merge) {
    return upsert(merge).whenNotMatchedBySource(WhenNotMatchedBySource.delete());
  }

  private static final String FIRST = "1:1:a 2:1:b 3:1:c ";
  private static final String OLD = "4:1:d 5:1:e 6:1:f ";
  private static final String UPDATED = "4:2:D 5:2:E 6:2:F ";
  private static final String NEW = "7:2:G 8:2:H 9:2:I";

  private static List<Case> cases() {
    return List.of(
        Case.of("rows that are there stay by default", m -> m).gives("3,0,0", FIRST + OLD + NEW),
        Case.of("update and insert", MergeInsertTest::upsert).gives("3,3,0", FIRST + UPDATED + NEW),
        Case.of(
                "update only where the condition is true",
                m -> m.whenMatched(WhenMatched.updateIf("source.s != target.s")))
            .source("k,v,s", "4:2:d 5:2:e 6:2:F 7:2:G")
            .gives("1,1,0", FIRST + "4:1:d 5:1:e 6:2:F 7:2:G"),
        Case.of(
                "a condition that is never true",
                m ->
                    m.whenMatched(WhenMatched.updateIf("source.v < target.v"))
                        .whenNotMatched(WhenNotMatched.doNothing()))
            .gives("0,0,0", FIRST + OLD),
        Case.of("the table becomes the source", MergeInsertTest::mirror)
            .gives("3,3,3", UPDATED + NEW),
        Case.of("delete by condition what the source lacks", deleteIf("k > 1"))
            .gives("3,0,2", "1:1:a " + OLD + NEW),
        Case.of(
                "update and delete what the source lacks",
                m -> mirror(m).whenNotMatched(WhenNotMatched.doNothing()))
            .gives("0,3,3", UPDATED),
        Case.of(
                "delete what the source lacks",
                m ->
                    m.whenNotMatched(WhenNotMatched.doNothing())
                        .whenNotMatchedBySource(WhenNotMatchedBySource.delete()))
            .gives("0,0,3", OLD),
        Case.of("delete what is matched", MergeInsertTest::deleteMatched).gives("0,0,3", FIRST),
        Case.of("the key is enough to delete", MergeInsertTest::deleteMatched)
            .source("k", "4 5 6 7 8 9")
            .gives("0,0,3", FIRST),
        Case.of("delete what is matched and insert", m -> m.whenMatched(WhenMatched.delete()))
            .gives("3,0,3", FIRST + NEW),
        Case.of("nothing is matched that must not be", m -> m.whenMatched(WhenMatched.fail()))
            .source("k,v,s", "7:2:G 8:2:H")
            .gives("2,0,0", FIRST + OLD + "7:2:G 8:2:H"),
        Case.of("duplicates that match nothing are all inserted", MergeInsertTest::upsert)
            .source("k,v,s", "40:2:x 40:3:y")
            .gives("2,0,0", FIRST + OLD + "40:2:x 40:3:y"),
        Case.of("duplicates do not matter when nothing is done", m -> m)
            .source("k,v,s", "4:2:x 4:3:y")
            .gives("0,0,0", FIRST + OLD),
        Case.of("duplicates delete a row once", MergeInsertTest::deleteMatched)
            .source("k", "4 4 5 4")
            .gives("0,0,2", FIRST + "6:1:f"),
        Case.of("the first of duplicates counts", m -> upsert(m).duplicates(Duplicates.KEEP_FIRST))
            .source("k,v,s", "4:2:x 4:3:y 40:2:z 40:3:w -:1:n -:2:m")
            .gives("3,1,0", FIRST + "4:2:x 5:1:e 6:1:f 40:2:z -:1:n -:2:m"),
        Case.of(
                "one of two duplicates meets the condition",
                m -> m.whenMatched(WhenMatched.updateIf("source.v > 2")))
            .source("k,v,s", "4:2:x 4:3:y")
            .gives("0,1,0", FIRST + "4:3:y 5:1:e 6:1:f"),
        Case.of("null keys match nothing", MergeInsertTest::upsert)
            .source("k,v,s", "-:2:x 4:2:D")
            .gives("1,1,0", FIRST + "4:2:D 5:1:e 6:1:f -:2:x"),
        Case.of("not even null keys", MergeInsertTest::upsert)
            .table("1:1:a -:1:b")
            .source("k,v,s", "-:2:x 1:2:A")
            .gives("1,1,0", "1:2:A -:1:b -:2:x"),
        Case.of("rows with null keys are not in the source", MergeInsertTest::mirror)
            .table("1:1:a -:1:b")
            .source("k,v,s", "-:2:x 1:2:A")
            .gives("1,1,1", "1:2:A -:2:x"),
        Case.of("an empty source changes nothing", MergeInsertTest::upsert)
            .source("k,v,s", "")
            .gives("0,0,0", FIRST + OLD),
        Case.of("nothing is in an empty source", MergeInsertTest::mirror)
            .source("k,v,s", "")
            .gives("0,0,6", ""),
        Case.of("columns that the source lacks stay, or are null", MergeInsertTest::upsert)
            .source("k,v", "4:2 5:2 6:2 7:2 8:2 9:2")
            .gives("3,3,0", FIRST + "4:2:d 5:2:e 6:2:f 7:2:- 8:2:- 9:2:-"),
        Case.of(
                "columns that the source lacks, rows written anew",
                m -> upsert(m).form(Form.REWRITE_ROWS))
            .source("k,v", "4:2 5:2 6:2 7:2 8:2 9:2")
            .gives("3,3,0", FIRST + "4:2:d 5:2:e 6:2:f 7:2:- 8:2:- 9:2:-"),
        Case.of(
                "columns that the source lacks, in place",
                m -> updateOnly(m).form(Form.REWRITE_COLUMNS))
            .source("s,k", "X:2 Y:5 Z:9")
            .gives("0,2,0", "1:1:a 2:1:X 3:1:c 4:1:d 5:1:Y 6:1:f"),
        Case.of("columns that the source lacks are null in what is inserted", m -> m)
            .source("k,v", "4:2 7:2")
            .gives("1,0,0", FIRST + OLD + "7:2:-"),
        Case.of("columns that the source lacks, and rows", MergeInsertTest::mirror)
            .source("k,v", "4:2 5:2 6:2 7:2 8:2 9:2")
            .gives("3,3,3", "4:2:d 5:2:e 6:2:f 7:2:- 8:2:- 9:2:-"),
        Case.of("nothing but keys", MergeInsertTest::upsert)
            .source("k", "6 7")
            .gives("1,1,0", FIRST + OLD + "7:-:-"),
        Case.of("columns in another order", MergeInsertTest::upsert)
            .source("s,v,k", "D:2:4 E:2:5 F:2:6 G:2:7 H:2:8 I:2:9")
            .gives("3,3,0", FIRST + UPDATED + NEW),
        Case.of("the case of key columns does not matter", MergeInsertTest::upsert)
            .on("K")
            .gives("3,3,0", FIRST + UPDATED + NEW),
        Case.of("all parts of a key must match", MergeInsertTest::upsert)
            .on("k,s")
            .source("k,v,s", "4:2:d 5:2:E 6:2:f 7:2:g 8:2:h 9:2:-")
            .gives("4,2,0", FIRST + "4:2:d 5:1:e 5:2:E 6:2:f 7:2:g 8:2:h 9:2:-"),
        Case.of(
                "a condition that is null is not true",
                m -> m.whenMatched(WhenMatched.updateIf("source.v > target.v")))
            .source("k,v,s", "4:-:D 5:2:E")
            .gives("0,1,0", FIRST + "4:1:d 5:2:E 6:1:f"),
        Case.of("a condition about deletions that is null is not true", deleteIf("v > 0"))
            .table("1:1:a 2:-:b 3:0:c")
            .source("k,v,s", "9:9:z")
            .gives("1,0,1", "2:-:b 3:0:c 9:9:z"),
        Case.of("one source row for two rows of the table", MergeInsertTest::upsert)
            .table("1:1:a 1:2:b 2:1:c")
            .source("k,v,s", "1:9:z")
            .gives("0,2,0", "1:9:z 1:9:z 2:1:c"),
        Case.of("two rows of the table in place", MergeInsertTest::upsert)
            .table("1:1:a 1:2:b 2:1:c")
            .source("k,v", "1:9")
            .gives("0,2,0", "1:9:a 1:9:b 2:1:c"),
        Case.of(
                "an unqualified column that one side alone has",
                m -> m.whenMatched(WhenMatched.updateIf("s = 'd'")))
            .source("k,v", "4:2 5:2")
            .gives("0,1,0", FIRST + "4:2:d 5:1:e 6:1:f"),
        Case.of("a table without rows", MergeInsertTest::upsert)
            .table("")
            .source("k,v,s", "1:1:a")
            .gives("1,0,0", "1:1:a"));
  }

  /** How the table is stored. */
  private record Storage(FileVersion version, boolean stable, boolean spilled) {}

  static List<Arguments> everyWay() {
    List<Arguments> arguments = new ArrayList<>();
    List<Storage> ways =
        List.of(
            new Storage(FileVersion.V2_1, false, false),
            new Storage(FileVersion.V2_1, true, true),
            new Storage(FileVersion.V2_0, true, false),
            new Storage(FileVersion.V2_2, false, true));
    for (Storage way : ways) {
      cases().forEach(each -> arguments.add(Arguments.of(each, way)));
    }
    return arguments;
  }

  private Dataset create(String rows, Storage way) {
    try (VectorSchemaRoot root = rows("k,v,s", rows, allocator)) {
      return Dataset.write(folder.resolve("t").toString())
          .allocator(allocator)
          .fileVersion(way.version())
          .stableRowIds(way.stable())
          .maxRowsPerFile(3)
          .from(root);
    }
  }

  private Dataset create() {
    return create(TABLE, new Storage(FileVersion.V2_1, false, false));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("everyWay")
  void mergesAndCounts(Case each, Storage way) {
    try (Dataset before = create(each.table, way);
        VectorSchemaRoot source = rows(each.columns, each.source, allocator)) {
      MergeInsertBuilder merge = each.options.apply(before.mergeInsert(each.on.split(",", -1)));
      if (way.spilled()) {
        merge.memoryBudget(200);
      }
      MergeResult result = merge.execute(source);
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsInserted() + "," + result.rowsUpdated() + "," + result.rowsDeleted())
            .isEqualTo(each.counts);
        assertThat(text(after.scan().open()))
            .containsExactlyInAnyOrderElementsOf(words(each.expected));
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(result.attempts()).isOne();
        assertThat(text(before.scan().open())).isEqualTo(words(each.table));
      }
    }
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.trim().split(" ", -1));
  }

  private void assertRefused(
      String columns,
      String rows,
      UnaryOperator<MergeInsertBuilder> options,
      Class<? extends Exception> error,
      String... messages) {
    assertRefused(schema(columns), rows, options, error, messages);
  }

  private void assertRefused(
      Schema schema,
      String rows,
      UnaryOperator<MergeInsertBuilder> options,
      Class<? extends Exception> error,
      String... messages) {
    try (Dataset table = create();
        VectorSchemaRoot source = rows(schema, rows, allocator)) {
      assertThatThrownBy(() -> options.apply(table.mergeInsert("k")).execute(source))
          .isInstanceOf(error)
          .hasMessageContainingAll(messages);
      try (Dataset latest = table.latest()) {
        assertThat(latest.version()).isEqualTo(1);
      }
      assertThat(folder.resolve("t/data").toFile().list()).hasSize(2);
      assertThat(folder.resolve("t/_deletions").toFile().list()).isNullOrEmpty();
    }
  }

  @Test
  void aMatchThatMustNotBeIsAnErrorThatNamesTheKey() {
    assertRefused(
        "k,v,s",
        "7:2:x 4:2:y",
        m -> m.whenMatched(WhenMatched.fail()),
        InvalidInputException.class,
        "k = 4");
  }

  @Test
  void twoSourceRowsForOneRowAreAnErrorThatNamesTheKey() {
    assertRefused(
        "k,v,s",
        "7:2:x 4:2:y 4:3:z",
        MergeInsertTest::upsert,
        InvalidInputException.class,
        "k = 4");
  }

  @Test
  void keysOfSeveralColumnsAreNamedWithTheirTextInQuotes() {
    try (Dataset table = create();
        VectorSchemaRoot source = rows("k,v,s", "4:2:d 4:3:d", allocator)) {
      assertThatThrownBy(() -> upsert(table.mergeInsert("k", "s")).execute(source))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("k = 4, s = \"d\"");
    }
  }

  @Test
  void aMergeThatChangesNothingIsRefused() {
    assertRefused(
        "k,v,s",
        "4:2:x",
        m -> m.whenNotMatched(WhenNotMatched.doNothing()),
        InvalidInputException.class,
        "would not change anything");
  }

  @Test
  void sourcesThatDoNotFitAreRefused() {
    Field wide = Field.nullable("v", new ArrowType.Int(64, true));
    Schema wideValue = new Schema(List.of(MergeTables.field("k"), wide));
    Schema wideKey = new Schema(List.of(Field.nullable("k", new ArrowType.Int(64, true))));
    assertRefused(wideValue, "", m -> m, SchemaMismatchException.class, "'v'", "int64", "int32");
    folder = folder.resolve("a");
    assertRefused(wideKey, "", m -> m, SchemaMismatchException.class, "'k'", "int64");
    folder = folder.resolve("b");
    assertRefused("k,z", "", m -> m, SchemaMismatchException.class, "[z]");
    folder = folder.resolve("c");
    assertRefused("k,_rowid", "", m -> m, SchemaMismatchException.class, "[_rowid]");
    folder = folder.resolve("d");
    assertRefused("v,s", "", m -> m, SchemaMismatchException.class, "'k'");
  }

  @Test
  void keysThatDoNotExistAreRefused() {
    try (Dataset table = create();
        VectorSchemaRoot source = rows("k,v,s", "4:2:x", allocator)) {
      assertThatThrownBy(() -> table.mergeInsert("x").execute(source))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'x' does not exist");
      assertThatThrownBy(() -> table.mergeInsert().execute(source))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("primary key");
      assertThatThrownBy(() -> table.mergeInsert("k", "K").execute(source))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("twice");
    }
  }

  @Test
  void conditionsThatDoNotFitAreRefused() {
    for (String condition : List.of("source.nothing > 1", "source.v + 1", "v > 1", "source")) {
      assertRefused(
          "k,v,s",
          "4:2:x",
          m -> m.whenMatched(WhenMatched.updateIf(condition)),
          InvalidInputException.class,
          "condition");
      folder = folder.resolve("x");
    }
    for (String condition : List.of("target.v > 1", "nothing > 1", "v + 1")) {
      assertRefused("k,v,s", "4:2:x", deleteIf(condition), InvalidInputException.class, "");
      folder = folder.resolve("x");
    }
  }

  @Test
  void rowsWithoutAValueThatMustBeThereAreNotInserted() {
    Field required = Field.notNullable("v", new ArrowType.Int(32, true));
    Schema schema = new Schema(List.of(MergeTables.field("k"), required));
    try (VectorSchemaRoot root = rows(schema, "1:1 2:2", allocator);
        Dataset table =
            Dataset.write(folder.resolve("t").toString()).allocator(allocator).from(root);
        VectorSchemaRoot keys = rows("k", "2 3", allocator);
        VectorSchemaRoot nulls = rows("k,v", "2:-", allocator)) {
      assertThatThrownBy(() -> upsert(table.mergeInsert("k")).execute(keys))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("[v]");
      assertThatThrownBy(() -> upsert(table.mergeInsert("k")).execute(nulls))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("v");
      MergeResult result = updateOnly(table.mergeInsert("k")).execute(keys);
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsUpdated()).isOne();
        assertThat(text(after.scan().open())).containsExactlyInAnyOrder("1:1", "2:2");
      }
    }
  }

  @Test
  void inPlaceIsRefusedWhereItCannotBe() {
    assertRefused(
        "k,v,s",
        "4:2:x",
        m -> m.form(Form.REWRITE_COLUMNS),
        InvalidInputException.class,
        "in place");
    folder = folder.resolve("x");
    assertRefused(
        "k",
        "4",
        m -> updateOnly(m).form(Form.REWRITE_COLUMNS),
        InvalidInputException.class,
        "nothing but the key");
  }

  @Test
  void countsTheFilesAndBytesOfWhatWasWritten() {
    try (Dataset table = create();
        VectorSchemaRoot source = rows("k,v,s", SOURCE, allocator)) {
      MergeResult result = upsert(table.mergeInsert("k")).execute(source);
      try (Dataset after = result.dataset()) {
        assertThat(after.fragments()).hasSize(2);
        assertThat(after.fragments().get(1).physicalRows()).isEqualTo(6);
        assertThat(result.filesWritten()).isEqualTo(1);
        assertThat(result.bytesWritten())
            .isEqualTo(after.fragments().get(1).files().get(0).sizeBytes());
      }
    }
  }
}
