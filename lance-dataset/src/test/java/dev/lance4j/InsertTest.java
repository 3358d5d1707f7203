package dev.lance4j;

import static dev.lance4j.Cells.INT32;
import static dev.lance4j.Cells.INT64;
import static dev.lance4j.Cells.UTF8;
import static dev.lance4j.Cells.batch;
import static dev.lance4j.Cells.nullable;
import static dev.lance4j.Cells.required;
import static dev.lance4j.Cells.row;
import static dev.lance4j.Cells.rows;
import static dev.lance4j.Cells.schema;
import static dev.lance4j.Cells.struct;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.Insert;
import dev.lance4j.write.InsertOptions;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of the specification of inserts, I1 to I26. */
class InsertTest {
  private static final String URI = "table.lance";
  private static final Field K = nullable("k", INT32);
  private static final Field V = nullable("v", INT32);
  private static final Field S = nullable("s", UTF8);
  private static final Schema T = schema(K, V, S);

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private WriteBuilder write(WriteMode mode) {
    return Dataset.write(URI).store(store).allocator(allocator).mode(mode);
  }

  @SafeVarargs
  private Dataset write(WriteBuilder builder, Schema schema, List<Object>... rows) {
    try (VectorSchemaRoot batch = batch(allocator, schema, rows)) {
      return builder.from(batch);
    }
  }

  @SafeVarargs
  private Dataset append(Dataset to, Schema schema, List<Object>... rows) {
    try (VectorSchemaRoot batch = batch(allocator, schema, rows)) {
      return to.append(batch);
    }
  }

  private Dataset createT() {
    return write(write(WriteMode.CREATE), T, row(0, 0, "zero"), row(1, 10, "one"));
  }

  private static List<Integer> fields(FragmentMetadata fragment) {
    return fragment.files().get(0).fieldIds();
  }

  private List<String> dataFiles() {
    List<String> files = new ArrayList<>();
    store.list(
        URI + "/data",
        name -> {
          files.add(name);
          return true;
        });
    return files;
  }

  @Test // I1
  void createsATableWithoutRows() {
    try (Dataset made = write(WriteMode.CREATE).from(T)) {
      assertThat(made.version()).isEqualTo(1);
      assertThat(made.fragments()).isEmpty();
      assertThat(made.schema().getFields()).isEqualTo(T.getFields());
    }
  }

  @Test // I2
  void appendingNoRowsMakesAVersion() {
    try (Dataset made = createT();
        Dataset same = made.append(BatchSource.of(T))) {
      assertThat(same.version()).isEqualTo(2);
      assertThat(same.fragments()).isEqualTo(made.fragments());
    }
  }

  @Test // I3
  void columnsThatAreLeftOutAreNull() {
    try (Dataset made = createT();
        Dataset more = append(made, schema(K, V), row(2, 20))) {
      assertThat(fields(more.fragments().get(1))).containsExactly(0, 1);
      assertThat(rows(more))
          .containsExactly(row(0, 0, "zero"), row(1, 10, "one"), row(2, 20, null));
    }
  }

  @Test // I4
  void columnsMayComeInAnotherOrder() {
    try (Dataset made = createT();
        Dataset more = append(made, schema(S, K, V), row("two", 2, 20))) {
      assertThat(fields(more.fragments().get(1))).containsExactly(2, 0, 1);
      assertThat(more.fragments().get(1).files().get(0).columnIndices()).containsExactly(0, 1, 2);
      assertThat(rows(more)).contains(row(2, 20, "two"));
    }
  }

  @Test // I5, I6, I7
  void refusesRowsThatDoNotFit() {
    try (Dataset made = createT()) {
      assertThatThrownBy(() -> append(made, schema(K, V, S, nullable("z", INT32))).close())
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("fields did not match, missing=[], unexpected=[z]");
      assertThatThrownBy(() -> append(made, schema(nullable("k", INT64), V, S)).close())
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'k' should have type int32 but type was int64");
    }
    try (Dataset strict = write(write(WriteMode.OVERWRITE), schema(required("k", INT32), V))) {
      assertThatThrownBy(() -> append(strict, schema(V), row(1)).close())
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("missing=[k]");
    }
  }

