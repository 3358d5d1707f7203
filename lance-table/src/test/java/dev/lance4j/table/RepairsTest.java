package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the first commit to a table of an early writer corrects. */
class RepairsTest {
  @TempDir private Path folder;

  private Table copyOf(String name) throws IOException {
    Path source = HistoricalTablesTest.DATA.resolve(name);
    Assumptions.assumeTrue(Files.isDirectory(source), "there is no table " + source);
    try (Stream<Path> paths = Files.walk(source)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path target = folder.resolve(source.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
    return Table.at(ObjectStores.resolve(folder.toString()));
  }

  private static TableVersion deleteNothing(Table table) {
    TableVersion latest = table.latest();
    return new Committer(table, CommitOptions.DEFAULT)
        .commit(
            latest,
            Transaction.of(latest.version(), new Operation.Delete(List.of(), List.of(), "false")));
  }

  @Test
  void countsThatWereNotRecorded() throws IOException {
    TableVersion version = deleteNothing(copyOf("v0.7.5/with_deletions"));

    assertThat(version.location().path()).endsWith("/3.manifest");
    FragmentMetadata fragment = version.manifest().fragments().get(0);
    assertThat(fragment.physicalRows()).isEqualTo(100);
    assertThat(fragment.deletedRows()).isEqualTo(10);
    assertThat(fragment.files().get(0).sizeBytes()).isEqualTo(879);
    assertThat(version.manifest().maxFragmentId()).hasValue(0);
    assertThat(version.manifest().dataFormat()).contains(FileVersion.V0_1);
  }

  @Test
  void countsThatWereRecordedWrongly() throws IOException {
    Table table = copyOf("v0.8.0/migrated_from_v0.7.5");
    assertThat(table.latest().manifest().fragments().get(0).physicalRows()).isEqualTo(90);

    Manifest manifest = deleteNothing(table).manifest();

    assertThat(manifest.fragments().get(0).physicalRows()).isEqualTo(100);
    assertThat(manifest.fragments().stream().mapToLong(f -> f.physicalRows() - f.deletedRows()))
        .containsExactly(90L, 2L);
  }

  @Test
  void fieldIdsThatWereGivenTwice() throws IOException {
    TableVersion version = deleteNothing(copyOf("v0.10.5/corrupt_schema"));

    assertThat(version.manifest().schema().fields())
        .extracting(LanceField::name, LanceField::id)
        .containsExactly(tuple("x", 0), tuple("y", 1), tuple("b", 4), tuple("c", 5));
    assertThat(values(version, "b")).containsExactly(0L, 4L, 8L, 12L);
    assertThat(values(version, "c")).containsExactly(0L, 5L, 10L, 15L);
    assertThat(version.manifest().fragments().get(0).files())
        .extracting(DataFile::fieldIds)
        .containsExactly(List.of(0), List.of(1, 2), List.of(4, 5));
  }

  private static List<Object> values(TableVersion version, String column) throws IOException {
    LanceSchema projection = version.manifest().schema().project(List.of(column));
    List<Object> values = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (FragmentMetadata fragment : version.manifest().fragments()) {
        try (Session session = Session.create(0);
            FragmentReader reader = FragmentReader.open(version, fragment, projection, session);
            ArrowReader batches = reader.scan(100, allocator)) {
          while (batches.loadNextBatch()) {
            FieldVector vector = batches.getVectorSchemaRoot().getVector(0);
            for (int i = 0; i < vector.getValueCount(); i++) {
              values.add(vector.getObject(i));
            }
          }
        }
      }
    }
    return values;
  }

  @Test
  void theVersionOfTheFiles() throws IOException {
    assertThat(
            deleteNothing(copyOf("v0.16.0/wrong_data_version_can_fix.lance"))
                .manifest()
                .dataFormat())
        .contains(FileVersion.V2_0);
  }

  @Test
  void theVersionOfFilesThatAreYetToCome() throws IOException {
    assertThat(deleteNothing(copyOf("v0.15.0/v2_no_files.lance")).manifest().dataFormat())
        .contains(FileVersion.V2_1);
  }

  @Test
  void filesOfSeveralVersionsCannotBeRepaired() throws IOException {
    Table table = copyOf("v0.16.0/wrong_data_version_no_fix.lance");

    assertThatThrownBy(() -> deleteNothing(table))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("several versions");
    assertThat(table.latest().version()).isEqualTo(2);
  }

  @Test
  void coverageOfIndicesThatCannotBeReliedOn() throws IOException {
    for (String name : List.of("v0.8.14/corrupt_index", "v0.21.0/bad_index_fragment_bitmap")) {
      folder = folder.resolve(name);
      Table table = copyOf(name);
      List<IndexMetadata> before = table.latest().indices();

      List<IndexMetadata> after = deleteNothing(table).indices();

      assertThat(before).isNotEmpty();
      assertThat(after)
          .allSatisfy(
              index ->
                  assertThat(index.fragments().map(set -> set.isEmpty()).orElse(true)).isTrue());
    }
  }
}
