package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.schema.LanceSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fragments, operations and transactions on their way from one machine to another. */
class ShippedMetadataTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** As the real library's Python binding, 7.0.0, wrote it. */
  private static final String FOREIGN =
      "{\"id\": 0, \"files\": [{\"fields\": [0, 1], \"column_indices\": [0, 1],"
          + " \"file_major_version\": 2, \"file_minor_version\": 1, \"file_size_bytes\": 693,"
          + " \"base_id\": null, \"path\": \"0110.lance\"}], \"physical_rows\": 10,"
          + " \"deletion_file\": {\"read_version\": 1, \"id\": 2534930947377124927, \"file_type\":"
          + " \"array\", \"num_deleted_rows\": 1, \"base_id\": null}, \"row_id_meta\": {\"Inline\":"
          + " [10, 4, 10, 2, 16, 10]}, \"created_at_version_meta\": {\"inline\": [10, 8, 10, 4, 10,"
          + " 2, 16, 10, 16, 1]}, \"last_updated_at_version_meta\": {\"inline\": [10, 8, 10, 4, 10,"
          + " 2, 16, 10, 16, 1]}}";

  private static byte[] bytes(Object object) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(object);
    }
    return out.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return objects.readObject();
    }
  }

  static List<Operation> operations() {
    return TransactionBytesTest.operations();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyOperationSurvivesJavaSerialisation(Operation operation) throws Exception {
    Transaction transaction = Transaction.of(-5, operation).withProperties(Map.of("p", "q"));

    assertThat(read(bytes(operation))).isEqualTo(operation);
    assertThat(read(bytes(transaction))).isEqualTo(transaction);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyOperationSurvivesItsJson(Operation operation) {
    Transaction transaction = Transaction.of(-5, operation).withProperties(Map.of("p", "q"));

    assertThat(Operation.fromJson(operation.toJson())).isEqualTo(operation);
    assertThat(Transaction.fromJson(transaction.toJson())).isEqualTo(transaction);
  }

  @Test
  void theMetadataOfASchemaIsNotLost() throws Exception {
    LanceSchema schema = new LanceSchema(Tables.SCHEMA.fields(), Map.of("owner", "nina"));
    for (Operation operation :
        List.of(
            Operation.overwrite(List.of(), schema),
            new Operation.Merge(List.of(), schema),
            new Operation.Project(schema))) {
      assertThat(read(bytes(operation))).isEqualTo(operation);
      assertThat(Operation.fromJson(operation.toJson())).isEqualTo(operation);
    }
  }

  @Test
  void partsOfOperationsSurviveOnTheirOwn() throws Exception {
    FragmentMetadata fragment = FragmentMetadata.fromJson(FOREIGN);
    IndexMetadata index =
        ((Operation.CreateIndex)
                operations().stream()
                    .filter(o -> o.kind() == Operation.Kind.CREATE_INDEX)
                    .findFirst()
                    .orElseThrow())
            .newIndices()
            .get(0);
    IndexMetadata later =
        new IndexMetadata(
            index.uuid(),
            index.fieldIds(),
            index.name(),
            index.datasetVersion(),
            index.fragmentBytes(),
            Optional.of(new IndexDetails("/lance.table.BTreeIndexDetails", ByteString.EMPTY)),
            index.indexVersion(),
            index.createdAtMillis(),
            OptionalInt.of(-1),
            index.files(),
            UnknownFieldSet.newBuilder()
                .addField(77, UnknownFieldSet.Field.newBuilder().addVarint(5).build())
                .build());

    assertThat(read(bytes(fragment))).isEqualTo(fragment);
    assertThat(read(bytes(fragment.files().get(0)))).isEqualTo(fragment.files().get(0));
    assertThat(read(bytes(later))).isEqualTo(later);
    assertThat(IndexMetadata.fromJson(later.toJson())).isEqualTo(later);
  }

  @Test
  void fragmentsHaveTheJsonOfThePythonBinding() throws Exception {
    FragmentMetadata fragment = FragmentMetadata.fromJson(FOREIGN);

    assertThat(fragment.physicalRows()).isEqualTo(10);
    assertThat(fragment.files())
        .containsExactly(
            DataFile.of("0110.lance", List.of(0, 1), List.of(0, 1), FileVersion.V2_1, 693));
    assertThat(fragment.deletionFile().orElseThrow().name(0))
        .isEqualTo("0-1-2534930947377124927.arrow");
    assertThat(fragment.rowIds())
        .contains(
            new SequenceLocation.Inline(ByteString.copyFrom(new byte[] {10, 4, 10, 2, 16, 10})));
    assertThat(JSON.readTree(fragment.toJson())).isEqualTo(JSON.readTree(FOREIGN));
  }

  @Test
  void operationsHaveTheNamesOfTheFormat() throws Exception {
    Transaction transaction =
        new Transaction(
            3,
            "00000000-0000-0000-0000-0000000000ab",
            new Operation.Delete(List.of(), List.of(7L), "x > 1"),
            "",
            Map.of("a", "b"));

    assertThat(JSON.readTree(transaction.toJson()))
        .isEqualTo(
            JSON.readTree(
                "{\"read_version\": 3, \"uuid\": \"00000000-0000-0000-0000-0000000000ab\","
                    + " \"tag\": \"\", \"transaction_properties\": {\"a\": \"b\"}, \"delete\":"
                    + " {\"updated_fragments\": [], \"deleted_fragment_ids\": [7], \"predicate\":"
                    + " \"x > 1\"}}"));
    assertThat(transaction.operation().toJson()).startsWith("{\"delete\":");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{                                              | malformed",
        "\"\"                                           | fragment must be an object, not string",
        "[]                                             | fragment must be an object, not array",
        "{} {}                                          | malformed",
        "{\"id\": 1, \"id\": 2}                         | Duplicate",
        "{\"id\": -1}                                   | fragment.id is -1",
        "{\"id\": 4294967295}                           | fragment id 4294967295",
        "{\"id\": 18446744073709551616}                 | does not fit in 64 bits",
        "{\"id\": 1.0}                                  | fragment.id must be a whole number",
        "{\"id\": \"1\"}                                | fragment.id must be a whole number",
        "{\"physical_rows\": 99999999999}               | too many",
        "{\"files\": {}}                                | fragment.files must be an array",
        "{\"files\": [{\"path\": \"../x\"}]}            | leaves its directory",
        "{\"files\": [{\"path\": \"/etc/passwd\"}]}     | leaves its directory",
        "{\"files\": [{\"path\": \"\"}]}                | leaves its directory",
        "{\"files\": [{}]}                              | leaves its directory",
        "{\"files\": [{\"path\": 5}]}                   | fragment.files[0].path must be text",
        "{\"files\": [{\"path\": \"a\", \"fields\": [1, 2], \"column_indices\": [0]}]} | 2 fields",
        "{\"files\": [{\"path\": \"a\", \"fields\": [3000000000]}]} | files[0].fields[0] is 3000000000",
        "{\"deletion_file\": {\"file_type\": \"tape\"}} | must be 'array' or 'bitmap'",
        "{\"row_id_meta\": {}}                          | 'inline' or 'external'",
        "{\"row_id_meta\": {\"Inline\": [256]}}         | Inline[0] must be a byte",
        "{\"row_id_meta\": {\"Inline\": 5}}             | Inline must be an array",
        "{\"row_id_meta\": {\"External\": {\"path\": \"../../x\"}}} | leaves its directory",
        "{\"overlays\": [1]}                            | fragment.overlays is not known",
      })
  void jsonThatIsNoFragmentIsRefused(String json, String message) {
    assertThatThrownBy(() -> FragmentMetadata.fromJson(json))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                             | no operation",
        "{\"explode\": {\"x\": 1}}                      | operation.explode is not known",
        "{\"append\": {}, \"delete\": {}}               | excludes append",
        "{\"append\": {}, \"read_version\": 1}          | belongs to a transaction",
        "{\"append\": {}, \"schema_metadata\": {\"a\": \"b\"}} | has no schema",
        "{\"append\": {\"fragments\": [{\"id\": []}]}}  | operation.append.fragments[0].id",
        "{\"overwrite\": {\"schema\": [{\"id\": 1, \"parent_id\": 7}]}} | has the parent 7",
        "{\"overwrite\": {\"schema_metadata\": {\"a\": \"b\"}}} | is not known",
        "{\"restore\": {\"version\": true}}             | must be a whole number, not boolean",
        "{\"update\": {\"update_mode\": \"REWRITE\"}}   | must be one of",
        "{\"update\": {\"merged_generations\": [\"*\"]}} | must be Base64",
        "{\"create_index\": {\"new_indices\": [{\"uuid\": \"7\"}]}} | not a hyphenated UUID",
        "{\"update_config\": {\"field_metadata_updates\": {\"x\": {}}}} | number for its key",
        "{\"data_overlay\": \"AA==\"}                   | is not known",
      })
  void jsonThatIsNoOperationIsRefused(String json, String message) {
    assertThatThrownBy(() -> Operation.fromJson(json))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../../../x", "00000000-0000-0000-0000-0000000000AB", "1-1-1-1-1"})
  void aTransactionsUuidCannotNameAnotherFile(String uuid) {
    String json = "{\"uuid\": \"" + uuid + "\", \"append\": {}}";
    Transaction made = new Transaction(1, uuid, new Operation.Append(List.of()), "", Map.of());
    Table table = Tables.inMemory();
    TableVersion first =
        new Committer(table, CommitOptions.DEFAULT)
            .create(Transaction.of(0, Operation.overwrite(List.of(), Tables.SCHEMA)));

    assertThatThrownBy(() -> Transaction.fromJson(json))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("uuid");
    assertThatThrownBy(() -> new Committer(table, CommitOptions.DEFAULT).commit(first, made))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("uuid");
  }

  @Property(tries = 500)
  void damagedJsonIsRefusedOrStillMeansSomething(@ForAll Random random) {
    List<Operation> all = operations();
    StringBuilder json = new StringBuilder(all.get(random.nextInt(all.size())).toJson());
    String noise = "{}[]:,\"0-9x \\";
    for (int i = random.nextInt(3); i >= 0; i--) {
      json.setCharAt(random.nextInt(json.length()), noise.charAt(random.nextInt(noise.length())));
    }
    try {
      Operation read = Operation.fromJson(json.toString());
      assertThat(Operation.fromJson(read.toJson())).isEqualTo(read);
    } catch (LanceException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
    }
  }

  @Property(tries = 300)
  void damagedSerialisedObjectsAreRefusedOrStillMeanSomething(@ForAll Random random)
      throws Exception {
    FragmentMetadata fragment = FragmentMetadata.fromJson(FOREIGN);
    byte[] stream = bytes(fragment);
    String text = new String(stream, StandardCharsets.ISO_8859_1);
    int message = text.indexOf("0110.lance");
    stream[message + random.nextInt(stream.length - message)] = (byte) random.nextInt(256);
    try {
      FragmentMetadata read = (FragmentMetadata) read(stream);
      assertThat(FragmentMetadata.fromJson(read.toJson())).isEqualTo(read);
    } catch (InvalidObjectException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
    }
  }

  @Test
  void aFragmentIsSmallHoweverManyThereAre() throws Exception {
    FragmentMetadata fragment = Tables.fragment("a".repeat(50) + ".lance", 1_000_000);

    assertThat(bytes(fragment)).hasSizeLessThan(500);
    assertThat(fragment.toJson()).hasSizeLessThan(500);
  }
}