  @Test // I8, I9
  void nullsAreRefusedByTheTableNotByTheInput() {
    try (Dataset made = write(write(WriteMode.CREATE), schema(required("k", INT32)), row(1))) {
      int before = dataFiles().size();
      assertThatThrownBy(() -> append(made, schema(K), row(2), row((Object) null)).close())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("k");
      assertThat(dataFiles()).hasSize(before);
      try (Dataset more = append(made, schema(K), row(2), row(3))) {
        assertThat(rows(more)).containsExactly(row(1), row(2), row(3));
        assertThat(more.schema().getFields().get(0).isNullable()).isFalse();
      }
    }
  }

  @Test // I10
  void refusesToCreateATableThatIsThere() {
    createT().close();
    int before = dataFiles().size();
    assertThatThrownBy(() -> createT().close()).isInstanceOf(DatasetExistsException.class);
    assertThat(dataFiles()).hasSize(before);
  }

  @ParameterizedTest // I11
  @EnumSource(
      value = WriteMode.class,
      names = {"APPEND", "OVERWRITE"})
  void createsATableThatIsNotThere(WriteMode mode) {
    try (Dataset made = write(write(mode), T, row(0, 0, "zero"))) {
      assertThat(made.version()).isEqualTo(1);
      assertThat(rows(made)).containsExactly(row(0, 0, "zero"));
    }
  }

  @Test // I12
  void overwritesWithAnotherSchema() {
    try (Dataset made = createT();
        Dataset other =
            write(write(WriteMode.OVERWRITE), schema(nullable("z", INT64)), row(7L), row(8L))) {
      assertThat(other.version()).isEqualTo(2);
      assertThat(other.fragments()).extracting(FragmentMetadata::id).containsExactly(0L);
      assertThat(other.lanceSchema().fields().get(0).id()).isZero();
      assertThat(rows(other)).containsExactly(row(7L), row(8L));
      try (Dataset old = other.checkout(1)) {
        assertThat(rows(old)).isEqualTo(rows(made));
      }
    }
  }

  @Test // I13
  void overwritingContinuesTheRowIds() {
    try (Dataset made =
            write(
                write(WriteMode.CREATE).stableRowIds(true),
                schema(K),
                row(1),
                row(2),
                row(3),
                row(4));
        Dataset other = write(write(WriteMode.OVERWRITE), schema(K), row(5), row(6))) {
      assertThat(made.hasStableRowIds()).isTrue();
      assertThat(other.hasStableRowIds()).isTrue();
      assertThat(rows(other.scan().select("_rowid").open())).containsExactly(row(4L), row(5L));
    }
  }

  @Test // I15, I16
  void onlyAnOverwriteChangesTheFileVersion() {
    try (Dataset made = createT();
        Dataset more =
            write(write(WriteMode.APPEND).fileVersion(FileVersion.V2_0), T, row(2, 20, "two"))) {
      assertThat(made.fragments()).hasSize(1);
      assertThat(more.fragments().get(1).files().get(0).fileVersion()).isEqualTo(FileVersion.V2_1);
      try (Dataset other =
          write(write(WriteMode.OVERWRITE).fileVersion(FileVersion.V2_0), T, row(3, 30, "three"))) {
        assertThat(other.fragments().get(0).files().get(0).fileVersion())
            .isEqualTo(FileVersion.V2_0);
        assertThat(rows(other)).containsExactly(row(3, 30, "three"));
      }
    }
  }

  @Test // I17
  void filesEndAtTheNumberOfRowsAskedFor() {
    try (VectorSchemaRoot three = numbers(0, 3);
        VectorSchemaRoot five = numbers(3, 8);
        VectorSchemaRoot four = numbers(8, 12);
        Dataset made =
            write(WriteMode.CREATE).maxRowsPerFile(5).from(schema(K), List.of(three, five, four))) {
      assertThat(made.fragments())
          .extracting(FragmentMetadata::physicalRows)
          .containsExactly(5L, 5L, 2L);
      assertThat(rows(made)).isEqualTo(IntStream.range(0, 12).mapToObj(Cells::row).toList());
    }
  }

  @Test // I18
  void theLimitOfBytesCountsWhatIsWritten() {
    try (VectorSchemaRoot four = numbers(0, 4);
        Dataset made =
            write(WriteMode.CREATE).maxBytesPerFile(1).from(schema(K), List.of(four, four, four))) {
      assertThat(made.fragments()).extracting(FragmentMetadata::physicalRows).containsExactly(12L);
    }
  }

  private VectorSchemaRoot numbers(int start, int end) {
    return batch(allocator, schema(K), IntStream.range(start, end).mapToObj(Cells::row).toList());
  }

