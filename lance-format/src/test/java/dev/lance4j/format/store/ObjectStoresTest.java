package dev.lance4j.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectStoresTest {
  @Test
  void takesPlainPathsFromTheWorkingDirectory() {
    StoreLocation location = ObjectStores.resolve("some/table.lance/");
    assertThat(location.store()).isInstanceOf(LocalObjectStore.class);
    assertThat(location.path()).isEqualTo(Path.of("some/table.lance").toAbsolutePath().toString());
  }

  @Test
  void understandsFileUris() {
    assertThat(ObjectStores.resolve("file:///a/b%20c").path()).isEqualTo("/a/b c");
    assertThat(ObjectStores.resolve("file:///a/b c").path()).isEqualTo("/a/b c");
    assertThat(ObjectStores.resolve(Path.of("/a/b").toFile().toURI().toString()).path())
        .isEqualTo("/a/b");
    assertThat(ObjectStores.resolve("/a/./b/../c/").path()).isEqualTo("/a/c");
  }

  @Test
  void sharesOneMemorySpace() {
    StoreLocation one = ObjectStores.resolve("memory://x/t/");
    StoreLocation other = ObjectStores.resolve("memory://x/t");
    assertThat(one.store()).isSameAs(other.store());
    assertThat(one.path()).isEqualTo(other.path()).isEqualTo("x/t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo://x/y", "FOO://x", "foo:/x/y", "foo:///x"})
  void aSchemeThatNothingServesIsNotTakenForAPath(String uri) {
    assertThatThrownBy(() -> ObjectStores.resolve(uri))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'foo'");
  }

  @Test
  void refusesNothing() {
    assertThatThrownBy(() -> ObjectStores.resolve("")).isInstanceOf(InvalidInputException.class);
  }
}
