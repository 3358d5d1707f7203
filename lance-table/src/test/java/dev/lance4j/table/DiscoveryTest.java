package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.internal.ManifestFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DiscoveryTest {
  /** Stores that list in order and ones that do not. */
  enum Place {
    MEMORY,
    DISK
  }

  @TempDir private Path folder;

  private Table table(Place place) {
    return place == Place.MEMORY
        ? Tables.inMemory()
        : Table.at(ObjectStores.resolve(folder.toString()));
  }

  private static void write(Table table, ManifestNaming naming, long version) {
    Manifest manifest =
        Manifest.builder(version, Tables.SCHEMA)
            .timestamp(Instant.ofEpochSecond(version & 0xFFFF))
            .dataFormat(Optional.of(FileVersion.V2_1))
            .build();
    Tables.put(
        table, naming.fileName(version), ManifestFile.write(manifest, List.of(), new byte[0]));
  }

  @ParameterizedTest
  @EnumSource
  void theNewestVersionIsFoundInBothSchemes(Place place) {
    for (ManifestNaming naming : List.of(ManifestNaming.V1, ManifestNaming.V2)) {
      folder = folder.resolve(naming.name());
      Table table = table(place);
      for (long version = 1; version <= 12; version++) {
        write(table, naming, version);
      }

      assertThat(table.latest().version()).isEqualTo(12);
      assertThat(table.version(7).manifest().version()).isEqualTo(7);
      assertThat(table.findAll())
          .extracting(ManifestLocation::version)
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherFilesAndDetachedVersionsAreNoPartOfTheHistory(Place place) {
    Table table = table(place);
    write(table, ManifestNaming.V2, 1);
    write(table, ManifestNaming.V2, 2);
    write(table, ManifestNaming.DETACHED, -5);
    ByteBuffer rubbish = ByteBuffer.wrap(new byte[] {1, 2, 3});
    for (String name :
        List.of(
            "latest_version_hint.json",
            "18446744073709551600.manifest#1",
            "18446744073709551600.manifest-5f",
            "foo.manifest",
            ".tmp12345")) {
      Tables.put(table, name, rubbish.duplicate());
    }

    assertThat(table.latest().version()).isEqualTo(2);
    assertThat(table.versions()).extracting(VersionSummary::id).containsExactly(1L, 2L);
    assertThat(table.version(-5).manifest().version()).isEqualTo(-5);
  }

  @ParameterizedTest
  @EnumSource
  void theCopyOfTheNewestManifestInTheRootIsIgnored(Place place) {
    Table table = table(place);
    write(table, ManifestNaming.V1, 1);
    table.store().put(table.path() + "/_latest.manifest", ByteBuffer.wrap(new byte[] {1}));

    assertThat(table.latest().version()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsMissingIsSaidToBeMissing(Place place) {
    Table table = table(place);

    assertThatThrownBy(table::latest).isInstanceOf(DatasetNotFoundException.class);
    assertThatThrownBy(() -> table.version(1)).isInstanceOf(DatasetNotFoundException.class);
    assertThatThrownBy(table::versions).isInstanceOf(DatasetNotFoundException.class);
    write(table, ManifestNaming.V2, 3);
    assertThatThrownBy(() -> table.version(2))
        .isInstanceOfSatisfying(
            VersionNotFoundException.class, e -> assertThat(e.version()).isEqualTo(2));
  }

  @ParameterizedTest
  @EnumSource
  void aDirectoryOfTwoSchemesIsRefused(Place place) {
    Table table = table(place);
    write(table, ManifestNaming.V1, 1);
    write(table, ManifestNaming.V2, 2);

    assertThatThrownBy(table::latest)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("naming schemes");
  }
}