  @ParameterizedTest // I19, I20
  @ValueSource(
      strings = {
        "_rowid",
        "_rowaddr",
        "_rowoffset",
        "_row_created_at_version",
        "_row_last_updated_at_version"
      })
  void refusesReservedNames(String name) {
    assertThatThrownBy(() -> write(WriteMode.CREATE).from(schema(nullable(name, INT32))).close())
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining(name);
    try (Dataset made = createT()) {
      assertThatThrownBy(() -> append(made, schema(K, nullable(name, INT32))).close())
          .isInstanceOf(SchemaMismatchException.class);
    }
  }

  @Test // I21
  void refusesNamesThatAPathCannotTell() {
    assertThatThrownBy(() -> write(WriteMode.CREATE).from(schema(nullable("a.b", INT32))).close())
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("a.b");
    assertThatThrownBy(() -> write(WriteMode.CREATE).from(schema(K, V, K)).close())
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("Duplicate");
  }

  private static final Field A = nullable("a", INT32);
  private static final Field B = nullable("b", UTF8);

  @ParameterizedTest // I22
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void childrenOfStructsThatAreLeftOutAreNull(FileVersion version) {
    try (Dataset made =
            write(
                write(WriteMode.CREATE).fileVersion(version),
                schema(K, struct("st", A, B)),
                row(0, row(1, "one")));
        Dataset more = append(made, schema(K, struct("st", A)), row(1, row(2)))) {
      assertThat(rows(more)).containsExactly(row(0, row(1, "one")), row(1, row(2, null)));
      assertThat(fields(more.fragments().get(1)))
          .isEqualTo(version == FileVersion.V2_0 ? List.of(0, 1, 2) : List.of(0, 2));
    }
  }

  @ParameterizedTest // I23
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void childrenOfStructsMayComeInAnotherOrder(FileVersion version) {
    Schema nested = schema(K, struct("st", A, struct("in", A, B)));
    Schema turned = schema(struct("st", struct("in", B, A), A), K);
    try (Dataset made =
            write(
                write(WriteMode.CREATE).fileVersion(version),
                nested,
                row(0, row(1, row(2, "two"))));
        Dataset more = append(made, turned, row(row(row("five", 5), 4), 3))) {
      assertThat(rows(more))
          .containsExactly(row(0, row(1, row(2, "two"))), row(3, row(4, row(5, "five"))));
    }
  }

  @Test
  void refusesStructsThatDoNotFit() {
    Field strict = struct("st", required("a", INT32), B);
    try (Dataset made = write(write(WriteMode.CREATE), schema(K, strict))) {
      assertThatThrownBy(() -> append(made, schema(K, struct("st", B))).close())
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'st'")
          .hasMessageContaining("missing=[a]");
      assertThatThrownBy(
              () -> append(made, schema(K, struct("st", A, B, nullable("c", INT32)))).close())
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("unexpected=[c]");
      assertThatThrownBy(() -> append(made, schema(K, struct("st", nullable("a", UTF8)))).close())
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("st.a");
    }
  }

  @Test // I24
  void theSameFragmentsCanBeAppendedTwice() {
    try (Dataset made = createT();
        VectorSchemaRoot batch = batch(allocator, T, row(2, 20, "two"))) {
      Table table = Table.at(new StoreLocation(store, URI, URI));
      Insert insert = new Insert(table, InsertOptions.defaults(allocator));
      TableVersion latest = table.latest();
      Operation.Append operation = insert.prepareAppend(latest, BatchSource.of(batch, null));
      assertThat(made.latest().version()).isEqualTo(1);
      Committer committer = new Committer(table, CommitOptions.DEFAULT);
      committer.commit(latest, Transaction.of(1, operation));
      committer.commit(latest, Transaction.of(1, operation));
      try (Dataset twice = made.latest()) {
        assertThat(twice.fragments()).extracting(FragmentMetadata::id).containsExactly(0L, 1L, 2L);
        assertThat(rows(twice)).hasSize(4).endsWith(row(2, 20, "two"), row(2, 20, "two"));
      }
    }
  }

  @Test // I25
  void fragmentIdsAreNotUsedAgain() {
    try (Dataset made =
            write(write(WriteMode.CREATE).maxRowsPerFile(1), schema(K), row(1), row(2));
        Dataset emptied = made.delete("true").dataset();
        Dataset more = append(emptied, schema(K), row(3))) {
      assertThat(more.fragments()).extracting(FragmentMetadata::id).containsExactly(2L);
      assertThat(rows(more)).containsExactly(row(3));
    }
  }

