package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.BlobV2Table;
import dev.lance4j.format.testing.BlobV2Table.External;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.scan.Blob;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.ColumnChange;
import dev.lance4j.write.FragmentColumns;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.NewColumns;
import dev.lance4j.write.SchemaEvolution;
import dev.lance4j.write.WhenMatched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows and columns of tables with blobs of the type lance.blob.v2, written anew. */
class BlobRewritesTest {
  private static final Map<String, String> SMALL =
      Map.of(
          "lance-encoding:blob-inline-size-threshold", "10",
          "lance-encoding:blob-dedicated-size-threshold", "100");
  // What the object outside of the table holds.
  private static final byte[] OBJECT = "0123456789".getBytes(UTF_8);

  private static final ArrowType INT64 = new ArrowType.Int(64, true);

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  private final List<Object> values = new ArrayList<>();
  // The expected rows: values by key.
  private final Map<Integer, Object> rows = new TreeMap<>();

  @BeforeEach
  void makeValues() throws IOException {
    String uri = Files.write(folder.resolve("object"), OBJECT).toUri().toString();
    for (int i = 0; i < 24; i++) {
      values.add(
          switch (i % 8) {
            case 0 -> null;
            case 1 -> new byte[0];
            case 2 -> new External(uri);
            case 3 -> new External(uri, 3L, 4L);
            case 4, 5 -> random(i / 3);
            case 6 -> random(40 + i);
            default -> random(140 + i);
          });
      rows.put(i, values.get(i));
    }
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private String table() {
    return folder.resolve("blobs.lance").toString();
  }

  private WriteBuilder builder() {
    return Dataset.write(table())
        .allocator(allocator)
        .fileVersion(FileVersion.V2_2)
        .maxRowsPerFile(7)
        .externalBlobs(true);
  }

  /** A table of {@code k}, {@code b} and {@code v}, which is ten times {@code k}. */
  private Dataset write(WriteBuilder builder) {
    try (ArrowTable table = BlobV2Table.of(values, SMALL, allocator);
        Dataset written = builder.from(table.root())) {
      return written.addColumns(NewColumns.expression("v", "k * 10"));
    }
  }

  private static byte[] bytes(Object value) {
    return value instanceof External external
        ? (external.position() == null ? OBJECT : "3456".getBytes(UTF_8))
        : (byte[]) value;
  }

  private static Integer kind(Object value) {
    if (value == null || value instanceof External) {
      return value == null ? null : 3;
    }
    int size = ((byte[]) value).length;
    return size <= 10 ? 0 : (size <= 100 ? 1 : 2);
  }

  /** Compares all rows with those that are expected, by scanning and by taking. */
  private void check(Dataset dataset) {
    List<Integer> kinds = new ArrayList<>();
    List<Integer> keys = new ArrayList<>();
    try (ArrowTable read = Tables.drain(dataset.scan().open(), allocator)) {
      StructVector blobs = (StructVector) read.column("b");
      for (int i = 0; i < read.rowCount(); i++) {
        keys.add(((IntVector) read.column("k")).get(i));
        UInt1Vector kind = (UInt1Vector) blobs.getChildByOrdinal(0);
        kinds.add(blobs.isNull(i) ? null : (int) kind.get(i));
      }
    }
    assertThat(keys).containsExactlyInAnyOrderElementsOf(rows.keySet());
    long[] positions = new long[keys.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = i;
      assertThat(kinds.get(i)).as("k = %d", keys.get(i)).isEqualTo(kind(rows.get(keys.get(i))));
    }
    List<Blob> blobs = dataset.takeBlobsByPosition(positions, "b");
    try (ArrowTable read = Tables.drain(dataset.scan().withBlobBytes().open(), allocator)) {
      for (int i = 0; i < positions.length; i++) {
        byte[] expected = bytes(rows.get(keys.get(i)));
        assertThat(read.column("b").getObject(i)).as("k = %d", keys.get(i)).isEqualTo(expected);
        try (Blob blob = blobs.get(i)) {
          assertThat(blob == null ? null : blob.read()).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCompactionKeepsBlobs(boolean stableRowIds) {
    try (Dataset dataset = write(builder().stableRowIds(stableRowIds));
        Dataset fewer = dataset.delete("k % 5 = 1").dataset();
        Dataset compacted = fewer.compact().dataset()) {
      rows.keySet().removeIf(k -> k % 5 == 1);
      assertThat(compacted.fragments()).hasSize(1);
      check(compacted);
      compacted.cleanup(
          CleanupPolicy.builder().olderThan(Duration.ZERO).deleteUnverified(true).build());
      check(compacted);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anUpdateOfOtherColumnsKeepsBlobs(boolean stableRowIds) {
    try (Dataset dataset = write(builder().stableRowIds(stableRowIds));
        Dataset some =
            dataset
                .update()
                .set("v", "-k")
                .where("k % 3 <> 1")
                .maxRowsPerFile(5)
                .execute()
                .dataset();
        Dataset all = some.update().set("v", "v + 1").execute().dataset()) {
      check(some);
      check(all);
      assertThat(all.countRows("v = 1 - k")).isEqualTo(16);
      check(dataset);
    }
  }

  @Test
  void anUpdateSetsBlobs() {
    try (Dataset dataset = write(builder());
        Dataset bytes =
            dataset
                .update()
                .set("b", "arrow_cast('short', 'Binary')")
                .where("k < 9")
                .execute()
                .dataset();
        Dataset nulls = bytes.update().set("b", "NULL").where("k > 20").execute().dataset();
        Dataset empty = nulls.update().set("b", "X''").where("k = 12").execute().dataset();
        Dataset mixed =
            empty
                .update()
                .set("b", "X'" + "5a".repeat(101) + "'")
                .where("k = 13")
                .execute()
                .dataset()) {
      for (int k = 0; k < 24; k++) {
        if (k < 9) {
          rows.put(k, "short".getBytes(UTF_8));
        } else if (k > 20) {
          rows.put(k, null);
        }
      }
      rows.put(12, new byte[0]);
      rows.put(13, "Z".repeat(101).getBytes(UTF_8));
      check(mixed);
      assertThatThrownBy(() -> mixed.update().set("b.data", "X'00'").execute())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b' is a blob");
      assertThatThrownBy(() -> mixed.update().set("b", "k").execute())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b'");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyOfAColumnHasItsBlobs(boolean withDeletedRows) {
    try (Dataset dataset = write(builder());
        Dataset holed = dataset.delete(withDeletedRows ? "k % 5 = 2" : "false").dataset();
        Dataset both = holed.addColumns(Map.of("c", "`b`"));
        Dataset copyAlone = both.dropColumns("b");
        Dataset renamed = copyAlone.alterColumns(ColumnChange.rename("c", "b"))) {
      if (withDeletedRows) {
        rows.keySet().removeIf(k -> k % 5 == 2);
      }
      assertThat(both.schema().findField("c").getChildren())
          .isEqualTo(both.schema().findField("b").getChildren());
      check(both);
      check(renamed);
    }
  }

  @Test
  void aBlobIsSetToThatOfAnotherColumn() {
    try (Dataset dataset = write(builder());
        Dataset both = dataset.addColumns(Map.of("c", "b"));
        Dataset cleared = both.update().set("b", "NULL").execute().dataset();
        Dataset swapped = cleared.update().set("b", "c").set("c", "b").execute().dataset();
        Dataset some =
            swapped.update().where("k % 2 = 0").set("c", "b").set("v", "v").execute().dataset()) {
      check(swapped);
      check(some);
      assertThat(swapped.countRows("c IS NOT NULL")).isZero();
      assertThat(some.countRows("c IS NOT NULL")).isEqualTo(9);
      rows.replaceAll((k, value) -> k % 2 == 0 ? value : null);
      try (Dataset copyAlone = some.dropColumns("b");
          Dataset renamed = copyAlone.alterColumns(ColumnChange.rename("c", "b"))) {
        check(renamed);
      }
    }
  }

  @Test
  void blobsAreNotChosenByExpressions() {
    try (Dataset dataset = write(builder());
        Dataset sizes = dataset.addColumns(Map.of("size", "b.size", "missing", "b IS NULL"))) {
      assertThat(sizes.countRows("missing")).isEqualTo(3);
      assertThat(sizes.countRows("size > 0")).isPositive();
      String chosen = "coalesce(b, b)";
      assertThatThrownBy(() -> dataset.addColumns(Map.of("c", chosen)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b'");
      assertThatThrownBy(() -> dataset.update().set("b", chosen).execute())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b'");
    }
  }

  private VectorSchemaRoot keysAndValues(int... keys) {
    Schema schema = new Schema(List.of(SampleFields.int32("k"), SampleFields.int32("v")));
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    root.allocateNew();
    for (int i = 0; i < keys.length; i++) {
      ((IntVector) root.getVector("k")).setSafe(i, keys[i]);
      ((IntVector) root.getVector("v")).setSafe(i, -keys[i]);
    }
    root.setRowCount(keys.length);
    return root;
  }

  @ParameterizedTest
  @EnumSource(MergeOptions.Form.class)
  void aMergeOfOtherColumnsKeepsBlobs(MergeOptions.Form form) {
    try (Dataset dataset = write(builder());
        VectorSchemaRoot source = keysAndValues(3, 4, 5, 6, 7, 8, 22, 23, 30);
        Dataset merged =
            dataset
                .mergeInsert("k")
                .whenMatched(WhenMatched.updateAll())
                .form(form)
                .execute(source)
                .dataset()) {
      rows.put(30, null);
      check(merged);
      assertThat(merged.countRows("v = -k AND k > 0")).isEqualTo(9);
    }
  }

  private static final int[] MERGED_KEYS = {2, 3, 9, 10, 11, 12, 15, 40, 41, 42, 43};

  private List<Object> mergedValues() {
    List<Object> merged = new ArrayList<>();
    merged.add(random(3));
    merged.add(null);
    merged.add(random(55));
    merged.add(random(155));
    merged.add(new byte[0]);
    merged.add(values.get(2));
    merged.add(random(77));
    merged.add(values.get(3));
    merged.add(random(177));
    merged.add(null);
    merged.add(random(7));
    return merged;
  }

  @ParameterizedTest
  @EnumSource(MergeOptions.Form.class)
  void aMergeGivesBlobs(MergeOptions.Form form) {
    merge(form, MergeOptions.DEFAULT_MEMORY_BUDGET);
  }

  @ParameterizedTest
  @EnumSource(MergeOptions.Form.class)
  void aMergeThatSpillsGivesBlobs(MergeOptions.Form form) {
    merge(form, 1);
  }

  private void merge(MergeOptions.Form form, long memoryBudget) {
    List<Object> merged = mergedValues();
    try (Dataset dataset = write(builder());
        ArrowTable source = BlobV2Table.of(MERGED_KEYS, merged, Map.of(), allocator)) {
      MergeInsertBuilder builder =
          dataset
              .mergeInsert("k")
              .whenMatched(WhenMatched.updateAll())
              .form(form)
              .memoryBudget(memoryBudget)
              .maxRowsPerFile(3)
              .spillDirectory(folder.resolve("spilled").toString());
      assertThatThrownBy(() -> builder.execute(source.root()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b'")
          .hasMessageContaining("allow external blobs");
      try (Dataset result = builder.externalBlobs(true).execute(source.root()).dataset()) {
        for (int i = 0; i < MERGED_KEYS.length; i++) {
          rows.put(MERGED_KEYS[i], merged.get(i));
        }
        check(result);
      }
    }
  }

  @Test
  void aMergeConditionSeesWhatIsGivenAndWhereTheOldBlobsAre() {
    try (Dataset dataset = write(builder());
        ArrowTable source =
            BlobV2Table.of(
                new int[] {0, 1, 2, 6, 7}, Collections.nCopies(5, random(5)), Map.of(), allocator);
        Dataset merged =
            dataset
                .mergeInsert("k")
                .whenMatched(
                    WhenMatched.updateIf("source.b.data IS NOT NULL AND target.b.size > 50"))
                .execute(source.root())
                .dataset()) {
      rows.put(7, random(5));
      check(merged);
      assertThatThrownBy(() -> dataset.mergeInsert("b").execute(source.root()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b' holds blobs");
    }
  }

  @Test
  void aMergeMayGiveBlobsWithoutRanges() {
    Field whole = BlobV2Table.field(Map.of());
    Field narrow =
        new Field(
            "b",
            whole.getFieldType(),
            List.of(whole.getChildren().get(0), whole.getChildren().get(1)));
    try (Dataset dataset = write(builder());
        VectorSchemaRoot source =
            VectorSchemaRoot.create(
                new Schema(List.of(SampleFields.int32("k"), narrow)), allocator)) {
      source.allocateNew();
      ((IntVector) source.getVector("k")).setSafe(0, 7);
      source.getVector("b").setNull(0);
      source.setRowCount(1);
      for (MergeOptions.Form form : MergeOptions.Form.values()) {
        try (Dataset merged =
            dataset
                .mergeInsert("k")
                .whenMatched(WhenMatched.updateAll())
                .form(form)
                .execute(source)
                .dataset()) {
          rows.put(7, null);
          check(merged);
        }
        try (Dataset back = dataset.restore()) {
          rows.put(7, values.get(7));
          check(back);
        }
      }
    }
  }

  @Test
  void blobsOfAFragmentAreReplacedByKey() {
    List<Object> merged = List.of(random(8), random(58), random(158));
    try (Dataset dataset = write(builder());
        Dataset left = dataset.delete("k = 1 OR k = 8").dataset();
        ArrowTable source = BlobV2Table.of(new int[] {2, 6, 20}, merged, Map.of(), allocator)) {
      FragmentColumns.Updated updated =
          left.fragmentColumns(0).update(BatchSource.of(source.root(), null), "k", "k");
      Dataset.commit(table(), FragmentColumns.operation(List.of(updated)), left.version()).close();
      rows.remove(1);
      rows.remove(8);
      rows.put(2, merged.get(0));
      rows.put(6, merged.get(1));
      try (Dataset result = left.latest()) {
        check(result);
      }
    }
  }

  @Test
  void columnsChangeBesideBlobs() {
    try (Dataset dataset = write(builder());
        Dataset left = dataset.delete("k % 5 = 0").dataset();
        Dataset added = left.addColumns(NewColumns.expression("size", "b.size"));
        Dataset cast = added.alterColumns(ColumnChange.cast("v", INT64));
        Dataset dropped = cast.dropColumns("v");
        VectorSchemaRoot right = keysAndValues(1, 2, 3)) {
      rows.keySet().removeIf(k -> k % 5 == 0);
      check(added);
      check(cast);
      try (Dataset joined = joined(dropped, right)) {
        check(joined);
        assertThat(joined.countRows("v = -k")).isEqualTo(3);
      }
    }
  }

  private static Dataset joined(Dataset dataset, VectorSchemaRoot right) {
    SchemaEvolution evolution = dataset.evolution();
    evolution.commit(evolution.joinColumns(BatchSource.of(right, null), "k", "k"));
    return dataset.latest();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReaderAddsBlobs(boolean nullable) {
    List<Object> given = new ArrayList<>(values);
    if (!nullable) {
      Collections.replaceAll(given, null, random(64));
    }
    UnaryOperator<List<Object>> live = all -> all.subList(8, 23);
    try (Dataset dataset = write(builder());
        Dataset left = dataset.delete("k < 8 OR k = 23").dataset();
        Dataset without = left.dropColumns("b");
        ArrowTable table = BlobV2Table.of(live.apply(given), SMALL, allocator)) {
      Field declared = BlobV2Table.field(SMALL);
      FieldType type = new FieldType(nullable, declared.getType(), null, declared.getMetadata());
      Field field = new Field("b", type, declared.getChildren());
      VectorSchemaRoot column =
          new VectorSchemaRoot(List.of(field), List.of(table.column("b")), table.rowCount());
      NewColumns.Rows columns = NewColumns.rows(BatchSource.of(column, null));
      assertThatThrownBy(() -> without.addColumns(columns))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("external blobs");
      rows.keySet().removeIf(k -> k < 8 || k == 23);
      rows.replaceAll((k, value) -> given.get(k));
      NewColumns.Rows allowed = NewColumns.rows(BatchSource.of(column, null)).withExternalBlobs();
      try (Dataset added = without.addColumns(allowed);
          Dataset updated = added.update().set("v", "0").where("k > 10").execute().dataset()) {
        check(added);
        check(updated);
      }
    }
  }

  @Test
  void partsOfBlobsAreNotChangedAlone() {
    try (Dataset dataset = write(builder())) {
      assertThatThrownBy(() -> dataset.dropColumns("b.uri"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("part of a blob");
      assertThatThrownBy(() -> dataset.alterColumns(ColumnChange.rename("b.uri", "url")))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("part of a blob");
      assertThatThrownBy(() -> dataset.alterColumns(ColumnChange.nullable("b", false)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("contains NULL");
      try (Dataset renamed = dataset.alterColumns(ColumnChange.rename("b", "film"));
          Dataset updated = renamed.update().set("v", "0").execute().dataset();
          Dataset back = updated.alterColumns(ColumnChange.rename("film", "b"))) {
        check(back);
      }
    }
  }

  @Test
  void externalBlobsAreKeptWithoutReadingThem() throws IOException {
    Path object = folder.resolve("object");
    Path away = folder.resolve("away");
    try (Dataset dataset = write(builder())) {
      Files.move(object, away);
      try (Dataset updated = dataset.update().set("v", "0").execute().dataset()) {
        Files.move(away, object);
        check(updated);
      }
    }
  }

  @Test
  void largeBlobsDoNotFillMemory() {
    byte[] large = random(20 << 20);
    values.clear();
    rows.clear();
    for (int i = 0; i < 4; i++) {
      values.add(large);
      rows.put(i, large);
    }
    Map<String, String> packed = Map.of("lance-encoding:blob-dedicated-size-threshold", "30000000");
    for (Map<String, String> metadata : List.of(packed, Map.<String, String>of())) {
      try (ArrowTable table = BlobV2Table.of(values, metadata, allocator)) {
        builder().mode(WriteMode.OVERWRITE).from(table.root()).close();
      }
      try (BufferAllocator small = allocator.newChildAllocator("small", 0, 4 << 20);
          Dataset dataset = Dataset.open(table(), OpenOptions.builder().allocator(small).build());
          Dataset updated = dataset.update().set("k", "k + 1").execute().dataset()) {
        for (Blob blob : updated.takeBlobsByPosition(new long[] {0, 1, 2, 3}, "b")) {
          try (blob) {
            assertThat(blob.read()).isEqualTo(large);
          }
        }
      }
    }
  }

  @Test
  void cleanUpKeepsTheObjectsOfNewFilesAndRemovesThoseOfOldOnes() throws IOException {
    try (Dataset dataset = write(builder());
        Dataset updated = dataset.update().set("v", "0").execute().dataset()) {
      int before = sidecars().size();
      assertThat(
              updated
                  .cleanup(CleanupPolicy.builder().olderThan(Duration.ZERO).build())
                  .oldVersions())
          .isPositive();
      assertThat(sidecars()).isNotEmpty().hasSizeLessThan(before);
      for (Path sidecar : sidecars()) {
        assertThat(Path.of(sidecar.getParent() + ".lance")).exists();
      }
      check(updated);
    }
  }

  private List<Path> sidecars() throws IOException {
    try (Stream<Path> all = Files.walk(Path.of(table()))) {
      return all.filter(path -> path.toString().endsWith(".blob")).toList();
    }
  }

  @ParameterizedTest
  @EnumSource(MergeOptions.Form.class)
  void aFailedMergeLeavesNoObjects(MergeOptions.Form form) {
    try (ArrowTable source = BlobV2Table.of(MERGED_KEYS, mergedValues(), Map.of(), allocator)) {
      failAtEachCall(
          dataset ->
              dataset
                  .mergeInsert("k")
                  .whenMatched(WhenMatched.updateAll())
                  .form(form)
                  .externalBlobs(true)
                  .execute(source.root())
                  .dataset());
    }
  }

  @Test
  void aFailedUpdateLeavesNoObjects() {
    failAtEachCall(dataset -> dataset.update().set("v", "0").maxRowsPerFile(9).execute().dataset());
  }

  private void failAtEachCall(UnaryOperator<Dataset> write) {
    boolean failed = true;
    for (int call = 1; failed; call++) {
      MemoryObjectStore memory = new MemoryObjectStore();
      FaultyObjectStore store = new FaultyObjectStore(memory);
      try (Dataset dataset = write(builder().store(store))) {
        List<String> before = data(memory);
        store.fail(Fault.ERROR_BEFORE, StoreCall.PUT, path -> path.contains("/data/"), call, 1);
        failed = false;
        try {
          write.apply(dataset).close();
          assertThat(data(memory)).hasSizeGreaterThan(before.size());
        } catch (UncheckedIOException e) {
          failed = true;
          assertThat(data(memory)).as("after call %d", call).isEqualTo(before);
        }
      }
      assertThat(call).isLessThan(40);
    }
  }

  private static List<String> data(MemoryObjectStore store) {
    List<String> paths = new ArrayList<>();
    store.walk("", object -> paths.add(object.path()));
    return paths.stream().filter(path -> path.contains("/data/")).sorted().toList();
  }
}
