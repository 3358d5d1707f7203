package dev.lance4j.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.BlobV2Table;
import dev.lance4j.format.testing.BlobV2Table.External;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Blob;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.NewColumns;
import dev.lance4j.write.WhenMatched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
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

/** Blobs of the type lance.blob.v2 in rows and columns that are written anew, read by both. */
@WithOracle
class BlobRewriteInteropTest {
  private static final Map<String, String> SMALL_PACKED =
      Map.of("lance-encoding:blob-dedicated-size-threshold", "70000");
  private static final byte[] OBJECT = "0123456789".getBytes(UTF_8);

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  private List<Object> values;
  // The expected rows: values by key.
  private final Map<Integer, Object> rows = new TreeMap<>();

  @BeforeEach
  void makeValues() throws IOException {
    String uri = Files.write(folder.resolve("object"), OBJECT).toUri().toString();
    values =
        Arrays.asList(
            random(2),
            null,
            new byte[0],
            random(65_536),
            random(65_537),
            new External(uri),
            random(70_000),
            random(70_001),
            new External(uri, 3L, 4L),
            random(66_000),
            null,
            random(71_000));
    for (int i = 0; i < values.size(); i++) {
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

  private static byte[] bytes(Object value) {
    return value instanceof External external
        ? (external.position() == null ? OBJECT : "3456".getBytes(UTF_8))
        : (byte[]) value;
  }

  /** A table that the real library wrote. */
  private Dataset theirs(boolean stableRowIds) {
    String uri = folder.resolve("theirs.lance").toString();
    ObjectNode args =
        Oracle.args(uri)
            .put("fileVersion", "2.2")
            .put("externalBlobs", true)
            .put("stableRowIds", stableRowIds)
            .put("maxRowsPerFile", 5);
    try (ArrowTable table = BlobV2Table.of(values, SMALL_PACKED, allocator)) {
      oracle.send("write", args, table);
    }
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /** What both read of the newest version. */
  private void check(Dataset dataset) throws IOException {
    List<byte[]> expected = new ArrayList<>();
    ObjectNode args = Oracle.args(dataset.uri()).put("column", "b");
    try (ArrowTable keys = Tables.drain(dataset.scan().select("k").open(), allocator);
        ArrowTable theirs = oracle.scan(dataset.uri(), allocator)) {
      for (int i = 0; i < keys.rowCount(); i++) {
        assertThat(theirs.column("k").getObject(i)).isEqualTo(keys.column("k").getObject(i));
        expected.add(bytes(rows.get(((IntVector) keys.column("k")).get(i))));
        args.withArray("offsets").add(i);
      }
    }
    assertThat(expected).hasSameSizeAs(rows.keySet());
    List<String> taken = new ArrayList<>();
    long[] positions = new long[expected.size()];
    Arrays.setAll(positions, i -> i);
    List<Blob> blobs = dataset.takeBlobsByPosition(positions, "b");
    for (int i = 0; i < positions.length; i++) {
      try (Blob blob = blobs.get(i)) {
        assertThat(blob == null ? null : blob.read()).as("row %d", i).isEqualTo(expected.get(i));
      }
      // The real library leaves nulls out.
      if (expected.get(i) != null) {
        taken.add(HexFormat.of().formatHex(expected.get(i)));
      }
    }
    List<String> read = new ArrayList<>();
    for (JsonNode value : oracle.call("blobs", args)) {
      read.add(HexFormat.of().formatHex(value.binaryValue()));
    }
    assertThat(read).isEqualTo(taken);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bothReadUpdatedRows(boolean stableRowIds) throws IOException {
    try (Dataset dataset = theirs(stableRowIds);
        Dataset updated =
            dataset.update().set("k", "k + 100").where("k % 4 <> 3").execute().dataset()) {
      for (int k = 0; k < values.size(); k++) {
        if (k % 4 != 3) {
          rows.put(k + 100, rows.remove(k));
        }
      }
      check(updated);
      try (Dataset set =
          updated.update().set("b", "X'0102'").where("k > 107").execute().dataset()) {
        rows.replaceAll((k, value) -> k > 107 ? new byte[] {1, 2} : value);
        check(set);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(MergeOptions.Form.class)
  void bothReadMergedRows(MergeOptions.Form form) throws IOException {
    int[] keys = {1, 3, 5, 6, 11, 20, 21};
    List<Object> merged =
        Arrays.asList(
            random(9), null, random(65_600), values.get(5), new byte[0], random(72_000), null);
    try (Dataset dataset = theirs(false);
        Dataset added = dataset.addColumns(NewColumns.expression("v", "k * 10"));
        ArrowTable source = BlobV2Table.of(keys, merged, Map.of(), allocator);
        Dataset result =
            added
                .mergeInsert("k")
                .whenMatched(WhenMatched.updateAll())
                .form(form)
                .externalBlobs(true)
                .execute(source.root())
                .dataset()) {
      for (int i = 0; i < keys.length; i++) {
        rows.put(keys[i], merged.get(i));
      }
      check(result);
    }
  }

  @Test
  void bothReadAnAddedColumn() throws IOException {
    try (Dataset dataset = theirs(false);
        Dataset left = dataset.delete("k = 0 OR k = 6").dataset();
        Dataset without = left.dropColumns("b")) {
      rows.remove(0);
      rows.remove(6);
      List<Object> given = new ArrayList<>(rows.values());
      try (ArrowTable table = BlobV2Table.of(given, SMALL_PACKED, allocator)) {
        VectorSchemaRoot column =
            new VectorSchemaRoot(
                List.of(BlobV2Table.field(SMALL_PACKED)),
                List.of(table.column("b")),
                table.rowCount());
        NewColumns.Rows columns = NewColumns.rows(BatchSource.of(column, null)).withExternalBlobs();
        try (Dataset added = without.addColumns(columns)) {
          check(added);
        }
      }
    }
  }

  @Test
  void bothRefuseBlobsInsideOfStructs() {
    Field blob = BlobV2Table.field(Map.of());
    Field struct = new Field("s", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(blob));
    String uri = folder.resolve("nested.lance").toString();
    try (ArrowTable nested =
        ArrowTable.of(VectorSchemaRoot.create(new Schema(List.of(struct)), allocator))) {
      nested.root().allocateNew();
      StructVector outer = (StructVector) nested.column("s");
      StructVector blobs = (StructVector) outer.getChild("b");
      outer.setIndexDefined(0);
      blobs.setIndexDefined(0);
      ((LargeVarBinaryVector) blobs.getChild("data")).setSafe(0, random(3));
      nested.root().setRowCount(1);
      ObjectNode args = Oracle.args(uri).put("fileVersion", "2.2");
      assertThatThrownBy(() -> oracle.send("write", args, nested))
          .isInstanceOf(OracleError.class)
          .hasMessageContaining("missing `kind` field");
      assertThatThrownBy(
              () ->
                  Dataset.write(folder.resolve("ours.lance").toString())
                      .allocator(allocator)
                      .fileVersion(FileVersion.V2_2)
                      .from(nested.root()))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'s.b'");
    }
  }
}
