package dev.lance4j.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.WriteMode;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of the type lance.blob.v2 of one library, read by both. */
@WithOracle
class BlobV2InteropTest {
  private static final Map<String, String> SMALL_PACKED =
      Map.of("lance-encoding:blob-dedicated-size-threshold", "70000");

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  private List<Object> values;

  @BeforeEach
  void makeValues() throws IOException {
    Path object = Files.write(folder.resolve("object"), "0123456789".getBytes(UTF_8));
    String uri = object.toUri().toString();
    values =
        Arrays.asList(
            random(2),
            null,
            new byte[0],
            random(3),
            new byte[0],
            random(65_536),
            random(65_537),
            new External(uri),
            random(70_000),
            random(70_001),
            null,
            new External(uri, 3L, 4L),
            random(66_000));
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
    if (value instanceof External external) {
      return (external.position() == null ? "0123456789" : "3456").getBytes(UTF_8);
    }
    return (byte[]) value;
  }

  private String theirs(ArrowTable table) {
    String uri = folder.resolve("theirs.lance").toString();
    ObjectNode args = Oracle.args(uri).put("fileVersion", "2.2").put("externalBlobs", true);
    oracle.send("write", args.put("maxRowsPerFile", 7), table);
    return uri;
  }

  private String ours(ArrowTable table) {
    String uri = folder.resolve("ours.lance").toString();
    Dataset.write(uri)
        .allocator(allocator)
        .fileVersion(FileVersion.V2_2)
        .maxRowsPerFile(7)
        .externalBlobs(true)
        .from(table.root())
        .close();
    return uri;
  }

  @Test
  void bothReadWhatTheOtherWrites() throws IOException {
    try (ArrowTable table = BlobV2Table.of(values, SMALL_PACKED, allocator)) {
      List<String> written = new ArrayList<>();
      for (String uri : List.of(theirs(table), ours(table))) {
        weRead(uri);
        theyRead(uri);
        written.add(descriptors(uri));
      }
      assertThat(written.get(1)).isEqualTo(written.get(0));
      assertThat(sidecars("ours.lance")).isEqualTo(sidecars("theirs.lance"));
    }
  }

  private void weRead(String uri) {
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    try (Dataset dataset = Dataset.open(uri, options);
        ArrowTable bytes = Tables.drain(dataset.scan().withBlobBytes().open(), allocator)) {
      long[] positions = new long[values.size()];
      Arrays.setAll(positions, i -> i);
      List<Blob> blobs = dataset.takeBlobsByPosition(positions, "b");
      for (int i = 0; i < values.size(); i++) {
        byte[] expected = bytes(values.get(i));
        assertThat(bytes.column("b").getObject(i)).as("row %d", i).isEqualTo(expected);
        try (Blob blob = blobs.get(i)) {
          assertThat(blob == null ? null : blob.read()).as("blob %d", i).isEqualTo(expected);
        }
      }
    }
  }

  /** The real library leaves nulls out. */
  private void theyRead(String uri) throws IOException {
    ObjectNode args = Oracle.args(uri).put("column", "b");
    for (int i = 0; i < values.size(); i++) {
      args.withArray("offsets").add(i);
    }
    List<String> read = new ArrayList<>();
    for (JsonNode value : oracle.call("blobs", args)) {
      read.add(HexFormat.of().formatHex(value.binaryValue()));
    }
    assertThat(read)
        .isEqualTo(
            values.stream()
                .filter(value -> value != null)
                .map(value -> HexFormat.of().formatHex(bytes(value)))
                .toList());
  }

  /** The descriptors that both read, with the nulls that the real library does not give. */
  private String descriptors(String uri) {
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    try (Dataset dataset = Dataset.open(uri, options);
        ArrowTable read = Tables.drain(dataset.scan().open(), allocator);
        ArrowTable expected = oracle.scan(uri, allocator)) {
      Field field = read.column("b").getField();
      Field theirField = expected.column("b").getField();
      assertThat(field.getChildren()).isEqualTo(theirField.getChildren());
      assertThat(field.getMetadata()).isEqualTo(theirField.getMetadata());
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < values.size(); i++) {
        assertThat(read.column("b").isNull(i)).isEqualTo(values.get(i) == null);
        assertThat(children(read, i)).isEqualTo(children(expected, i));
        boolean empty = values.get(i) instanceof byte[] bytes && bytes.length == 0;
        all.append(empty ? "empty" : children(read, i)).append('\n');
      }
      return all.toString();
    }
  }

  private static String children(ArrowTable table, int row) {
    StringBuilder text = new StringBuilder();
    for (FieldVector child : table.column("b").getChildrenFromFields()) {
      text.append(child.getObject(row)).append(' ');
    }
    return text.toString();
  }

  private List<String> sidecars(String table) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder.resolve(table))) {
      for (Path file : all.filter(path -> path.toString().endsWith(".blob")).toList()) {
        found.add(
            file.getFileName()
                + " "
                + HexFormat.of().formatHex(Files.readAllBytes(file)).hashCode());
      }
    }
    return found.stream().sorted().toList();
  }

  @Test
  void bothAppendToWhatTheOtherWrote() {
    try (ArrowTable table = BlobV2Table.of(values, SMALL_PACKED, allocator)) {
      String theirs = theirs(table);
      String ours = ours(table);
      oracle.send(
          "write", Oracle.args(ours).put("mode", "APPEND").put("externalBlobs", true), table);
      OpenOptions options = OpenOptions.builder().allocator(allocator).build();
      Dataset.write(theirs)
          .allocator(allocator)
          .mode(WriteMode.APPEND)
          .externalBlobs(true)
          .from(table.root())
          .close();
      for (String uri : List.of(theirs, ours)) {
        try (Dataset dataset = Dataset.open(uri, options);
            ArrowTable bytes = Tables.drain(dataset.scan().withBlobBytes().open(), allocator)) {
          for (int i = 0; i < 2 * values.size(); i++) {
            assertThat(bytes.column("b").getObject(i))
                .isEqualTo(bytes(values.get(i % values.size())));
          }
        }
        assertThat(oracle.countRows(uri)).isEqualTo(2L * values.size());
      }
    }
  }

  @Test
  void bothRefuseBlobsOfTheOtherKind() {
    try (ArrowTable table = BlobV2Table.of(values.subList(0, 2), Map.of(), allocator)) {
      String uri = folder.resolve("old.lance").toString();
      assertThatThrownBy(() -> oracle.create(uri, "2.1", table))
          .isInstanceOf(OracleError.class)
          .hasMessageContaining("requires file version >= 2.2");
      assertThatThrownBy(
              () ->
                  Dataset.write(uri)
                      .allocator(allocator)
                      .fileVersion(FileVersion.V2_1)
                      .from(table.root()))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("needs file version 2.2");
    }
  }
}