  @Test // I26
  void theFirstFragmentOfAnEmptyTableHasIdZero() {
    try (Dataset made = write(WriteMode.CREATE).from(schema(K));
        Dataset more = append(made, schema(K), row(1))) {
      assertThat(more.fragments()).extracting(FragmentMetadata::id).containsExactly(0L);
    }
  }

  @Test
  void takesABatchOnlyWhenTheOneBeforeIsWritten() {
    List<Integer> asked = new ArrayList<>();
    try (VectorSchemaRoot reused = numbers(0, 4)) {
      Iterator<VectorSchemaRoot> batches =
          new Iterator<>() {
            private int given;

            @Override
            public boolean hasNext() {
              return given < 5;
            }

            @Override
            public VectorSchemaRoot next() {
              if (!hasNext()) {
                throw new NoSuchElementException();
              }
              asked.add(given);
              for (int i = 0; i < 4; i++) {
                // Overwrites in place: what was given before is used up.
                ((IntVector) reused.getVector(0)).set(i, given * 4 + i);
              }
              given++;
              return reused;
            }
          };
      try (Dataset made = write(WriteMode.CREATE).from(BatchSource.of(schema(K), batches, null))) {
        assertThat(rows(made)).isEqualTo(IntStream.range(0, 20).mapToObj(Cells::row).toList());
      }
    }
    assertThat(asked).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void aSourceThatFailsLeavesNoFiles() {
    createT().close();
    int before = dataFiles().size();
    try (VectorSchemaRoot four = numbers(0, 4)) {
      Iterator<VectorSchemaRoot> failing =
          new Iterator<>() {
            private int given;

            @Override
            public boolean hasNext() {
              return true;
            }

            @Override
            public VectorSchemaRoot next() {
              if (given++ == 3) {
                throw new IllegalStateException("the source broke");
              }
              return four;
            }
          };
      assertThatThrownBy(
              () ->
                  write(WriteMode.APPEND)
                      .maxRowsPerFile(2)
                      .from(BatchSource.of(schema(K), failing, null))
                      .close())
          .hasMessage("the source broke");
    }
    assertThat(dataFiles()).hasSize(before);
    try (Dataset now =
        Dataset.open(URI, OpenOptions.builder().store(store).allocator(allocator).build())) {
      assertThat(now.version()).isEqualTo(1);
    }
  }

  @Test
  void aStoreThatFailsLeavesNoFiles() {
    createT().close();
    int before = dataFiles().size();
    for (long nth = 1; nth <= 3; nth++) {
      FaultyObjectStore faulty =
          new FaultyObjectStore(store)
              .failNth(FaultyObjectStore.Fault.ERROR_BEFORE, StoreCall.PUT, nth);
      try (VectorSchemaRoot six = numbers(0, 6)) {
        assertThatThrownBy(
                () ->
                    Dataset.write(URI)
                        .store(faulty)
                        .allocator(allocator)
                        .mode(WriteMode.APPEND)
                        .maxRowsPerFile(2)
                        .from(six)
                        .close())
            .isInstanceOf(UncheckedIOException.class);
      }
      assertThat(dataFiles()).hasSize(before);
    }
  }

  @Test
  void preparedRowsAreSeenByNobody() {
    Table table = Table.at(new StoreLocation(store, URI, URI));
    Insert insert = new Insert(table, InsertOptions.defaults(allocator));
    try (VectorSchemaRoot batch = batch(allocator, T, row(0, 0, "zero"))) {
      Operation.Overwrite first = insert.prepareCreate(BatchSource.of(batch, null));
      assertThat(table.findLatest()).isEmpty();
      TableVersion made =
          new Committer(table, CommitOptions.DEFAULT).create(Transaction.of(0, first));
      Operation.Overwrite second = insert.prepareOverwrite(made, BatchSource.of(batch, null));
      assertThat(table.latest().version()).isEqualTo(1);
      new Committer(table, CommitOptions.DEFAULT).commit(made, Transaction.of(1, second));
      try (Dataset now =
          Dataset.open(URI, OpenOptions.builder().store(store).allocator(allocator).build())) {
        assertThat(now.version()).isEqualTo(2);
        assertThat(rows(now)).containsExactly(row(0, 0, "zero"));
      }
    }
  }
}
