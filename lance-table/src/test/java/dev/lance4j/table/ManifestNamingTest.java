package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestNamingTest {
  @ParameterizedTest
  @CsvSource({
    "V1, 1, 1.manifest",
    "V2, 1, 18446744073709551614.manifest",
    "V2, 42, 18446744073709551573.manifest",
    "DETACHED, -1, d18446744073709551615.manifest"
  })
  void namesAVersion(ManifestNaming naming, long version, String name) {
    assertThat(naming.fileName(version)).isEqualTo(name);
  }

  @Property
  void everyNameIsRecognised(@ForAll ManifestNaming naming, @ForAll @LongRange(min = 0) long n) {
    long version = naming == ManifestNaming.DETACHED ? ~n : n;

    assertThat(ManifestNaming.classify(naming.fileName(version)))
        .contains(new ManifestNaming.Named(naming, version));
  }

  @Property
  void newerVersionsSortFirst(
      @ForAll @LongRange(min = 0) long a, @ForAll @LongRange(min = 0) long b) {
    assertThat(ManifestNaming.V2.fileName(a).compareTo(ManifestNaming.V2.fileName(b)))
        .satisfies(order -> assertThat(Integer.signum(order)).isEqualTo(Long.compare(b, a)));
  }

  @Property
  void anyTextIsClassifiedOrNothing(@ForAll String text) {
    Optional<ManifestNaming.Named> named = ManifestNaming.classify(text + ".manifest");

    assertThat(named.isPresent()).isEqualTo(text.matches("d?[0-9]{1,19}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "latest_version_hint.json",
        "1.manifest#1",
        "18446744073709551614.manifest-3f0e",
        ".tmpABC",
        "foo.manifest",
        ".manifest",
        "d.manifest",
        "-1.manifest",
        "+1.manifest",
        "99999999999999999999.manifest",
        "1.2.manifest"
      })
  void otherFilesAreNoManifests(String name) {
    assertThat(ManifestNaming.classify(name)).isEmpty();
  }
}
