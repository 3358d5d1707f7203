package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.TableBuilder;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeOptions.Duplicates;
import dev.lance4j.write.WhenMatched;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Merges of columns of all types, as values and as keys. */
class MergeTypesTest {
  private static final int ROWS = 300;
  private static final Field ID = Field.nullable("id", new ArrowType.Int(32, true));

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset create(ArrowTable table, FileVersion version) {
    return Dataset.write(folder.resolve("t").toString())
        .allocator(allocator)
        .fileVersion(version)
        .maxRowsPerFile(100)
        .from(BatchSource.of(table.root(), table.dictionaries()));
  }

  private static void number(ArrowTable table, int first) {
    IntVector ids = (IntVector) table.column("id");
    for (int i = 0; i < table.rowCount(); i++) {
      ids.setSafe(i, first + i);
    }
  }

  /** Half of the source's rows are new; rows of all kinds of columns are compared. */
  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void valuesOfAllTypesAreUpdatedAndInserted(FileVersion version) {
    List<Field> fields = new ArrayList<>(List.of(ID));
    fields.addAll(SampleFields.of(version));
    // Files of version 2.0 do not store null structs as such.
    NullPattern nulls = version == FileVersion.V2_0 ? NullPattern.NONE : NullPattern.SOME;
    for (boolean spilled : new boolean[] {false, true}) {
      try (ArrowTable table = RandomData.table(fields, nulls, ROWS, 1, allocator);
          ArrowTable source = RandomData.table(fields, nulls, ROWS, 2, allocator)) {
        number(table, 0);
        number(source, ROWS / 2);
        try (Dataset before = create(table, version)) {
          MergeResult result =
              before
                  .mergeInsert("id")
                  .whenMatched(WhenMatched.updateAll())
                  .memoryBudget(spilled ? 1 << 19 : 1 << 30)
                  .execute(BatchSource.of(source.root(), source.dictionaries()));
          try (Dataset after = result.dataset();
              ArrowTable actual = sorted(after);
              TableBuilder builder = new TableBuilder(allocator)) {
            assertThat(result.rowsUpdated()).isEqualTo(ROWS / 2);
            assertThat(result.rowsInserted()).isEqualTo(ROWS / 2);
            builder.append(table.root(), table.dictionaries(), 0, ROWS / 2);
            builder.append(source.root(), source.dictionaries());
            try (ArrowTable expected = builder.build()) {
              TableAssert.assertEqual(expected, actual);
            }
          }
        }
      }
      folder = folder.resolve("spilled");
    }
  }

  private ArrowTable sorted(Dataset dataset) {
    try (ArrowTable rows = Tables.drain(dataset.scan().open(), allocator)) {
      IntVector ids = (IntVector) rows.column("id");
      int[] order =
          IntStream.range(0, rows.rowCount())
              .boxed()
              .sorted(Comparator.comparingInt(ids::get))
              .mapToInt(Integer::intValue)
              .toArray();
      return Tables.gather(rows, order, allocator);
    }
  }

  /** A table merged with itself: every row without a null in its key finds itself. */
  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_1", "V2_2"})
  void columnsOfAllTypesAreKeys(FileVersion version) {
    for (Field key : SampleFields.of(version)) {
      try (ArrowTable table =
          RandomData.table(List.of(key, ID), NullPattern.SOME, ROWS, 3, allocator)) {
        number(table, 0);
        try (Dataset before = create(table, version)) {
          MergeResult result =
              before
                  .mergeInsert(key.getName())
                  .whenMatched(WhenMatched.updateAll())
                  .duplicates(Duplicates.KEEP_FIRST)
                  .execute(BatchSource.of(table.root(), table.dictionaries()));
          result.dataset().close();
          int nulls = nulls(table.column(key.getName()));
          assertThat(result.rowsUpdated()).as("%s", key).isEqualTo(ROWS - nulls);
          assertThat(result.rowsInserted()).as("%s", key).isEqualTo(nulls);
        }
      }
      folder = folder.resolve("x");
    }
  }

  private static int nulls(FieldVector vector) {
    int nulls = 0;
    for (int i = 0; i < ROWS; i++) {
      nulls += vector.isNull(i) ? 1 : 0;
    }
    return nulls;
  }

  @Test
  void theSourceMayUseItsBatchAgainForTheNextOne() {
    try (VectorSchemaRoot table = MergeTables.rows("k,v,s", "1:1:a 2:1:b", allocator);
        VectorSchemaRoot batch = MergeTables.rows("k,v,s", "1:2:x", allocator);
        Dataset before = create(ArrowTable.of(table), FileVersion.V2_1)) {
      BatchSource source =
          BatchSource.of(
              batch.getSchema(),
              IntStream.of(1, 2, 3)
                  .mapToObj(
                      k -> {
                        ((IntVector) batch.getVector("k")).set(0, k);
                        return batch;
                      })
                  .iterator(),
              null);
      MergeResult result =
          before.mergeInsert("k").whenMatched(WhenMatched.updateAll()).execute(source);
      try (Dataset after = result.dataset()) {
        assertThat(MergeTables.text(after.scan().open()))
            .containsExactlyInAnyOrder("1:2:x", "2:2:x", "3:2:x");
      }
    }
  }

  /** Columns that the source lacks are carried over as they are stored. */
  @Test
  void jsonAndBlobsOfUpdatedRowsStay() {
    Field json =
        new Field(
            "j",
            new FieldType(
                true, ArrowType.Utf8.INSTANCE, null, Map.of("ARROW:extension:name", "arrow.json")),
            null);
    Field blob =
        new Field(
            "b",
            new FieldType(
                true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
            null);
    Schema schema = new Schema(List.of(MergeTables.field("k"), MergeTables.field("v"), json, blob));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        VectorSchemaRoot source = MergeTables.rows("k,v,s", "1:2:x 3:2:y", allocator)) {
      for (int i = 0; i < 3; i++) {
        ((IntVector) root.getVector("k")).setSafe(i, i);
        ((IntVector) root.getVector("v")).setSafe(i, i);
        ((VarCharVector) root.getVector("j"))
            .setSafe(i, ("{\"n\":" + i + "}").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        byte[] bytes = new byte[10_000];
        Arrays.fill(bytes, (byte) i);
        ((LargeVarBinaryVector) root.getVector("b")).setSafe(i, bytes);
      }
      root.setRowCount(3);
      try (Dataset before = create(ArrowTable.of(root), FileVersion.V2_1);
          VectorSchemaRoot some =
              new VectorSchemaRoot(List.of(source.getVector("k"), source.getVector("v")))) {
        some.setRowCount(2);
        MergeResult result =
            before
                .mergeInsert("k")
                .whenMatched(WhenMatched.updateAll())
                .form(dev.lance4j.write.MergeOptions.Form.REWRITE_ROWS)
                .execute(some);
        try (Dataset after = result.dataset();
            ArrowTable rows =
                Tables.drain(after.scan().where("k = 1").withBlobBytes().open(), allocator)) {
          assertThat(result.rowsUpdated()).isOne();
          assertThat(rows.rowCount()).isOne();
          assertThat(rows.column("v").getObject(0)).isEqualTo(2);
          assertThat(rows.column("j").getObject(0)).hasToString("{\"n\":1}");
          assertThat(((LargeVarBinaryVector) rows.column("b")).get(0))
              .hasSize(10_000)
              .containsOnly(1);
        }
      }
    }
  }
}
