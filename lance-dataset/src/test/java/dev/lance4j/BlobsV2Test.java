package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.BlobV2Table;
import dev.lance4j.format.testing.BlobV2Table.External;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.scan.Blob;
import dev.lance4j.table.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of the extension type lance.blob.v2. */
class BlobsV2Test {
  private static final int INLINE = 64 << 10;
  private static final int PACKED = 4 << 20;
  // Fault M17.
  private static final List<byte[]> VALUES =
      Arrays.asList(bytes("B0"), null, bytes(""), bytes("B3"), bytes(""));
  private static final Map<String, String> SMALL =
      Map.of(
          "lance-encoding:blob-inline-size-threshold", "10",
          "lance-encoding:blob-dedicated-size-threshold", "100");

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private Path table() {
    return folder.resolve("blobs.lance");
  }

  private WriteBuilder builder() {
    return Dataset.write(table().toString()).allocator(allocator).fileVersion(FileVersion.V2_2);
  }

  private Dataset write(WriteBuilder builder, List<?> values) {
    return write(builder, values, Map.of());
  }

  private Dataset write(WriteBuilder builder, List<?> values, Map<String, String> metadata) {
    try (ArrowTable table = BlobV2Table.of(values, metadata, allocator)) {
      return builder.from(table.root());
    }
  }

  private static List<byte[]> readAll(List<Blob> blobs) {
    List<byte[]> values = new ArrayList<>();
    for (Blob blob : blobs) {
      if (blob == null) {
        values.add(null);
        continue;
      }
      try (blob) {
        values.add(blob.read());
        assertThat(blob.size()).isEqualTo(values.get(values.size() - 1).length);
      }
    }
    return values;
  }

  private List<byte[]> scanAll(Dataset dataset) {
    try (ArrowTable read = Tables.drain(dataset.scan().withBlobBytes().open(), allocator)) {
      LargeVarBinaryVector blobs = (LargeVarBinaryVector) read.column("b");
      List<byte[]> values = new ArrayList<>();
      for (int i = 0; i < read.rowCount(); i++) {
        values.add(blobs.getObject(i));
      }
      return values;
    }
  }

