package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.scan.Blob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns whose values are stored each on its own. */
class BlobsTest {
  private static final Field BLOB =
      new Field(
          "b",
          new FieldType(
              true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
          null);
  // Fault M17.
  private static final List<byte[]> VALUES =
      Arrays.asList(bytes("B0"), null, bytes(""), bytes("B3"), bytes(""));

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  /** The file versions in which a blob column is a large binary one. */
  enum Version {
    V2_0(FileVersion.V2_0),
    V2_1(FileVersion.V2_1);

    private final FileVersion file;

    Version(FileVersion file) {
      this.file = file;
    }
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private String uri() {
    return folder.resolve("blobs.lance").toString();
  }

  private WriteBuilder builder(Version version) {
    return Dataset.write(uri()).allocator(allocator).fileVersion(version.file);
  }

  private Dataset write(WriteBuilder builder, List<byte[]> values) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(BLOB)), allocator)) {
      fill((LargeVarBinaryVector) root.getVector(0), values);
      root.setRowCount(values.size());
      return builder.from(root);
    }
  }

  private static void fill(LargeVarBinaryVector vector, List<byte[]> values) {
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) == null) {
        vector.setNull(i);
      } else {
        vector.setSafe(i, values.get(i));
      }
    }
    vector.setValueCount(values.size());
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

  @ParameterizedTest
  @EnumSource
  void emptyBlobsAreNotNullAndKeepTheirNeighboursApart(Version version) {
    try (Dataset dataset = write(builder(version), VALUES)) {
      assertThat(readAll(dataset.takeBlobs(new long[] {0, 1, 2, 3, 4}, "b")))
          .containsExactlyElementsOf(VALUES);
      assertThat(readAll(dataset.takeBlobsByPosition(new long[] {0, 1, 2, 3, 4}, "b")))
          .containsExactlyElementsOf(VALUES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aScanGivesDescriptorsUnlessAskedForBytes(Version version) throws IOException {
    try (Dataset dataset = write(builder(version), VALUES)) {
      try (ArrowReader reader = dataset.scan().open()) {
        assertThat(reader.loadNextBatch()).isTrue();
        StructVector rows = (StructVector) reader.getVectorSchemaRoot().getVector("b");
        assertThat(rows.getField().getMetadata()).containsEntry("lance-encoding:blob", "true");
        UInt8Vector positions = (UInt8Vector) rows.getChild("position");
        UInt8Vector sizes = (UInt8Vector) rows.getChild("size");
        assertThat(List.of(positions.get(0), sizes.get(0))).containsExactly(0L, 2L);
        assertThat(List.of(positions.get(2), sizes.get(2))).containsExactly(0L, 0L);
        assertThat(List.of(positions.get(3), sizes.get(3))).containsExactly(64L, 2L);
        if (version == Version.V2_0) {
          assertThat(List.of(positions.get(1), sizes.get(1))).containsExactly(1L, 0L);
        } else {
          assertThat(rows.isNull(1)).isTrue();
        }
        assertThat(rows.isNull(2)).isFalse();
      }
      try (ArrowReader reader = dataset.scan().withBlobBytes().open()) {
        assertThat(reader.loadNextBatch()).isTrue();
        LargeVarBinaryVector rows =
            (LargeVarBinaryVector) reader.getVectorSchemaRoot().getVector("b");
        for (int i = 0; i < VALUES.size(); i++) {
          assertThat(rows.getObject(i)).isEqualTo(VALUES.get(i));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConditionSeesTheValues(Version version) {
    try (Dataset dataset = write(builder(version), VALUES)) {
      assertThat(dataset.scan().where("b IS NULL").count()).isEqualTo(1);
      assertThat(dataset.scan().where("b IS NOT NULL").count()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void blobsComeInTheOrderAskedForFromAllFragments(Version version) {
    Random random = new Random(7);
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      byte[] value = new byte[random.nextInt(200)];
      random.nextBytes(value);
      values.add(i % 7 == 3 ? null : value);
    }
    WriteBuilder builder = builder(version).maxRowsPerFile(8).stableRowIds(true);
    try (Dataset dataset = write(builder, values)) {
      long[] rows = {49, 3, 0, 17, 49, 8};
      List<byte[]> expected = new ArrayList<>();
      for (long row : rows) {
        expected.add(values.get((int) row));
      }
      assertThat(readAll(dataset.takeBlobs(rows, "b"))).containsExactlyElementsOf(expected);
      assertThat(readAll(dataset.takeBlobsByPosition(rows, "b")))
          .containsExactlyElementsOf(expected);
      assertThat(dataset.takeBlobs(new long[] {50, 1000}, "b")).isEmpty();
    }
  }

  @Test
  void onlyWhatIsAskedForIsRead() throws IOException {
    CountingObjectStore store =
        new CountingObjectStore(ObjectStores.resolve(folder.toString()).store());
    byte[] large = new byte[1 << 20];
    new Random(3).nextBytes(large);
    write(builder(Version.V2_1), List.of(large, large)).close();
    OpenOptions options = OpenOptions.builder().allocator(allocator).store(store).build();
    try (Dataset dataset = Dataset.open(uri(), options)) {
      store.reset();
      try (Blob blob = dataset.takeBlobs(new long[] {1}, "b").get(0)) {
        assertThat(store.bytes(StoreCall.READ)).isLessThan(large.length / 8);
        store.reset();
        assertThat(blob.read(1000, 24)).isEqualTo(Arrays.copyOfRange(large, 1000, 1024));
        assertThat(store.bytes(StoreCall.READ)).isEqualTo(24);
        assertThat(store.calls()).isEqualTo(1);
      }
    }
  }

  @Test
  void aChannelMovesAndEndsWithTheBlob() throws IOException {
    try (Dataset dataset = write(builder(Version.V2_1), List.of(bytes("0123456789"), bytes("x")));
        Blob blob = dataset.takeBlobs(new long[] {0}, "b").get(0)) {
      SeekableByteChannel channel = blob.openChannel();
      assertThat(channel.size()).isEqualTo(10);
      ByteBuffer four = ByteBuffer.allocate(4);
      assertThat(channel.position(8).read(four)).isEqualTo(2);
      assertThat(Arrays.copyOf(four.array(), 2)).isEqualTo(bytes("89"));
      assertThat(channel.read(four)).isEqualTo(-1);
      assertThat(channel.position()).isEqualTo(10);
      assertThat(channel.position(100).read(four)).isEqualTo(-1);
      assertThatThrownBy(() -> channel.write(four)).isInstanceOf(NonWritableChannelException.class);
      channel.close();
      assertThatThrownBy(() -> channel.read(four)).isInstanceOf(ClosedChannelException.class);
      try (InputStream stream = blob.openStream()) {
        stream.skipNBytes(3);
        assertThat(stream.readNBytes(2)).isEqualTo(bytes("34"));
        assertThat(stream.readAllBytes()).isEqualTo(bytes("56789"));
      }
    }
  }

  @Test
  void rangesOutsideOfABlobAreRefused() {
    try (Dataset dataset = write(builder(Version.V2_1), VALUES)) {
      Blob blob = dataset.takeBlobs(new long[] {0}, "b").get(0);
      try (blob) {
        assertThatThrownBy(() -> blob.read(1, 2))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("a blob of 2");
        assertThatThrownBy(() -> blob.read(-1, 1)).isInstanceOf(InvalidInputException.class);
        assertThat(blob.read(2, 0)).isEmpty();
      }
      assertThatThrownBy(blob::read)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void aColumnOfOtherValuesIsRefused() {
    Schema schema = new Schema(List.of(BLOB, Field.nullable("s", ArrowType.LargeBinary.INSTANCE)));
    try (Dataset dataset = builder(Version.V2_1).from(schema)) {
      assertThatThrownBy(() -> dataset.takeBlobs(new long[] {0}, "s"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'s' is not a blob column");
      assertThatThrownBy(() -> dataset.takeBlobs(new long[] {0}, "t"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'t' does not exist");
      assertThatThrownBy(() -> dataset.takeBlobsByPosition(new long[] {0}, "b"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("no row at position 0");
    }
  }
}
