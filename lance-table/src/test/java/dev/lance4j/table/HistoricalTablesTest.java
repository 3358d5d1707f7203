package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.IpcFiles;
import dev.lance4j.table.internal.ManifestFile;
import dev.lance4j.table.internal.TransactionMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.Test;

/** Tables that versions 0.5.9 to 0.36 of the reference implementation wrote. */
class HistoricalTablesTest {
  static final Path DATA = Path.of(System.getProperty("lance4j.data", "")).resolve("historical");

  private static List<Path> tables() throws IOException {
    assumeTrue(Files.isDirectory(DATA), "there are no historical tables in " + DATA);
    try (Stream<Path> paths = Files.walk(DATA)) {
      return paths.filter(path -> Files.isDirectory(path.resolve("_versions"))).sorted().toList();
    }
  }

  private static Table table(Path path) {
    return Table.at(ObjectStores.resolve(path.toString()));
  }

  @Test
  void manifestsSurviveBeingWrittenAgain() throws IOException {
    int manifests = 0;
    for (Path path : tables()) {
      for (ManifestLocation location : table(path).findAll()) {
        TableVersion original = table(path).open(location);
        byte[] transaction =
            original.transaction().map(TransactionMessages::toBytes).orElse(new byte[0]);
        ByteBuffer bytes = ManifestFile.write(original.manifest(), original.indices(), transaction);
        Table copy = Tables.inMemory();
        Tables.put(copy, location.version() + ".manifest", bytes);

        TableVersion again = copy.latest();

        assertThat(again.manifest()).isEqualTo(original.manifest());
        assertThat(again.indices()).isEqualTo(original.indices());
        if (transaction.length > 0) {
          assertThat(again.transaction()).isEqualTo(original.transaction());
        }
        manifests++;
      }
    }
    assertThat(manifests).isGreaterThan(20);
  }

  @Test
  void theNewestVersionHasTheKnownContent() throws IOException {
    assertThat(tables()).isNotEmpty();
    assertNewest("v0.5.9/dataset_with_fragments", 3, 3);
    assertNewest("v0.7.5/with_deletions", 2, 1);
    assertNewest("v0.8.14/corrupt_index", 5, 10);
    assertNewest("v0.10.5/corrupt_schema", 6, 2);
    assertNewest("v0.15.0/v2_no_files.lance", 1, 0);
    assertNewest("v0.21.0/bad_index_fragment_bitmap", 4, 2);
    assertNewest("0.36.0/btree_in_index_pkg.lance", 2, 1);
  }

  private static void assertNewest(String name, long version, int fragments) {
    TableVersion newest = table(DATA.resolve(name)).latest();
    assertThat(newest.version()).as(name).isEqualTo(version);
    assertThat(newest.manifest().fragments()).as(name).hasSize(fragments);
  }

  @Test
  void deletionFilesOfOldManifestsAreRecognised() throws IOException {
    assertThat(tables()).isNotEmpty();
    FragmentMetadata fragment =
        table(DATA.resolve("v0.7.5/with_deletions")).latest().manifest().fragments().get(0);

    assertThat(fragment.deletionFile())
        .map(file -> file.name(fragment.id()))
        .isEqualTo(Optional.of("0-1-8958018423523767581.arrow"));
    assertThat(fragment.physicalRows()).isZero();
  }

  @Test
  void rowsAreThoseThatTheReferenceImplementationReads() throws IOException {
    int compared = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Path path : tables()) {
        Path expectedFile = path.resolveSibling(path.getFileName() + ".expected.arrow");
        if (!Files.exists(expectedFile)) {
          continue;
        }
        try (ArrowTable expected = IpcFiles.read(expectedFile, allocator)) {
          assertRows(path, expected, allocator);
        }
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(10);
  }

  private static void assertRows(Path path, ArrowTable expected, BufferAllocator allocator)
      throws IOException {
    TableVersion version = table(path).latest();
    int row = 0;
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      try (Session session = Session.create(0);
          FragmentReader reader =
              FragmentReader.open(version, fragment, version.manifest().schema(), session);
          ArrowReader batches = reader.scan(7, allocator)) {
        while (batches.loadNextBatch()) {
          VectorSchemaRoot batch = batches.getVectorSchemaRoot();
          for (FieldVector vector : batch.getFieldVectors()) {
            FieldVector twin = expected.column(vector.getName());
            for (int i = 0; i < batch.getRowCount(); i++) {
              assertThat(vector.getObject(i))
                  .as("%s %s row %d", path, vector.getName(), row + i)
                  .isEqualTo(twin.getObject(row + i));
            }
          }
          row += batch.getRowCount();
        }
      }
    }
    assertThat(row).as(path.toString()).isEqualTo(expected.rowCount());
  }
}
