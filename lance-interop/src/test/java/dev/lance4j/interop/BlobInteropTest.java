package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Blob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blob columns of one library, read by both. */
@WithOracle
class BlobInteropTest {
  private static final int ROWS = 40;
  private static final Field BLOB =
      new Field(
          "b",
          new FieldType(
              true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
          null);

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @CsvSource({"2.0,false", "2.1,false", "2.0,true", "2.1,true"})
  void bothReadWhatTheOtherWrites(String version, boolean stable) throws IOException {
    try (ArrowTable rows = rows()) {
      String theirs = folder.resolve("theirs.lance").toString();
      ObjectNode args =
          Oracle.args(theirs)
              .put("fileVersion", version)
              .put("stableRowIds", stable)
              .put("maxRowsPerFile", 16);
      oracle.send("write", args, rows);
      oracle.delete(theirs, "k % 5 = 0");
      check(theirs, rows);

      String ours = folder.resolve("ours.lance").toString();
      Dataset.write(ours)
          .allocator(allocator)
          .fileVersion(FileVersion.parse(version))
          .stableRowIds(stable)
          .maxRowsPerFile(16)
          .from(rows.root())
          .close();
      oracle.delete(ours, "k % 5 = 0");
      check(ours, rows);
    }
  }

  private ArrowTable rows() {
    ArrowTable rows =
        RandomData.table(
            List.of(SampleFields.int64("k"), BLOB), NullPattern.SOME, ROWS, 11, allocator);
    LargeVarBinaryVector blobs = (LargeVarBinaryVector) rows.column("b");
    assertThat(blobs.getNullCount()).isBetween(1, ROWS - 1);
    return rows;
  }

  /** The rows that are left, with both the descriptors and the values that both libraries give. */
  private void check(String uri, ArrowTable rows) throws IOException {
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    ObjectNode args = Oracle.args(uri).put("withRowId", true);
    try (Dataset dataset = Dataset.open(uri, options);
        ArrowTable expected = oracle.fetch("scan", args, allocator);
        ArrowTable read = Tables.drain(dataset.scan().withRowId().open(), allocator);
        ArrowTable values = Tables.drain(dataset.scan().withBlobBytes().open(), allocator)) {
      TableAssert.assertEqual(expected, read);
      long[] rowIds = new long[read.rowCount()];
      UInt8Vector ids = (UInt8Vector) read.column("_rowid");
      for (int i = 0; i < rowIds.length; i++) {
        rowIds[i] = ids.get(rowIds.length - 1 - i);
      }
      List<byte[]> taken = bytes(dataset.takeBlobs(rowIds, "b"));
      List<byte[]> theirs = theirBytes(uri, rowIds);
      LargeVarBinaryVector all = (LargeVarBinaryVector) values.column("b");
      assertThat(taken).hasSameSizeAs(rowIds);
      for (int i = 0; i < rowIds.length; i++) {
        assertThat(taken.get(i)).isEqualTo(all.getObject(rowIds.length - 1 - i));
        // The real library gives an empty value for a null.
        assertThat(theirs.get(i)).isEqualTo(taken.get(i) == null ? new byte[0] : taken.get(i));
      }
      checkAgainstInput(values, rows);
    }
  }

  private void checkAgainstInput(ArrowTable values, ArrowTable rows) {
    List<List<Object>> left = new ArrayList<>();
    for (int i = 0; i < rows.rowCount(); i++) {
      Long key = (Long) rows.column("k").getObject(i);
      if (key == null || key % 5 != 0) {
        left.add(Arrays.asList(key, rows.column("b").getObject(i)));
      }
    }
    assertThat(values.rowCount()).isEqualTo(left.size());
    for (int i = 0; i < left.size(); i++) {
      assertThat(values.column("k").getObject(i)).isEqualTo(left.get(i).get(0));
      assertThat(values.column("b").getObject(i)).isEqualTo(left.get(i).get(1));
    }
  }

  private static List<byte[]> bytes(List<Blob> blobs) {
    List<byte[]> values = new ArrayList<>();
    for (Blob blob : blobs) {
      if (blob == null) {
        values.add(null);
        continue;
      }
      try (blob) {
        values.add(blob.read());
      }
    }
    return values;
  }

  private List<byte[]> theirBytes(String uri, long[] rowIds) throws IOException {
    ObjectNode args = Oracle.args(uri).put("column", "b");
    for (long rowId : rowIds) {
      args.withArray("rowIds").add(rowId);
    }
    List<byte[]> values = new ArrayList<>();
    for (JsonNode value : oracle.call("blobs", args)) {
      values.add(value.binaryValue());
    }
    return values;
  }
}