  private List<Integer> kinds(Dataset dataset) {
    try (ArrowTable read = Tables.drain(dataset.scan().open(), allocator)) {
      StructVector blobs = (StructVector) read.column("b");
      List<Integer> kinds = new ArrayList<>();
      for (int i = 0; i < read.rowCount(); i++) {
        kinds.add(blobs.isNull(i) ? null : (int) ((UInt1Vector) blobs.getChildByOrdinal(0)).get(i));
      }
      return kinds;
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(table())) {
      return all.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()).toList();
    }
  }

  private List<Path> sidecars() throws IOException {
    return files().stream().filter(file -> file.toString().endsWith(".blob")).toList();
  }

  @Test
  void emptyBlobsAreNotNullAndKeepTheirNeighboursApart() {
    try (Dataset dataset = write(builder(), VALUES)) {
      assertThat(readAll(dataset.takeBlobs(new long[] {0, 1, 2, 3, 4}, "b")))
          .containsExactlyElementsOf(VALUES);
      assertThat(readAll(dataset.takeBlobsByPosition(new long[] {4, 1, 1, 3, 0}, "b")))
          .containsExactly(VALUES.get(4), null, null, VALUES.get(3), VALUES.get(0));
      assertThat(scanAll(dataset)).containsExactlyElementsOf(VALUES);
      assertThat(kinds(dataset)).containsExactly(0, null, 0, 0, 0);
    }
  }

  @Test
  void valuesLieWhereTheirSizeSays() throws IOException {
    List<byte[]> values =
        List.of(
            random(INLINE),
            random(INLINE + 1),
            random(PACKED + 1),
            random(PACKED),
            random(PACKED + 2),
            random(0));
    try (Dataset dataset = write(builder(), values)) {
      assertThat(kinds(dataset)).containsExactly(0, 1, 2, 1, 2, 0);
      assertThat(readAll(dataset.takeBlobs(new long[] {0, 1, 2, 3, 4, 5}, "b")))
          .containsExactlyElementsOf(values);
      assertThat(scanAll(dataset)).containsExactlyElementsOf(values);
      assertThat(sidecars())
          .extracting(file -> file.getFileName().toString() + ' ' + file.toFile().length())
          .containsExactly(
              "0100" + "0".repeat(28) + ".blob " + (PACKED + 1),
              "1000" + "0".repeat(28) + ".blob " + (INLINE + 1 + PACKED),
              "1100" + "0".repeat(28) + ".blob " + (PACKED + 2));
    }
  }

  @Test
  void theMetadataOfTheFieldSaysWhatIsLarge() {
    try (Dataset dataset =
        write(builder(), List.of(random(10), random(11), random(100), random(101)), SMALL)) {
      assertThat(kinds(dataset)).containsExactly(0, 1, 1, 2);
    }
    assertThatThrownBy(
            () ->
                write(
                    builder().mode(WriteMode.OVERWRITE),
                    VALUES,
                    Map.of("lance-encoding:blob-dedicated-size-threshold", "0")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'b'")
        .hasMessageContaining("from 1 on");
  }

  @Test
  void blobsComeFromAllFragmentsByStableIds() {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      values.add(i % 7 == 3 ? null : random(i * 3));
    }
    WriteBuilder builder = builder().maxRowsPerFile(8).stableRowIds(true);
    try (Dataset dataset = write(builder, values, SMALL)) {
      long[] rows = {59, 3, 0, 17, 59, 8};
      List<byte[]> expected = new ArrayList<>();
      for (long row : rows) {
        expected.add(values.get((int) row));
      }
      assertThat(readAll(dataset.takeBlobs(rows, "b"))).containsExactlyElementsOf(expected);
      assertThat(scanAll(dataset)).containsExactlyElementsOf(values);
      try (Dataset left = dataset.delete("k < 50").dataset()) {
        assertThat(scanAll(left)).containsExactlyElementsOf(values.subList(50, 60));
      }
    }
  }

  @Test
  void externalBlobsAreReadWhereTheyAre() throws IOException {
    Path object = Files.write(folder.resolve("object"), bytes("0123456789"));
    String uri = object.toUri().toString();
    List<?> values = List.of(new External(uri), new External(uri, 3L, 4L), bytes("own"));
    assertThatThrownBy(() -> write(builder(), values))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'b'")
        .hasMessageContaining("allow external blobs");
    assertThat(table()).satisfiesAnyOf(path -> assertThat(path).doesNotExist(), this::isEmpty);
    try (Dataset dataset = write(builder().externalBlobs(true), values)) {
      List<byte[]> expected = List.of(bytes("0123456789"), bytes("3456"), bytes("own"));
      assertThat(readAll(dataset.takeBlobs(new long[] {0, 1, 2}, "b")))
          .containsExactlyElementsOf(expected);
      assertThat(scanAll(dataset)).containsExactlyElementsOf(expected);
      assertThat(kinds(dataset)).containsExactly(3, 3, 0);
      Files.write(object, bytes("012345"));
    }
    try (Dataset dataset = Dataset.open(table().toString(), options())) {
      assertThatThrownBy(() -> dataset.takeBlobs(new long[] {1}, "b"))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(object.toString())
          .hasMessageContaining("a blob of 4 bytes at 3");
      Files.delete(object);
      assertThatThrownBy(() -> dataset.takeBlobs(new long[] {0}, "b"))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("missing");
    }
  }

  private OpenOptions options() {
    return OpenOptions.builder().allocator(allocator).session(Session.create(0)).build();
  }

  private void isEmpty(Path path) {
    try {
      assertThat(files()).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void valuesThatAreNoBlobsAreRefused() {
    String uri = folder.resolve("object").toUri().toString();
    refuse(new External("data/object"), "no absolute URI");
    refuse(new External(uri, 3L, null), "a position without a size");
    refuse(new External(uri, 3L, 0L), "no part of an object");
    refuse(new External(uri, Long.MAX_VALUE, 1L), "no part of an object");
    refuse(new External(""), "an empty URI");
    try (ArrowTable table = BlobV2Table.of(List.of(bytes("x")), Map.of(), allocator)) {
      StructVector blobs = (StructVector) table.column("b");
      ((VarCharVector) blobs.getChild("uri")).setSafe(0, bytes(uri));
      refuse(table, "both data and a URI");
    }
    try (ArrowTable table = BlobV2Table.of(List.of(bytes("x")), Map.of(), allocator)) {
      ((LargeVarBinaryVector) ((StructVector) table.column("b")).getChild("data")).setNull(0);
      refuse(table, "neither data nor a URI");
    }
    try (ArrowTable table = BlobV2Table.of(List.of(bytes("x")), Map.of(), allocator)) {
      StructVector blobs = (StructVector) table.column("b");
      ((UInt8Vector) blobs.getChild("position")).setSafe(0, 1);
      ((UInt8Vector) blobs.getChild("size")).setSafe(0, 1);
      refuse(table, "which belong to a URI");
    }
  }

  private void refuse(External value, String message) {
    try (ArrowTable table = BlobV2Table.of(List.of(bytes("x"), value), Map.of(), allocator)) {
      refuse(table, message);
    }
  }

  private void refuse(ArrowTable table, String message) {
    WriteBuilder builder = builder().externalBlobs(true);
    assertThatThrownBy(() -> builder.from(table.root()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'b'")
        .hasMessageContaining(message);
  }

  @Test
  void blobsAreOfTheKindOfTheFileVersion() {
    Field second = BlobV2Table.field(Map.of());
    Field first =
        new Field(
            "b",
            new FieldType(
                true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
            null);
    assertThatThrownBy(() -> builder().from(new Schema(List.of(first))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("lance.blob.v2");
    assertThatThrownBy(
            () -> builder().fileVersion(FileVersion.V2_1).from(new Schema(List.of(second))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("needs file version 2.2");
    Field nested = new Field("s", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(second));
    assertThatThrownBy(() -> builder().from(new Schema(List.of(nested))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("'s.b'");
    Field other =
        new Field(
            "b", second.getFieldType(), List.of(Field.nullable("x", ArrowType.Utf8.INSTANCE)));
    assertThatThrownBy(() -> builder().from(new Schema(List.of(other))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("it must have [data: large_binary, uri: string]");
  }

  @Test
  void aConditionSeesTheDescriptors() {
    try (Dataset dataset = write(builder(), VALUES)) {
      assertThat(dataset.scan().where("b IS NULL").count()).isEqualTo(1);
      assertThat(dataset.scan().where("b.size > 0").count()).isEqualTo(2);
      try (ArrowTable read =
          Tables.drain(dataset.scan().where("k > 2").withBlobBytes().open(), allocator)) {
        assertThat(read.column("b").getObject(0)).isEqualTo(VALUES.get(3));
        assertThat(read.rowCount()).isEqualTo(2);
      }
      assertThatThrownBy(() -> dataset.scan().select("b.data"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b' is a blob");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {INLINE, 200_000, 400_000})
  void onlyWhatIsAskedForIsRead(int size) {
    CountingObjectStore store =
        new CountingObjectStore(ObjectStores.resolve(folder.toString()).store());
    byte[] large = random(size);
    Map<String, String> metadata = Map.of("lance-encoding:blob-dedicated-size-threshold", "300000");
    write(builder(), Collections.nCopies(8, large), metadata).close();
    OpenOptions options = OpenOptions.builder().allocator(allocator).store(store).build();
    try (Dataset dataset = Dataset.open(table().toString(), options)) {
      store.reset();
      try (Blob blob = dataset.takeBlobs(new long[] {1}, "b").get(0)) {
        assertThat(store.bytes(StoreCall.READ)).isLessThan(2L * large.length);
        store.reset();
        assertThat(blob.read(1000, 24)).isEqualTo(Arrays.copyOfRange(large, 1000, 1024));
        assertThat(store.bytes(StoreCall.READ)).isEqualTo(24);
        assertThat(store.calls()).isEqualTo(1);
      }
    }
  }

  @Test
  void aMissingObjectIsNamed() throws IOException {
    try (Dataset dataset = write(builder(), List.of(random(50)), SMALL)) {
      Path object = sidecars().get(0);
      Files.delete(object);
      assertThatThrownBy(() -> dataset.takeBlobs(new long[] {0}, "b"))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(object.getFileName().toString());
    }
  }

  @Test
  void aFailedWriteLeavesNoObjects() {
    List<byte[]> values = List.of(random(50), random(150), random(60), random(200), random(5));
    boolean failed = true;
    for (int call = 1; failed; call++) {
      MemoryObjectStore memory = new MemoryObjectStore();
      FaultyObjectStore store = new FaultyObjectStore(memory);
      store.fail(Fault.ERROR_BEFORE, StoreCall.PUT, path -> path.contains("/data/"), call, 1);
      failed = false;
      try {
        write(builder().store(store).maxRowsPerFile(2), values, SMALL).close();
      } catch (UncheckedIOException e) {
        failed = true;
        List<String> left = new ArrayList<>();
        memory.walk("", object -> left.add(object.path()));
        assertThat(left).as("after call %d", call).noneMatch(path -> path.contains("/data/"));
      }
      assertThat(call).isLessThan(40);
    }
  }

  @Test
  void aFileTellsWhereItsBlobsAre() throws IOException {
    write(builder(), VALUES).close();
    Path file =
        files().stream().filter(f -> f.toString().endsWith(".lance")).findFirst().orElseThrow();
    try (LanceFileReader reader = LanceFileReader.open(file.toString());
        ArrowTable read = Tables.drain(reader.scan().open(allocator), allocator)) {
      assertThat(read.column("b").getField().getChildren())
          .extracting(Field::getName)
          .containsExactly("kind", "position", "size", "blob_id", "blob_uri");
      assertThat(read.column("b").isNull(1)).isTrue();
    }
  }
}
