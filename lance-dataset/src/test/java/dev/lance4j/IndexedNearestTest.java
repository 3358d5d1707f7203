package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.scan.expr.Expressions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a query asks for of an index holds for the rows found. */
class IndexedNearestTest {
  private static final int ROWS = 900;
  private static final int DIMENSION = 8;
  private static final int ROWS_PER_FILE = 150;
  private static final int PARTITIONS = 4;
  private static final int EVERYTHING = 2 * ROWS;

  private final BufferAllocator allocator = new RootAllocator();
  private final List<Dataset> open = new ArrayList<>();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    open.forEach(Dataset::close);
    allocator.close();
  }

  record Cell(VectorIndexType type, VectorElement element, Metric metric) {
    VectorIndexSpec spec() {
      VectorIndexSpec spec = VectorIndexSpec.of(type).metric(metric).partitions(PARTITIONS);
      return type.quantization() == Quantization.PRODUCT ? spec.subVectors(4).bits(4) : spec;
    }
  }

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (VectorIndexType type : VectorIndexType.values()) {
      for (Metric metric : List.of(Metric.L2, Metric.COSINE, Metric.DOT)) {
        for (VectorElement element :
            List.of(VectorElement.FLOAT16, VectorElement.FLOAT32, VectorElement.FLOAT64)) {
          cells.add(new Cell(type, element, metric));
        }
        if (type.quantization() == Quantization.PRODUCT) {
          cells.add(new Cell(type, VectorElement.INT8, metric));
        }
      }
    }
    cells.add(new Cell(VectorIndexType.IVF_FLAT, VectorElement.UINT8, Metric.HAMMING));
    return cells;
  }

  private Dataset kept(Dataset dataset) {
    open.add(dataset);
    return dataset;
  }

  private static VectorRows rows(VectorElement element) {
    return VectorRows.random(element, ROWS, DIMENSION, 21);
  }

  private Dataset table(VectorRows rows) {
    String uri = folder.resolve("t").toString();
    return kept(rows.create(uri, false, ROWS_PER_FILE, allocator));
  }

  private Dataset indexed(VectorRows rows, VectorIndexSpec spec) {
    return kept(table(rows).createIndex("v", spec));
  }

  /** A table of which all but the last two fragments are indexed, and some rows are deleted. */
  private Dataset partlyIndexed(VectorRows rows, VectorIndexSpec spec) {
    Dataset table = table(rows);
    IndexSegment segment = table.buildIndexSegment("v", spec, List.of(0L, 1L, 2L, 3L));
    Dataset indexed = kept(table.commitIndexSegments("v_idx", "v", List.of(segment)));
    return kept(indexed.delete("k % 10 = 7").dataset());
  }

  private static List<VectorRows.Found> read(Scan scan) throws Exception {
    return VectorRows.read(scan.withRowId().open());
  }

  private static List<Long> keys(List<VectorRows.Found> found) {
    return found.stream().map(VectorRows.Found::k).toList();
  }

  /** With all partitions searched and all candidates measured. */
  private static VectorQuery thorough(VectorRows rows, Cell cell, double[] vector, int k) {
    VectorQuery query = rows.query(vector).k(k).metric(cell.metric()).probes(PARTITIONS);
    return query.refine(EVERYTHING / k);
  }

  /** Of equally far rows that with the least id comes first, whether it is indexed or not. */
  @ParameterizedTest
  @MethodSource("cells")
  void findsWhatBruteForceFinds(Cell cell) throws Exception {
    VectorRows rows = rows(cell.element());
    Dataset dataset = partlyIndexed(rows, cell.spec());
    for (int row : new int[] {0, 3, 22}) {
      double[] vector = rows.vector(row);
      for (int k : new int[] {1, 10, EVERYTHING}) {
        VectorQuery query = thorough(rows, cell, vector, k);
        Scan scan = dataset.scan().nearest(query);
        assertThat(scan.explain()).contains("Search index v_idx (" + cell.type());
        check(cell, rows.nearest(dataset, vector, cell.metric(), k, key -> true), read(scan));
        LongPredicate third = key -> key % 3 == 1;
        check(
            cell,
            rows.nearest(dataset, vector, cell.metric(), k, third),
            read(scan.where("k % 3 = 1").prefilter(true)));
      }
    }
  }

  /** At least as far as the lower bound, and nearer than the upper one. */
  @ParameterizedTest
  @MethodSource("cells")
  void keepsToTheRangeOfDistances(Cell cell) throws Exception {
    VectorRows rows = rows(cell.element());
    Dataset dataset = partlyIndexed(rows, cell.spec());
    double[] vector = rows.vector(3);
    List<VectorRows.Found> all = rows.nearest(dataset, vector, cell.metric(), ROWS, key -> true);
    // Between the distances of rows, where those are rounded.
    boolean rounded = cell.metric() == Metric.COSINE;
    float from = bound(all, 40, rounded);
    float to = bound(all, 200, rounded);
    List<VectorRows.Found> expected =
        all.stream().filter(row -> row.distance() >= from && row.distance() < to).toList();
    VectorQuery query = thorough(rows, cell, vector, 60).distanceRange(from, to);
    check(cell, expected.subList(0, 60), read(dataset.scan().nearest(query)));
    VectorQuery farther = query.k(EVERYTHING).refine(1).distanceRange(to, Float.POSITIVE_INFINITY);
    check(
        cell,
        all.stream().filter(row -> row.distance() >= to).toList(),
        read(dataset.scan().nearest(farther)));
  }

  private static float bound(List<VectorRows.Found> rows, int place, boolean between) {
    double distance = rows.get(place).distance();
    double next =
        rows.stream()
            .mapToDouble(VectorRows.Found::distance)
            .filter(d -> d > distance)
            .min()
            .orElseThrow();
    return (float) (between ? (distance + next) / 2 : distance);
  }

  /** A graph may leave some rows out of sight, but what it finds is right. */
  private static void check(
      Cell cell, List<VectorRows.Found> expected, List<VectorRows.Found> found) {
    if (!cell.type().hasGraph()) {
      VectorRows.assertFound(expected, found, cell.metric());
      return;
    }
    Set<Long> keys = new HashSet<>(keys(expected));
    assertThat(found).hasSizeBetween(expected.size() * 9 / 10, expected.size());
    assertThat(found.stream().filter(row -> keys.contains(row.k())).count())
        .isGreaterThanOrEqualTo(expected.size() * 9L / 10);
    assertThat(found).isSortedAccordingTo(VectorRows.Found.NEAREST_FIRST);
  }

  /** Estimates are compared with the range as they are. */
  @ParameterizedTest
  @EnumSource(VectorIndexType.class)
  void keepsToTheRangeOfEstimates(VectorIndexType type) throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    Cell cell = new Cell(type, VectorElement.FLOAT32, Metric.L2);
    Dataset dataset = indexed(rows, cell.spec());
    VectorQuery query = rows.query(rows.vector(3)).k(EVERYTHING).probes(PARTITIONS);
    List<VectorRows.Found> all = read(dataset.scan().nearest(query));
    double from = all.get(50).distance();
    double to = all.get(300).distance();
    List<VectorRows.Found> inRange =
        all.stream().filter(row -> row.distance() >= from && row.distance() < to).toList();
    assertThat(inRange).hasSizeGreaterThan(100);
    VectorQuery ranged = query.distanceRange((float) from, (float) to);
    assertThat(read(dataset.scan().nearest(ranged))).isEqualTo(inRange);
    assertThat(read(dataset.scan().nearest(ranged.k(20))))
        .isSubsetOf(inRange)
        .hasSize(20)
        .isSortedAccordingTo(VectorRows.Found.NEAREST_FIRST);
  }

  @Test
  void searchesAsManyPartitionsAsAsked() throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    Dataset dataset = indexed(rows, VectorIndexSpec.ivfFlat().partitions(PARTITIONS));
    double[] vector = rows.vector(0);
    VectorQuery query = rows.query(vector).k(EVERYTHING);
    List<VectorRows.Found> all = rows.nearest(dataset, vector, Metric.L2, EVERYTHING, k -> true);
    List<VectorRows.Found> fewer = List.of();
    for (int probes = 1; probes < PARTITIONS; probes++) {
      List<VectorRows.Found> found = read(dataset.scan().nearest(query.probes(probes)));
      assertThat(found).containsAll(fewer).hasSizeGreaterThan(fewer.size());
      assertThat(found.size()).isLessThan(all.size());
      fewer = found;
    }
    assertThat(read(dataset.scan().nearest(query.probes(PARTITIONS)))).isEqualTo(all);
    assertThat(read(dataset.scan().nearest(query.probes(100 * PARTITIONS)))).isEqualTo(all);
    assertThat(read(dataset.scan().nearest(query.minProbes(PARTITIONS)))).isEqualTo(all);
    // So many rows are only in all partitions together.
    assertThat(read(dataset.scan().nearest(query))).isEqualTo(all);
  }

  /** Where the condition leaves none in the nearest partitions, others are searched. */
  @Test
  void searchesOnWhileTooFewRowsAreFound() throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    Dataset dataset = indexed(rows, VectorIndexSpec.ivfFlat().partitions(16));
    int missed = 0;
    for (double[] vector : vectors(rows)) {
      VectorQuery query = rows.query(vector).k(1);
      Scan first = dataset.scan().nearest(query.probes(1)).where("k = 5").prefilter(true);
      missed += read(first).isEmpty() ? 1 : 0;
      Scan any = dataset.scan().nearest(query).where("k = 5").prefilter(true);
      assertThat(keys(read(any))).containsExactly(5L);
      Scan asked = dataset.scan().nearest(query.probes(1, 16)).where("k = 5").prefilter(true);
      assertThat(keys(read(asked))).containsExactly(5L);
      assertThat(read(dataset.scan().nearest(query).where("k < 0").prefilter(true))).isEmpty();
    }
    assertThat(missed).isPositive();
  }

  @Test
  void findsMoreThroughGraphsTheMoreRowsAreInSight() throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    VectorIndexSpec sparse =
        VectorIndexSpec.ivfHnswFlat().partitions(1).maxConnections(2).constructionEf(4);
    Dataset dataset = indexed(rows, sparse);
    int few = 0;
    int many = 0;
    for (double[] vector : vectors(rows)) {
      VectorQuery query = rows.query(vector);
      Set<Long> truth =
          new HashSet<>(keys(rows.nearest(dataset, vector, Metric.L2, 10, key -> true)));
      few += hits(truth, read(dataset.scan().nearest(query.ef(10))));
      many += hits(truth, read(dataset.scan().nearest(query.ef(400))));
    }
    assertThat(many).isGreaterThan(few);
    VectorQuery narrow = rows.query(rows.vector(0)).ef(39).refine(4);
    assertThatThrownBy(() -> dataset.scan().nearest(narrow).count())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'v'")
        .hasMessageContaining("ef must be greater than or equal to k");
  }

  /** The vectors of some rows. */
  private static List<double[]> vectors(VectorRows rows) {
    return IntStream.range(0, 60)
        .mapToObj(rows::vector)
        .filter(vector -> vector != null && Arrays.stream(vector).noneMatch(Double::isNaN))
        .toList();
  }

  private static int hits(Set<Long> truth, List<VectorRows.Found> found) {
    return (int) found.stream().filter(row -> truth.contains(row.k())).count();
  }

  @Test
  void refiningMeasuresCandidatesExactly() throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    Dataset dataset =
        indexed(rows, VectorIndexSpec.ivfPq().partitions(PARTITIONS).subVectors(2).bits(4));
    double[] vector = rows.vector(3);
    VectorQuery query = rows.query(vector).k(10).probes(PARTITIONS);
    List<VectorRows.Found> estimated = read(dataset.scan().nearest(query));
    List<VectorRows.Found> measured = read(dataset.scan().nearest(query.refine(1)));
    assertThat(keys(measured)).containsExactlyInAnyOrderElementsOf(keys(estimated));
    assertThat(measured).isNotEqualTo(estimated);
    for (VectorRows.Found row : measured) {
      assertThat(row.distance())
          .isEqualTo(VectorRows.distance(vector, rows.vector((int) row.k()), Metric.L2));
    }
    List<VectorRows.Found> truth = rows.nearest(dataset, vector, Metric.L2, 10, key -> true);
    Set<Long> keys = new HashSet<>(keys(truth));
    assertThat(hits(keys, read(dataset.scan().nearest(query.refine(10)))))
        .isGreaterThan(hits(keys, measured));
    assertThat(read(dataset.scan().nearest(query.refine(90)))).isEqualTo(truth);
    assertThat(read(dataset.scan().nearest(query.refine(Integer.MAX_VALUE)))).isEqualTo(truth);
  }

  @ParameterizedTest
  @EnumSource(VectorIndexType.class)
  void appliesTheConditionToTheRowsFoundUnlessAskedBefore(VectorIndexType type) throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    Cell cell = new Cell(type, VectorElement.FLOAT32, Metric.L2);
    Dataset dataset = indexed(rows, cell.spec());
    Scan scan = dataset.scan().nearest(rows.query(rows.vector(1)).k(40).probes(PARTITIONS));
    List<VectorRows.Found> all = read(scan);
    assertThat(read(scan.where(Expressions.ge("k", 450L))))
        .isEqualTo(all.stream().filter(row -> row.k() >= 450).toList());
    assertThat(read(scan.where(Expressions.le("k", 450L)).prefilter(true)))
        .hasSize(40)
        .allMatch(row -> row.k() <= 450)
        .containsAll(all.stream().filter(row -> row.k() <= 450).toList());
  }

  @Test
  void fastSearchesLookIntoTheIndexOnly() throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT64);
    Dataset dataset = partlyIndexed(rows, VectorIndexSpec.ivfFlat().partitions(PARTITIONS));
    double[] vector = rows.vector(3);
    Scan scan = dataset.scan().nearest(rows.query(vector).k(EVERYTHING).probes(PARTITIONS));
    LongPredicate indexed = key -> key < 4 * ROWS_PER_FILE;
    assertThat(read(scan.fastSearch(true)))
        .isEqualTo(rows.nearest(dataset, vector, Metric.L2, EVERYTHING, indexed));
    assertThat(read(scan.fragments(1, 5)))
        .isEqualTo(
            rows.nearest(
                dataset,
                vector,
                Metric.L2,
                EVERYTHING,
                key -> key / ROWS_PER_FILE == 1 || key / ROWS_PER_FILE == 5));
  }

  @ParameterizedTest
  @EnumSource(VectorIndexType.class)
  void answersSeveralQueriesAtOnce(VectorIndexType type) throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    Cell cell = new Cell(type, VectorElement.FLOAT32, Metric.COSINE);
    Dataset dataset = partlyIndexed(rows, cell.spec());
    double[][] vectors = {rows.vector(0), rows.vector(5), rows.vector(0)};
    List<VectorRows.Found> expected = new ArrayList<>();
    for (double[] vector : vectors) {
      VectorQuery one = rows.query(vector).k(7).metric(Metric.COSINE);
      expected.addAll(read(dataset.scan().nearest(one)));
    }
    VectorQuery batch = VectorQuery.of("v", vectors).k(7).metric(Metric.COSINE);
    Scan scan = dataset.scan().nearest(batch);
    assertThat(read(scan)).isEqualTo(expected);
    assertThat(Songs.column(scan.limit(9).offset(6).open(), "query_index"))
        .containsExactly(0, 1, 1, 1, 1, 1, 1, 1, 2);
  }

  @Test
  void rowsFoundAreOrderedAndCutAsAsked() throws Exception {
    VectorRows rows = rows(VectorElement.FLOAT32);
    Dataset indexed = indexed(rows, VectorIndexSpec.ivfFlat().partitions(PARTITIONS));
    VectorQuery query = rows.query(rows.vector(3)).k(30).probes(PARTITIONS);
    List<Long> keys = keys(read(indexed.scan().nearest(query)));
    assertThat(Songs.column(indexed.scan().nearest(query).limit(5).offset(3).open(), "k"))
        .isEqualTo(keys.subList(3, 8));
    Dataset dataset = kept(indexed.addColumns(Map.of("g", "nullif(k % 4, 1)")));
    Scan scan = dataset.scan().nearest(query).select("g");
    List<Object> numbers =
        keys.stream().map(k -> k % 4).filter(g -> g != 1).sorted().map(g -> (Object) g).toList();
    int nulls = keys.size() - numbers.size();
    assertThat(nulls).isPositive();
    List<Object> first = Songs.column(scan.orderBy(Ordering.asc("g").withNullsFirst()).open(), "g");
    assertThat(first.subList(0, nulls)).containsOnlyNulls();
    assertThat(first.subList(nulls, first.size())).isEqualTo(numbers);
    List<Object> last = Songs.column(scan.orderBy(Ordering.asc("g").withNullsLast()).open(), "g");
    assertThat(last.subList(0, numbers.size())).isEqualTo(numbers);
    assertThat(last.subList(numbers.size(), last.size())).containsOnlyNulls();
  }

  @ParameterizedTest
  @EnumSource(
      value = VectorElement.class,
      names = {"FLOAT16", "BFLOAT16"})
  void takesQueriesOfTheColumnsOwnBits(VectorElement element) throws Exception {
    VectorRows rows = rows(element);
    Dataset dataset = table(rows);
    double[] vector = rows.vector(3);
    short[] bits = new short[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      bits[i] = VectorRows.bits(element, vector[i]);
    }
    VectorQuery query =
        element == VectorElement.FLOAT16
            ? VectorQuery.ofHalf("v", bits)
            : VectorQuery.ofBfloat16("v", bits);
    List<VectorRows.Found> expected = rows.nearest(dataset, vector, Metric.L2, 10, key -> true);
    assertThat(read(dataset.scan().nearest(query))).isEqualTo(expected);
    assertThatThrownBy(() -> VectorQuery.ofHalf("v", new short[] {0, 0, 0x7E00}))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("component 2");
    assertThatThrownBy(() -> VectorQuery.ofBfloat16("v", new short[] {0x7FC0}))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("component 0");
  }

  /** Bytes are signed numbers for all columns but those of bits. */
  @Test
  void bytesAreNumbersUnlessTheColumnHasBits() throws Exception {
    VectorRows rows = rows(VectorElement.INT8);
    Dataset dataset = indexed(rows, VectorIndexSpec.ivfPq().partitions(2).subVectors(4).bits(4));
    byte[] bytes = new byte[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      bytes[i] = (byte) rows.vector(3)[i];
    }
    VectorQuery query = VectorQuery.of("v", bytes).probes(2).refine(90);
    assertThat(read(dataset.scan().nearest(query)))
        .isEqualTo(rows.nearest(dataset, rows.vector(3), Metric.L2, 10, key -> true));
  }

  @Test
  void numbersAreNoBits() {
    VectorRows rows = rows(VectorElement.UINT8);
    Dataset dataset = indexed(rows, VectorIndexSpec.ivfFlat().metric(Metric.HAMMING).partitions(2));
    assertThatThrownBy(() -> dataset.scan().nearest(VectorQuery.of("v", new float[DIMENSION])))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'v'")
        .hasMessageContaining("give the query as bytes");
    assertThatThrownBy(() -> dataset.scan().nearest(VectorQuery.of("v", new byte[2])))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("dim(2)")
        .hasMessageContaining("dim(8)");
    assertThatThrownBy(() -> dataset.createIndex("v", VectorIndexSpec.ivfPq()))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void bfloat16CannotBeIndexed() {
    Dataset dataset = table(rows(VectorElement.BFLOAT16));
    assertThatThrownBy(() -> dataset.createIndex("v", VectorIndexSpec.ivfFlat()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("bfloat16");
  }
}
