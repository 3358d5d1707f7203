package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.table.internal.ManifestFile;
import dev.lance4j.table.internal.TransactionMessages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ManifestBytesTest {
  private static final ByteBuffer VERSION_0_5_9 =
      Hex.bytes(
          "00 00 00 00 CA 00 00 00",
          "0A 1A 12 02 69 64 20 FF*9 01 2A 05 \"int64\" 30 01 38 01",
          "12 31 12 2F 0A 2A \"aad56286-d257-4f49-8734-b2abf6d4ed71.lance\" 12 01 00",
          "12 33 08 01 12 2F 0A 2A \"be4997e1-ee52-4a50-a2b2-cd698444afaf.lance\" 12 01 00",
          "12 33 08 02 12 2F 0A 2A \"650c4816-fd36-4d63-8ec1-f1dedda5aeba.lance\" 12 01 00",
          "18 03 30 00 3A 0B 08 A8 E4 8A C3 06 10 B8 80 B2 61",
          "04 00 00 00 00 00 00 00  00 00  01 00  4C 41 4E 43");

  private static final ByteBuffer VERSION_7_0_0 =
      Hex.bytes(
          "62 00 00 00 12 24 \"34ae8acf-1b93-4d1e-ba3f-44293f443ede\"",
          "B2 06 39",
          "12 1A 12 02 69 64 20 FF*9 01 2A 05 \"int64\" 30 01 38 01",
          "12 1B 12 01 78 18 01 20 FF*9 01 2A 05 \"int32\" 30 01 38 01",
          "95 00 00 00",
          "0A 1A 12 02 69 64 20 FF*9 01 2A 05 \"int64\" 30 01 38 01",
          "0A 1B 12 01 78 18 01 20 FF*9 01 2A 05 \"int32\" 30 01 38 01",
          "18 01 3A 0B 08 BB B2 B4 D8 06 10 FF 9B E7 7E",
          "62 2A \"0-34ae8acf-1b93-4d1e-ba3f-44293f443ede.txn\"",
          "6A 0E 0A 05 \"lance\" 12 05 \"7.0.0\"",
          "7A 0C 0A 05 \"lance\" 12 03 \"2.1\"",
          "A8 01 00",
          "66 00 00 00 00 00 00 00 00 00 02 00 4C 41 4E 43");

  private static TableVersion open(ByteBuffer bytes, long version) {
    Table table = Tables.inMemory();
    Tables.put(table, version + ".manifest", bytes.duplicate());
    return table.version(version);
  }

  @Test
  void readsTheManifestOfVersion059() {
    assertThat(VERSION_0_5_9.remaining()).isEqualTo(226);

    TableVersion version = open(VERSION_0_5_9, 3);
    Manifest manifest = version.manifest();

    assertThat(manifest.schema().fields()).singleElement().extracting("name").isEqualTo("id");
    assertThat(manifest.fragments()).extracting(FragmentMetadata::id).containsExactly(0L, 1L, 2L);
    assertThat(manifest.fragments().get(1).files())
        .containsExactly(
            new DataFile(
                "be4997e1-ee52-4a50-a2b2-cd698444afaf.lance",
                List.of(0),
                List.of(),
                0,
                0,
                0,
                OptionalInt.empty()));
    assertThat(manifest.timestamp()).isEqualTo(Instant.ofEpochSecond(1751298600L, 204243000));
    assertThat(manifest.storageVersion()).isEqualTo(FileVersion.V0_1);
    assertThat(manifest.highestFragmentId()).isEqualTo(OptionalLong.of(2));
    assertThat(manifest.maxFragmentId()).isEmpty();
    assertThat(manifest.hasReliableRowCounts()).isFalse();
    assertThat(version.indices()).isEmpty();
    assertThat(version.transaction()).isEmpty();
  }

  @Test
  void readsTheManifestOfVersion700() {
    assertThat(VERSION_7_0_0.remaining()).isEqualTo(271);

    TableVersion version = open(VERSION_7_0_0, 1);
    Manifest manifest = version.manifest();

    assertThat(manifest.schema()).isEqualTo(Tables.SCHEMA);
    assertThat(manifest.fragments()).isEmpty();
    assertThat(manifest.writerVersion())
        .contains(new WriterVersion("lance", "7.0.0", Optional.empty(), Optional.empty()));
    assertThat(manifest.dataFormat()).contains(FileVersion.V2_1);
    assertThat(manifest.transactionFile()).isEqualTo("0-34ae8acf-1b93-4d1e-ba3f-44293f443ede.txn");
    assertThat(version.transaction())
        .contains(
            new Transaction(
                0,
                "34ae8acf-1b93-4d1e-ba3f-44293f443ede",
                new Operation.Overwrite(List.of(), Tables.SCHEMA),
                "",
                Map.of()));
  }

  @Test
  void writesTheBytesThatVersion700Writes() {
    TableVersion version = open(VERSION_7_0_0, 1);

    ByteBuffer written =
        ManifestFile.write(
            version.manifest(),
            List.of(),
            TransactionMessages.toBytes(version.transaction().orElseThrow()));

    assertThat(Hex.array(written)).isEqualTo(Hex.array(VERSION_7_0_0));
  }

  @Test
  void readsTheIndexSectionOfVersion700() {
    ByteBuffer index =
        Hex.bytes(
            "91 00 00 00 0A 8E 01",
            "0A 12 0A 10 71 9E 9E 08 FC 7F 47 EF A0 F4 42 E5 5F 04 54 6C",
            "12 01 00 1A 06 \"id_idx\" 20 02",
            "2A 12 3A 30 00 00 01 00 00 00 00 00 00 00 10 00 00 00 00 00",
            "32 20 0A 1E \"/lance.table.BTreeIndexDetails\"",
            "38 00 40 89 C8 B2 D9 A2 34",
            "52 16 0A 11 \"page_lookup.lance\" 10 EB 09",
            "52 14 0A 0F \"page_data.lance\" 10 F6 04");
    ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(index.duplicate());
    byte[] manifest = {0x18, 3, 0x30, 0};
    bytes.putInt(manifest.length).put(manifest);
    bytes.put(Hex.bytes("95 00 00 00 00 00 00 00 00 00 02 00 4C 41 4E 43"));

    List<IndexMetadata> indices = open(bytes.flip(), 3).indices();

    assertThat(index.remaining()).isEqualTo(149);
    assertThat(indices).hasSize(1);
    IndexMetadata segment = indices.get(0);
    assertThat(segment.uuid()).isEqualTo(UUID.fromString("719e9e08-fc7f-47ef-a0f4-42e55f04546c"));
    assertThat(segment.fieldIds()).containsExactly(0);
    assertThat(segment.name()).isEqualTo("id_idx");
    assertThat(segment.datasetVersion()).isEqualTo(2);
    assertThat(segment.fragments().orElseThrow().toArray()).containsExactly(0);
    assertThat(segment.details().orElseThrow().is("btreeindexdetails")).isTrue();
    assertThat(segment.indexVersion()).hasValue(0);
    assertThat(segment.createdAtMillis()).hasValue(1796020675593L);
    assertThat(segment.files())
        .containsExactly(
            new IndexFile("page_lookup.lance", 1259), new IndexFile("page_data.lance", 630));
  }

  @Test
  void keepsWhatItDoesNotKnowOfAnIndex() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(11, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
            .build();
    IndexMetadata index =
        new IndexMetadata(
            UUID.randomUUID(),
            List.of(3),
            "odd",
            1,
            ByteString.EMPTY,
            Optional.of(
                new IndexDetails("/far.future.OddIndexDetails", ByteString.copyFromUtf8("opaque"))),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.of(0),
            List.of(),
            unknown);
    ByteBuffer bytes =
        ManifestFile.write(Manifest.builder(1, Tables.SCHEMA).build(), List.of(index), new byte[0]);

    assertThat(open(bytes, 1).indices()).containsExactly(index);
  }

  @Test
  void readsAManifestThatIsLargerThanItsTail() {
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      fragments.add(Tables.fragment("file" + i + ".lance", 10).withId(i));
    }
    Manifest manifest = Manifest.builder(1, Tables.SCHEMA).fragments(fragments).build();
    Transaction transaction = Transaction.of(0, new Operation.Append(fragments));

    ByteBuffer bytes =
        ManifestFile.write(manifest, List.of(), TransactionMessages.toBytes(transaction));
    TableVersion version = open(bytes, 1);

    assertThat(version.manifest()).isEqualTo(manifest);
    assertThat(version.transaction()).contains(transaction);
  }

  @Test
  void damagedBytesGiveAnErrorOrAManifest() {
    for (ByteBuffer original : List.of(VERSION_0_5_9, VERSION_7_0_0)) {
      Random random = new Random(7);
      for (int round = 0; round < 3000; round++) {
        byte[] bytes = Hex.array(original);
        for (int i = 0; i <= round % 3; i++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        int length = round % 5 == 0 ? random.nextInt(bytes.length) : bytes.length;
        openWholly(ByteBuffer.wrap(bytes, 0, length).slice());
      }
    }
  }

  private static void openWholly(ByteBuffer bytes) {
    for (long number : new long[] {1, 3}) {
      try {
        TableVersion version = open(bytes, number);
        assertThat(version.indices()).isNotNull();
        assertThat(version.transaction()).isNotNull();
      } catch (LanceException expected) {
        assertThat(expected).hasMessageContaining(number + ".manifest");
      }
    }
  }

  @Test
  void aFileWithoutMagicIsCorrupt() {
    byte[] bytes = Hex.array(VERSION_7_0_0);
    bytes[bytes.length - 1] = 'X';

    assertThatThrownBy(() -> open(ByteBuffer.wrap(bytes), 1))
        .isInstanceOfSatisfying(
            CorruptFileException.class, e -> assertThat(e.position()).isEqualTo(271 - 4))
        .hasMessageContaining("LANC");
  }

  @Test
  void aManifestUnderTheNameOfAnotherVersionIsCorrupt() {
    assertThatThrownBy(() -> open(VERSION_7_0_0, 2))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("version 1")
        .hasMessageContaining("version 2");
  }

  @Test
  void aSecondTableForBlobsIsRefused() {
    ByteBuffer bytes = Hex.bytes("05 00 00 00 18 01 88 01 01 00*8 00 00 02 00 4C 41 4E 43");

    assertThatThrownBy(() -> open(bytes, 1))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("blobs");
  }
}
