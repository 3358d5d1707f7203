package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.internal.TransactionMessages;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionBytesTest {
  private static final String UUID_TEXT = "00000000-0000-0000-0000-0000000000ab";

  private static Transaction transaction(long readVersion, Operation operation) {
    return new Transaction(readVersion, UUID_TEXT, operation, "", Map.of());
  }

  private static Transaction parse(ByteBuffer bytes) {
    return TransactionMessages.parse(bytes, "1-x.txn");
  }

  @Test
  void reservedFragmentsWithTagAndPropertiesHaveTheKnownBytes() {
    ByteBuffer bytes =
        Hex.bytes(
            "08 01 12 24 \"" + UUID_TEXT + "\"",
            "1A 05 \"mytag\"",
            "22 1C 0A 16 \"__lance_commit_message\" 12 02 \"hi\"",
            "22 06 0A 01 \"b\" 12 01 \"2\"",
            "DA 06 02 08 03");
    Transaction expected =
        new Transaction(
            1,
            UUID_TEXT,
            new Operation.ReserveFragments(3),
            "mytag",
            Map.of(Transaction.COMMIT_MESSAGE, "hi", "b", "2"));

    assertThat(parse(bytes.duplicate())).isEqualTo(expected);
    assertThat(TransactionMessages.toBytes(expected)).isEqualTo(Hex.array(bytes));
    assertThat(expected.fileName()).isEqualTo("1-" + UUID_TEXT + ".txn");
  }

  @Test
  void deletesHaveTheKnownBytes() {
    String head = "08 02 12 24 \"" + UUID_TEXT + "\"";

    assertThat(
            TransactionMessages.toBytes(
                transaction(2, new Operation.Delete(List.of(), List.of(), "k=40"))))
        .isEqualTo(Hex.array(Hex.bytes(head, "AA 06 06 1A 04 \"k=40\"")));
    assertThat(
            TransactionMessages.toBytes(
                transaction(2, new Operation.Delete(List.of(), List.of(1L), "k>=30"))))
        .isEqualTo(Hex.array(Hex.bytes(head, "AA 06 0A 12 01 01 1A 05 \"k>=30\"")));
  }

  static List<Operation> operations() {
    FragmentMetadata fragment =
        Tables.fragment("a.lance", 5)
            .withId(3)
            .withDeletionFile(
                Optional.of(
                    new DeletionFile(DeletionFile.Form.BITMAP, 7, -2, 1, OptionalInt.of(0))))
            .withRowIds(new SequenceLocation.Inline(ByteString.copyFromUtf8("ids")))
            .withRowVersions(
                new SequenceLocation.External("v", 1, 2), new SequenceLocation.External("w", 3, 4));
    IndexMetadata index =
        new IndexMetadata(
            UUID.randomUUID(),
            List.of(0),
            "i",
            1,
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.of(0),
            OptionalLong.of(5),
            OptionalInt.empty(),
            List.of(new IndexFile("f", 1)),
            UnknownFieldSet.getDefaultInstance());
    MapUpdate update = new MapUpdate(Map.of("a", Optional.of(""), "b", Optional.empty()), true);
    List<FragmentMetadata> fragments = List.of(fragment);
    return List.of(
        new Operation.Append(fragments),
        new Operation.Delete(fragments, List.of(1L, 2L), "x"),
        new Operation.Overwrite(
            fragments,
            Tables.SCHEMA,
            Map.of("k", "v"),
            List.of(new BasePath(0, Optional.of("n"), true, "/p"))),
        new Operation.CreateIndex(List.of(index), List.of(index)),
        new Operation.Rewrite(
            List.of(new Operation.RewriteGroup(fragments, List.of())),
            List.of(
                new Operation.RewrittenIndex(
                    UUID.randomUUID(),
                    UUID.randomUUID(),
                    new IndexDetails("/t", ByteString.EMPTY),
                    2,
                    List.of(new IndexFile("page.lance", 7))))),
        new Operation.Merge(fragments, Tables.SCHEMA),
        new Operation.Restore(9),
        new Operation.ReserveFragments(4),
        new Operation.Update(
            List.of(1L),
            fragments,
            fragments,
            List.of(0),
            List.of(ByteString.copyFromUtf8("g")),
            List.of(1),
            Operation.UpdateMode.REWRITE_COLUMNS,
            Optional.of(new KeyFilter(List.of(0), new KeyFilter.Exact(List.of(-1L)))),
            RowAddressSet.of(RowAddress.pack(fragment.id(), 1), RowAddress.pack(fragment.id(), 3))),
        new Operation.Update(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Operation.UpdateMode.REWRITE_ROWS,
            Optional.of(
                new KeyFilter(
                    List.of(0), new KeyFilter.Bloom(ByteString.copyFromUtf8("bits"), 8, 3, 0.5)))),
        new Operation.Project(Tables.SCHEMA),
        new Operation.UpdateConfig(
            Optional.of(update), Optional.of(update), Optional.of(update), Map.of(1, update)),
        new Operation.DataReplacement(
            List.of(new Operation.Replacement(2, fragment.files().get(0)))),
        new Operation.UpdateMemWalState(List.of(ByteString.copyFromUtf8("g"))),
        new Operation.Clone(true, Optional.of("r"), 3, "/p", Optional.of("b")),
        new Operation.UpdateBases(List.of(new BasePath(1, Optional.empty(), false, "/q"))));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyOperationSurvivesItsBytes(Operation operation) {
    Transaction transaction = transaction(-3, operation);

    assertThat(parse(ByteBuffer.wrap(TransactionMessages.toBytes(transaction))))
        .isEqualTo(transaction);
  }

  @Test
  void theOldStyleOfSettingsIsUnderstood() {
    ByteBuffer bytes =
        Hex.bytes(
            "F2 06 1E",
            "0A 06 0A 01 \"a\" 12 01 \"1\"",
            "12 01 \"b\"",
            "1A 06 0A 01 \"s\" 12 01 \"2\"",
            "22 09 08 05 12 05 2A 03 0A 01 \"f\"");

    assertThat(parse(bytes).operation())
        .isEqualTo(
            new Operation.UpdateConfig(
                Optional.of(
                    new MapUpdate(Map.of("a", Optional.of("1"), "b", Optional.empty()), false)),
                Optional.empty(),
                Optional.of(MapUpdate.replaceAll(Map.of("s", "2"))),
                Map.of(5, MapUpdate.replaceAll(Map.of("f", "")))));
  }

  @Test
  void settingsOfBothStylesAreCorrupt() {
    ByteBuffer bytes = Hex.bytes("F2 06 05 12 01 \"b\" 32 00");

    assertThatThrownBy(() -> parse(bytes)).isInstanceOf(CorruptFileException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9A 07 00", "A2 07 00", "AA 07 00"})
  void operationsOfLaterVersionsAreRefused(String operation) {
    assertThatThrownBy(() -> parse(Hex.bytes(operation)))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("1-x.txn")
        .hasMessageContaining("operation");
  }

  @Test
  void rowsThatWereUpdatedInPlaceAreUnderstoodAsNumbersToo() {
    ByteBuffer bytes = Hex.bytes("E2 06 0C 4A 0A 08 07 12 06 0A 04 01 03 88 01");

    Operation.Update update = (Operation.Update) parse(bytes).operation();

    assertThat(update.rowsUpdatedInPlace())
        .isEqualTo(
            RowAddressSet.of(
                RowAddress.pack(7, 1), RowAddress.pack(7, 3), RowAddress.pack(7, 136)));
  }

  @Test
  void rowsOfFragmentsThatCannotExistAreCorrupt() {
    ByteBuffer bytes = Hex.bytes("E2 06 0F 4A 0D 08 FF FF FF FF 0F 12 05 0A 03 01 03 04");

    assertThatThrownBy(() -> parse(bytes))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("4294967295");
  }

  @Test
  void aTransactionWithoutOperationIsCorrupt() {
    assertThatThrownBy(() -> parse(Hex.bytes("08 01")))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("no operation");
  }
}
