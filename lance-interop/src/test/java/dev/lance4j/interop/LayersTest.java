package dev.lance4j.interop;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each layer may use those before it, so that none needs to be read to understand an earlier one.
 */
class LayersTest {
  private static final String ROOT = "dev.lance4j";

  /** The packages of the modules, each with all below it. */
  private static final List<String> LAYERS =
      List.of("format", "rowid", "table", "index", "scan", "write", "compaction").stream()
          .map(name -> ROOT + '.' + name + "..")
          .toList();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  static List<String> layers() {
    return LAYERS;
  }

  @ParameterizedTest
  @MethodSource("layers")
  void aLayerUsesEarlierOnesOnly(String layer) {
    String[] later =
        LAYERS.subList(LAYERS.indexOf(layer) + 1, LAYERS.size()).toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(layer)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(later)
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .because("a layer uses those before it in the list of ARCHITECTURE.md only")
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void nothingNeedsTheRealLibrary() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.lance..", "org.apache.arrow.c..", "org.apache.arrow.dataset..")
        .because("it is in tests and benchmarks only")
        .check(CLASSES);
  }

  @Test
  void onlyTheStoresTouchTheFileSystem() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".format.store..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(File.class, Files.class, FileChannel.class, RandomAccessFile.class)
        .because("everything else sees ObjectStore only")
        .check(CLASSES);
  }
}
