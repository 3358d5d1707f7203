package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fragments that are written without a commit, and the commit of them. */
class DistributedWriteTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;
  private String uri;

  @BeforeEach
  void locate() {
    uri = folder.resolve("songs.lance").toString();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private List<FragmentMetadata> write(FragmentWriter writer, int start, int end) {
    try (VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
      return writer.allocator(allocator).write(rows);
    }
  }

  private List<Object> keys() throws Exception {
    try (Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build())) {
      return Songs.column(dataset.scan().select("k").open(), "k");
    }
  }

  private static List<Object> range(int start, int end) {
    List<Object> keys = new ArrayList<>();
    for (long k = start; k < end; k++) {
      keys.add(k);
    }
    return keys;
  }

  @Test
  void aTableIsMadeOfFragmentsInTheOrderGiven() throws Exception {
    FragmentWriter writer = FragmentWriter.to(uri, Songs.SCHEMA).maxRowsPerFile(4);
    List<FragmentMetadata> second = write(writer, 10, 15);
    List<FragmentMetadata> first = write(writer, 0, 10);
    List<FragmentMetadata> all = new ArrayList<>(first);
    all.addAll(second);

    try (Dataset made = Dataset.commit(uri, Operation.overwrite(all, writer.schema()), 0)) {
      assertThat(made.version()).isEqualTo(1);
      assertThat(made.fragments())
          .extracting(FragmentMetadata::id)
          .containsExactly(0L, 1L, 2L, 3L, 4L);
      assertThat(made.fragments())
          .extracting(FragmentMetadata::physicalRows)
          .containsExactly(4L, 4L, 2L, 4L, 1L);
    }
    assertThat(keys()).isEqualTo(range(0, 15));
  }

  @Test
  void appendsOfManyDriversCommute() throws Exception {
    Songs.create(uri, 5, 5, allocator).close();
    try (Dataset first = Dataset.open(uri)) {
      List<FragmentMetadata> one = write(FragmentWriter.to(first), 5, 7);
      List<FragmentMetadata> two = write(FragmentWriter.to(uri, first.lanceSchema()), 7, 9);
      Dataset.commit(uri, Operation.append(one), 1).close();
      Dataset.commit(uri, Operation.append(two), 1).close();
    }
    assertThat(keys()).isEqualTo(range(0, 9));
  }

  @Test
  void nothingIsThereBeforeTheCommit() throws Exception {
    write(FragmentWriter.to(uri, Songs.SCHEMA), 0, 5);

    assertThatThrownBy(() -> Dataset.open(uri)).isInstanceOf(DatasetNotFoundException.class);
  }

  @Test
  void noRowsGiveNoFragments() {
    assertThat(write(FragmentWriter.to(uri, Songs.SCHEMA), 3, 3)).isEmpty();
  }

  @Test
  void onlyAnOverwriteCreatesATable() {
    List<FragmentMetadata> fragments = write(FragmentWriter.to(uri, Songs.SCHEMA), 0, 5);

    assertThatThrownBy(() -> Dataset.commit(uri, Operation.append(fragments), 0))
        .isInstanceOf(DatasetNotFoundException.class)
        .hasMessageContaining("songs.lance");
  }

  @Test
  void rowsThatDoNotFitTheSchemaLeaveNothingBehind() throws Exception {
    Schema other =
        new Schema(
            List.of(
                Field.nullable("k", new ArrowType.Int(32, true)),
                Field.nullable("s", ArrowType.Utf8.INSTANCE)));

    assertThatThrownBy(() -> write(FragmentWriter.to(uri, other), 0, 5))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("k");
    assertThat(folder.resolve("songs.lance")).doesNotExist();
  }

  @Test
  void filesOfAnotherVersionAreRefused() {
    Songs.create(uri, 5, 5, allocator).close();
    List<FragmentMetadata> fragments =
        write(FragmentWriter.to(uri, Songs.SCHEMA).fileVersion(FileVersion.V2_0), 5, 7);

    assertThatThrownBy(() -> Dataset.commit(uri, Operation.append(fragments), 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("2.0")
        .hasMessageContaining("2.1");
  }

  @Test
  void aVersionThatIsNotThereCannotHaveBeenRead() {
    Songs.create(uri, 5, 5, allocator).close();
    List<FragmentMetadata> fragments = write(FragmentWriter.to(uri, Songs.SCHEMA), 5, 7);

    assertThatThrownBy(() -> Dataset.commit(uri, Operation.append(fragments), 7))
        .isInstanceOf(VersionNotFoundException.class);
  }

  @Test
  void whatFailsCanBeTriedAgain() throws Exception {
    Songs.create(uri, 5, 5, allocator).close();
    FragmentWriter writer = FragmentWriter.to(uri, Songs.SCHEMA);
    List<FragmentMetadata> fragments = write(writer, 5, 7);
    Dataset.commit(uri, Operation.overwrite(write(writer, 0, 5), writer.schema()), 1).close();

    assertThatThrownBy(() -> Dataset.commit(uri, Operation.append(fragments), 1))
        .isInstanceOf(CommitConflictException.class);
    Dataset.commit(uri, Operation.append(fragments), 2).close();

    assertThat(keys()).isEqualTo(range(0, 7));
  }

  @Test
  void anOverwriteWithoutRetriesToleratesNothingInBetween() throws Exception {
    Songs.create(uri, 5, 5, allocator).close();
    FragmentWriter writer = FragmentWriter.to(uri, Songs.SCHEMA);
    Operation overwrite = Operation.overwrite(write(writer, 0, 3), writer.schema());
    Dataset.commit(uri, Operation.append(write(writer, 5, 7)), 1).close();

    assertThatThrownBy(() -> Dataset.commit(uri).maxRetries(0).execute(overwrite, 1))
        .isInstanceOf(CommitConflictException.class);
    assertThat(keys()).isEqualTo(range(0, 7));
  }

  @Test
  void propertiesAreRecorded() throws Exception {
    Songs.create(uri, 5, 5, allocator).close();
    Map<String, String> properties = Map.of(Transaction.COMMIT_MESSAGE, "two more");

    Dataset.commit(uri)
        .properties(properties)
        .execute(Operation.append(write(FragmentWriter.to(uri, Songs.SCHEMA), 5, 7)), 1)
        .close();

    try (Stream<Path> transactions = Files.list(folder.resolve("songs.lance/_transactions"))) {
      assertThat(
              transactions
                  .map(path -> path.getFileName().toString())
                  .filter(name -> name.startsWith("1-")))
          .hasSize(1);
    }
    assertThat(
            Table.at(ObjectStores.resolve(uri)).latest().transaction().orElseThrow().properties())
        .isEqualTo(properties);
  }
}
