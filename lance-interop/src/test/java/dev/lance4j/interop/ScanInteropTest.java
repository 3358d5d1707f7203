package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same scan options give the same rows in both libraries. */
@WithOracle
class ScanInteropTest {
  private static final int ROWS = 900;
  private static final int SCANS = 60;

  private static final List<Field> FIELDS =
      List.of(
          SampleFields.int32("n"),
          SampleFields.float64("f"),
          SampleFields.float32("g"),
          SampleFields.utf8("s"),
          SampleFields.bool("b"),
          SampleFields.scalar("u", new ArrowType.Int(64, false)),
          SampleFields.scalar("dec", new ArrowType.Decimal(20, 4, 128)),
          SampleFields.scalar("bin", ArrowType.Binary.INSTANCE),
          SampleFields.struct(
              "st", SampleFields.int32("x"), SampleFields.struct("in", SampleFields.utf8("z"))),
          SampleFields.list("li", SampleFields.int32("item")));

  private static final List<String> FILTERS =
      List.of(
          "id % 3 = 1",
          "n IS NOT NULL",
          "b",
          "st.x > 0",
          "st.`in`.z IS NULL",
          "s >= 'b' OR f < 0.0",
          "_rowaddr > 4294967300",
          "_rowid != 7 AND id >= 0");

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset create(boolean stable) {
    try (ArrowTable data = RandomData.table(FIELDS, NullPattern.SOME, ROWS, 9, allocator);
        BigIntVector ids = new BigIntVector("id", allocator)) {
      for (int i = 0; i < ROWS; i++) {
        ids.setSafe(i, i);
      }
      ids.setValueCount(ROWS);
      List<FieldVector> vectors = new ArrayList<>(data.root().getFieldVectors());
      vectors.add(0, ids);
      Dataset.write(uri())
          .allocator(allocator)
          .stableRowIds(stable)
          .maxRowsPerFile(250)
          .from(new VectorSchemaRoot(vectors))
          .close();
    }
    oracle.delete(uri(), "id % 11 = 5 OR id BETWEEN 300 AND 340");
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private String uri() {
    return folder.resolve("t.lance").toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void randomOptionsGiveTheSameRows(boolean stable) {
    Random random = new Random(4);
    try (Dataset dataset = create(stable)) {
      for (int i = 0; i < SCANS; i++) {
        ObjectNode args = Oracle.args(uri());
        Scan scan = options(dataset.scan(), args, random);
        try (ArrowTable ours = Tables.drain(scan.open(), allocator);
            ArrowTable theirs = oracle.fetch("scan", args, allocator)) {
          assertThat(ours.columnNames()).as(args.toString()).isEqualTo(theirs.columnNames());
          assertSameRows(args, theirs, ours);
        }
      }
    }
  }

  private static void assertSameRows(ObjectNode args, ArrowTable theirs, ArrowTable ours) {
    try {
      TableAssert.assertEqual(theirs, ours);
    } catch (AssertionError e) {
      throw new AssertionError(args.toString(), e);
    }
  }

  private static Scan options(Scan all, ObjectNode args, Random random) {
    Scan scan = all;
    boolean filtered = random.nextBoolean();
    if (filtered) {
      String filter = FILTERS.get(random.nextInt(FILTERS.size()));
      args.put("filter", filter);
      scan = scan.where(filter);
    }
    List<String> names = columns(random);
    boolean ordered = random.nextBoolean();
    boolean rearranged = random.nextInt(3) == 0;
    boolean cut = random.nextBoolean();
    if (cut) {
      // The real library gives booleans of other rows after an offset.
      names.remove("b");
    }
    if (ordered || rearranged) {
      // The real library gives wrong ones where rows do not ascend and some are deleted.
      names.remove("_rowoffset");
    }
    if (ordered) {
      scan = scan.orderBy(orderings(args, names, cut, random));
    }
    if (names.isEmpty()) {
      names.add("s");
    }
    ArrayNode columns = args.putArray("columns");
    names.forEach(columns::add);
    scan = scan.select(names.toArray(String[]::new));
    if (random.nextBoolean()) {
      args.put("withRowId", true);
      scan = scan.withRowId();
    }
    if (random.nextBoolean()) {
      args.put("withRowAddress", true);
      scan = scan.withRowAddress();
    }
    if (cut) {
      long limit = 1L + random.nextInt(ROWS);
      long offset = random.nextInt(ROWS / 3);
      args.put("limit", limit).put("offset", offset);
      scan = scan.limit(limit).offset(offset);
    }
    if (random.nextBoolean()) {
      int size = 1 + random.nextInt(100);
      args.put("batchSize", size);
      scan = scan.batchSize(size);
    }
    if (rearranged) {
      args.putArray("fragmentIds").add(2).add(0);
      scan = scan.fragments(2, 0);
    }
    return scan;
  }

  private static List<String> columns(Random random) {
    List<String> names =
        new ArrayList<>(
            List.of(
                "id",
                "n",
                "f",
                "g",
                "s",
                "b",
                "u",
                "dec",
                "bin",
                "st",
                "li",
                "st.x",
                "st.in.z",
                "st.in",
                "_rowid",
                "_rowaddr",
                "_rowoffset"));
    Collections.shuffle(names, random);
    return new ArrayList<>(names.subList(0, 1 + random.nextInt(names.size())));
  }

  /** Orders by columns that are given too, without which the real library fails. */
  private static Ordering[] orderings(
      ObjectNode args, List<String> names, boolean cut, Random random) {
    List<String> keys = new ArrayList<>(List.of("n", "f", "g", "s", "u", "dec", "bin"));
    if (!cut) {
      keys.add("b");
    }
    Collections.shuffle(keys, random);
    List<Ordering> orderings = new ArrayList<>();
    for (String key : keys.subList(0, random.nextInt(3))) {
      orderings.add(new Ordering(key, random.nextBoolean(), random.nextBoolean()));
    }
    orderings.add(new Ordering("id", random.nextBoolean(), random.nextBoolean()));
    ArrayNode array = args.putArray("orderBy");
    for (Ordering ordering : orderings) {
      array
          .addObject()
          .put("column", ordering.column())
          .put("ascending", ordering.ascending())
          .put("nullsFirst", ordering.nullsFirst());
      if (!names.contains(ordering.column())) {
        names.add(ordering.column());
      }
    }
    return orderings.toArray(Ordering[]::new);
  }

  @Test
  void dataSizesAreTheSame() {
    try (Dataset dataset = create(false)) {
      assertThat(dataset.dataStatistics().bytes())
          .isEqualTo(oracle.call("dataSize", Oracle.args(uri())).asLong());
    }
  }
}
