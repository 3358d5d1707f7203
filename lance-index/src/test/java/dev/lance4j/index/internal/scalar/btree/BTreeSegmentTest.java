package dev.lance4j.index.internal.scalar.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.ColumnSegments;
import dev.lance4j.index.internal.scalar.NaiveColumn;
import dev.lance4j.index.internal.scalar.RandomQueries;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

class BTreeSegmentTest {
  private static final int ROUNDS = 6;
  private static final BTreeKind KIND = new BTreeKind();

  private final BufferAllocator allocator = new RootAllocator();
  private final ColumnSegments segments = new ColumnSegments(KIND, allocator);

  @AfterEach
  void nothingIsLeaked() {
    segments.close();
    allocator.close();
  }

  /** The fields whose values have an order. */
  static List<Field> fields() {
    return SampleFields.of(FileVersion.V2_1).stream().filter(KeyType::has).toList();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aSearchFindsWhatALinearOneFinds(Field field) {
    SplittableRandom random = new SplittableRandom(field.getName().hashCode());
    for (int round = 0; round < ROUNDS; round++) {
      int rows = 1 + random.nextInt(200);
      try (ArrowTable table = table(field, rows, random)) {
        long[] numbers = numbers(rows, random.nextBoolean(), random);
        int indexed = random.nextInt(rows + 1);
        try (ArrowTable part = Tables.slice(table, 0, indexed, allocator)) {
          SegmentFiles files =
              segments.write(
                  spec(1 + random.nextInt(10)), List.of(), part, Arrays.copyOf(numbers, indexed));
          assertAnswers(files, new NaiveColumn(table, numbers), indexed, random);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void mergedSegmentsAreWhatOneOfAllRowsIs(Field field) {
    SplittableRandom random = new SplittableRandom(field.getName().hashCode() + 1);
    for (int round = 0; round < ROUNDS; round++) {
      int pageRows = 1 + random.nextInt(10);
      int rows = 3 + random.nextInt(200);
      int first = random.nextInt(rows);
      int second = first + random.nextInt(rows - first);
      try (ArrowTable table = table(field, rows, random)) {
        long[] numbers = numbers(rows, false, random);
        RowTranslation odd = row -> row % 2 == 0 ? RowTranslation.GONE : row + 1_000_000;
        List<SegmentInput.Old> old =
            List.of(
                new SegmentInput.Old(
                    part(table, numbers, 0, first, pageRows), odd, new RoaringBitmap()),
                new SegmentInput.Old(
                    part(table, numbers, first, second, 3),
                    RowTranslation.KEEP,
                    new RoaringBitmap()));
        int[] kept = new int[rows];
        long[] keptNumbers = new long[rows];
        int count = 0;
        for (int row = 0; row < rows; row++) {
          if (row >= first || numbers[row] % 2 != 0) {
            kept[count] = row;
            keptNumbers[count++] = row < first ? numbers[row] + 1_000_000 : numbers[row];
          }
        }
        try (ArrowTable fresh = Tables.slice(table, second, rows, allocator);
            ArrowTable all = Tables.gather(table, Arrays.copyOf(kept, count), allocator)) {
          long[] all64 = Arrays.copyOf(keptNumbers, count);
          SegmentFiles merged =
              segments.write(
                  KIND.settings(old.get(0).files()),
                  old,
                  fresh,
                  Arrays.copyOfRange(numbers, second, rows));
          SegmentFiles rebuilt = segments.write(spec(pageRows), List.of(), all, all64);

          if (count > 0) {
            assertAnswers(merged, new NaiveColumn(all, all64), count, random);
          }
          assertEqualLookups(merged, rebuilt);
        }
      }
    }
  }

  private SegmentFiles part(ArrowTable table, long[] numbers, int from, int to, int pageRows) {
    try (ArrowTable rows = Tables.slice(table, from, to, allocator)) {
      return segments.write(spec(pageRows), List.of(), rows, Arrays.copyOfRange(numbers, from, to));
    }
  }

  private void assertEqualLookups(SegmentFiles actual, SegmentFiles expected) {
    try (LanceFileReader a = actual.open(BTreeFiles.LOOKUP);
        LanceFileReader b = expected.open(BTreeFiles.LOOKUP);
        ArrowTable ours = Tables.drain(a.scan().open(allocator), allocator);
        ArrowTable theirs = Tables.drain(b.scan().open(allocator), allocator)) {
      TableAssert.assertEqual(theirs, ours);
      assertThat(a.metadata()).isEqualTo(b.metadata());
    }
  }

  @Test
  void rowsThatExceedTheMemoryAreSortedAllTheSame() {
    segments.withMemory(1);
    SplittableRandom random = new SplittableRandom(1);
    for (String name : List.of("int64", "utf8", "float32", "bool")) {
      int rows = 20_000;
      try (ArrowTable table = table(field(name), rows, random)) {
        long[] numbers = numbers(rows, true, random);
        SegmentFiles files = segments.write(spec(1000), List.of(), table, numbers);
        assertAnswers(files, new NaiveColumn(table, numbers), rows, random);
      }
    }
  }

  @Test
  void floatingPointNumbersHaveTheirTotalOrder() {
    double[] values = {
      Double.NaN,
      0.0,
      -0.0,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      Double.longBitsToDouble(0xFFF8000000000000L),
      1.5,
      -3
    };
    Float8Vector vector = new Float8Vector("x", allocator);
    vector.allocateNew(3 * values.length);
    for (int i = 0; i < 3 * values.length; i++) {
      vector.set(i, values[i % values.length]);
    }
    vector.setValueCount(3 * values.length);
    try (ArrowTable table = ArrowTable.of(vector)) {
      long[] numbers = LongStream.range(0, table.rowCount()).toArray();
      SegmentFiles files = segments.write(spec(4), List.of(), table, numbers);
      SplittableRandom random = new SplittableRandom(7);
      NaiveColumn naive = new NaiveColumn(table, numbers);
      for (int i = 0; i < 20; i++) {
        assertAnswers(files, naive, table.rowCount(), random);
      }
    }
  }

  @Test
  void statisticsAreThoseOfTheTreeThatTheRealLibraryBuilds() {
    // As release 7.0.0 gives them for these pages of 8 rows.
    Double[] half = {1.5, -0.0, 0.0, Double.NaN, -3.0, Double.POSITIVE_INFINITY};
    Double[] rest = {Double.NEGATIVE_INFINITY, 2.5, null, 7.0};
    Float8Vector vector = new Float8Vector("score", allocator);
    vector.allocateNew(20);
    for (int i = 0; i < 20; i++) {
      Double value = i % 10 < half.length ? half[i % 10] : rest[i % 10 - half.length];
      if (value == null) {
        vector.setNull(i);
      } else {
        vector.set(i, value);
      }
    }
    vector.setValueCount(20);
    try (ArrowTable table = ArrowTable.of(vector)) {
      long[] numbers = LongStream.range(0, 20).toArray();
      SegmentFiles files = segments.write(spec(8), List.of(), table, numbers);
      try (ScalarSegment<?> segment = KIND.open(files, RowDomain.ADDRESSES, allocator)) {
        assertThat(segment.statistics())
            .containsExactlyInAnyOrderEntriesOf(
                Map.of("min", "NULL", "max", "NaN", "num_pages", 4L));
      }
    }
  }

  @Test
  void anIndexOfNoRowsFindsNothing() {
    try (ArrowTable table = table(SampleFields.int32("x"), 5, new SplittableRandom(1));
        ArrowTable none = Tables.slice(table, 0, 0, allocator)) {
      SegmentFiles files = segments.write(spec(4096), List.of(), none, new long[0]);
      assertAnswers(files, new NaiveColumn(table, new long[5]), 0, new SplittableRandom(1));
      try (ScalarSegment<?> segment = KIND.open(files, RowDomain.ADDRESSES, allocator)) {
        assertThat(segment.statistics()).containsEntry("min", "N/A").containsEntry("num_pages", 0L);
      }
    }
  }

  @Test
  void aLookupThatIsNotOfThesePagesIsNotTrusted() {
    SplittableRandom random = new SplittableRandom(3);
    try (ArrowTable table = table(SampleFields.int32("x"), 100, random)) {
      long[] numbers = numbers(100, true, random);
      SegmentFiles whole = segments.write(spec(10), List.of(), table, numbers);
      SegmentFiles less = part(table, numbers, 0, 60, 10);
      SegmentFiles mixed =
          segments.replace(less, BTreeFiles.LOOKUP, segments.bytes(whole, BTreeFiles.LOOKUP));

      assertAnswers(mixed, new NaiveColumn(table, numbers), 60, random);
    }
  }

  @Test
  void partsThatWereBuiltInDifferentPlacesAnswerTogether() {
    SplittableRandom random = new SplittableRandom(11);
    for (String name : List.of("int32", "utf8")) {
      Field field = field(name);
      try (ArrowTable table = table(field, 100, random)) {
        long[] numbers = numbers(100, false, random);
        SegmentFiles a = part(table, numbers, 0, 40, 7);
        SegmentFiles b = part(table, numbers, 40, 100, 7);
        SegmentFiles parts =
            segments.of(
                ColumnSegments.field(table),
                Map.of(
                    "part_0_page_data.lance", segments.bytes(a, BTreeFiles.PAGES),
                    "part_0_page_lookup.lance", segments.bytes(a, BTreeFiles.LOOKUP),
                    "part_4294967296_page_data.lance", segments.bytes(b, BTreeFiles.PAGES),
                    "part_4294967296_page_lookup.lance", segments.bytes(b, BTreeFiles.LOOKUP)));
        NaiveColumn naive = new NaiveColumn(table, numbers);

        assertAnswers(parts, naive, 100, random);
        assertAnswers(rewritten(parts, table), naive, 100, random);
      }
    }
  }

  /** All rows of a segment in a new one. */
  private SegmentFiles rewritten(SegmentFiles files, ArrowTable table) {
    try (ArrowTable none = Tables.slice(table, 0, 0, allocator)) {
      SegmentInput.Old old = new SegmentInput.Old(files, RowTranslation.KEEP, new RoaringBitmap());
      return segments.write(KIND.settings(files), List.of(old), none, new long[0]);
    }
  }

  @Test
  void rangesOfValuesMayHaveFilesOfTheirOwn() {
    SplittableRandom random = new SplittableRandom(12);
    IntVector vector = new IntVector("x", allocator);
    vector.allocateNew(100);
    for (int i = 0; i < 100; i++) {
      vector.set(i, i / 3);
    }
    vector.setNull(0);
    vector.setNull(1);
    vector.setValueCount(100);
    try (ArrowTable table = ArrowTable.of(vector)) {
      long[] numbers = numbers(100, false, random);
      SegmentFiles a = part(table, numbers, 0, 40, 7);
      SegmentFiles b = part(table, numbers, 40, 100, 7);
      SegmentFiles whole =
          segments.of(
              ColumnSegments.field(table),
              Map.of(
                  "part_0_page_data.lance",
                  segments.bytes(a, BTreeFiles.PAGES),
                  "part_4294967296_page_data.lance",
                  segments.bytes(b, BTreeFiles.PAGES),
                  BTreeFiles.LOOKUP,
                  joinedLookup(a, b)));
      NaiveColumn naive = new NaiveColumn(table, numbers);

      assertAnswers(whole, naive, 100, random);
      assertAnswers(rewritten(whole, table), naive, 100, random);
    }
  }

  /** The lookup of two files of six and nine pages. */
  private byte[] joinedLookup(SegmentFiles a, SegmentFiles b) {
    try (LanceFileReader first = a.open(BTreeFiles.LOOKUP);
        LanceFileReader second = b.open(BTreeFiles.LOOKUP);
        ArrowTable firstPages = Tables.drain(first.scan().open(allocator), allocator);
        ArrowTable secondPages = Tables.drain(second.scan().open(allocator), allocator);
        ArrowTable all = Tables.concat(firstPages, secondPages, allocator);
        LanceFileWriter writer =
            LanceFileWriter.create(
                a.location().store(),
                "joined.lance",
                LanceSchema.fromArrow(first.schema().toArrow()),
                FileVersion.V2_1,
                allocator)) {
      for (int page = 0; page < all.rowCount(); page++) {
        ((UInt4Vector) all.column(LookupFile.PAGE_IDX)).set(page, page);
      }
      writer.write(all.root());
      writer.addMetadata(LookupFile.BATCH_SIZE, "7");
      writer.addMetadata(LookupFile.RANGE_PARTITIONED, "true");
      writer.addMetadata("page_num_per_range_partition", "[[0,6],[4294967296,9]]");
      writer.finish();
    }
    try (ObjectReader reader = a.location().store().open("joined.lance")) {
      byte[] bytes = new byte[(int) reader.size()];
      reader.read(0, bytes.length).get(bytes);
      return bytes;
    }
  }

  @Test
  void manyThreadsSearchAtOnce() {
    SplittableRandom random = new SplittableRandom(13);
    try (ArrowTable table = table(field("utf8"), 500, random)) {
      long[] numbers = numbers(500, false, random);
      SegmentFiles files = segments.write(spec(20), List.of(), table, numbers);
      NaiveColumn naive = new NaiveColumn(table, numbers);
      List<ScalarQuery> queries = new RandomQueries(naive, random).some(40);
      try (ScalarSegment<RowAddressSet> segment =
          KIND.open(files, RowDomain.ADDRESSES, allocator)) {
        queries.stream()
            .parallel()
            .forEach(
                query ->
                    assertThat(rows(segment.search(query, allocator).rows()))
                        .isEqualTo(naive.search(query, 500)));
      }
    }
  }

  @Test
  void damageIsReportedAsSuch() {
    SplittableRandom random = new SplittableRandom(5);
    for (Field field : List.of(SampleFields.int64("x"), SampleFields.utf8("s"))) {
      try (ArrowTable table = table(field, 300, random)) {
        long[] numbers = numbers(300, true, random);
        NaiveColumn naive = new NaiveColumn(table, numbers);
        SegmentFiles files = segments.write(spec(50), List.of(), table, numbers);
        for (String name : List.of(BTreeFiles.PAGES, BTreeFiles.LOOKUP)) {
          byte[] good = segments.bytes(files, name);
          for (int round = 0; round < 150; round++) {
            byte[] bad = good.clone();
            int at = random.nextInt(bad.length);
            if (round % 3 == 0) {
              bad = Arrays.copyOf(bad, at);
            } else {
              bad[at] ^= (byte) (1 + random.nextInt(255));
            }
            searchDamaged(segments.replace(files, name, bad), naive, random);
          }
          segments.replace(files, name, good);
        }
      }
    }
  }

  private void searchDamaged(SegmentFiles files, NaiveColumn naive, SplittableRandom random) {
    try (Session session = Session.create();
        ScalarSegment<?> segment =
            KIND.open(ColumnSegments.afresh(files, session), RowDomain.STABLE_IDS, allocator)) {
      for (ScalarQuery query : new RandomQueries(naive, random).some(3)) {
        segment.search(query, allocator);
      }
    } catch (CorruptFileException | UnsupportedFormatException e) {
      assertThat(e).hasMessageContaining(".lance");
    }
  }

  @Test
  void columnsWithoutOrderAreRefused() {
    List<String> refused = new ArrayList<>();
    for (Field field : SampleFields.of(FileVersion.V2_1)) {
      LanceField own = LanceSchema.fromArrow(new Schema(List.of(field))).fields().get(0);
      if (KeyType.has(field)) {
        KIND.check(own);
      } else {
        assertThatThrownBy(() -> KIND.check(own)).isInstanceOf(InvalidInputException.class);
        refused.add(field.getName());
      }
    }
    assertThat(refused).contains("null", "struct", "list_int", "fsl_float32", "dict_int8_utf8");
    LanceField struct =
        LanceSchema.fromArrow(
                new Schema(List.of(SampleFields.struct("s", SampleFields.int32("a")))))
            .fields()
            .get(0);
    assertThatThrownBy(() -> KIND.check(struct))
        .hasMessageContaining("A btree index can only be created on a non-nested field.");
  }

  private static Field field(String name) {
    return fields().stream().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
  }

  private ArrowTable table(Field field, int rows, SplittableRandom random) {
    NullPattern[] patterns = NullPattern.values();
    NullPattern nulls = patterns[random.nextInt(patterns.length)];
    return RandomData.table(List.of(field), nulls, rows, random.nextLong(), allocator);
  }

  private static ScalarIndexSpec spec(int pageRows) {
    return ScalarIndexSpec.btree().withRowsPerPage(pageRows);
  }

  /** Numbers as a table with or without stable row ids would give its rows. */
  private static long[] numbers(int rows, boolean stable, SplittableRandom random) {
    long[] numbers = new long[rows];
    long next = 0;
    for (int i = 0; i < rows; i++) {
      numbers[i] = stable ? next : RowAddress.pack(i / 7, i % 7);
      next += 1 + random.nextInt(3);
    }
    return numbers;
  }

  private void assertAnswers(
      SegmentFiles files, NaiveColumn naive, int rows, SplittableRandom random) {
    List<ScalarQuery> queries = new RandomQueries(naive, random).some(5);
    assertAnswers(files, RowDomain.ADDRESSES, naive, rows, queries);
    assertAnswers(files, RowDomain.STABLE_IDS, naive, rows, queries);
  }

  private <S extends RowSet<S>> void assertAnswers(
      SegmentFiles files,
      RowDomain<S> domain,
      NaiveColumn naive,
      int rows,
      List<ScalarQuery> queries) {
    Map<ScalarQuery, SegmentAnswer<S>> first = new HashMap<>();
    try (Session session = Session.create();
        ScalarSegment<S> segment =
            KIND.open(ColumnSegments.afresh(files, session), domain, allocator)) {
      for (ScalarQuery query : queries) {
        SegmentAnswer<S> answer = segment.search(query, allocator);
        boolean isNull = query instanceof ScalarQuery.IsNull;
        assertThat(answer.guarantee()).isEqualTo(Guarantee.EXACT);
        assertThat(rows(answer.rows())).as("%s", query).isEqualTo(naive.search(query, rows));
        assertThat(rows(answer.nulls()))
            .as("%s", query)
            .isEqualTo(isNull ? new TreeSet<>() : naive.nulls(rows));
        first.put(query, answer);
      }
      // What is kept in the session answers as what is read anew.
      for (ScalarQuery query : queries) {
        assertThat(segment.search(query, allocator)).isEqualTo(first.get(query));
      }
    }
  }

  private static Set<Long> rows(RowSet<?> set) {
    Set<Long> rows = new TreeSet<>();
    for (PrimitiveIterator.OfLong each = set.iterator(); each.hasNext(); ) {
      rows.add(each.nextLong());
    }
    return rows;
  }
}
