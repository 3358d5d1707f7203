package dev.lance4j.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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
    assertThat(ObjectStores.resolve("/a/./b/../c/").path()).isEqualTo("/a/c");
  }

  @Test
  void sharesOneMemorySpace() {
    StoreLocation one = ObjectStores.resolve("memory://x/t/");
    StoreLocation other = ObjectStores.resolve("memory://x/t");
    assertThat(one.store()).isSameAs(other.store());
    assertThat(one.path()).isEqualTo(other.path()).isEqualTo("x/t");
  }

  @Test
  void refusesSchemesThatNothingServes() {
    assertThatThrownBy(() -> ObjectStores.resolve("foo://x/y"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'foo'");
    assertThatThrownBy(() -> ObjectStores.resolve("")).isInstanceOf(InvalidInputException.class);
  }
}
