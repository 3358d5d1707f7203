package dev.lance4j.format.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every store promises. */
abstract class ObjectStoreContract {
  /** The store under test. */
  abstract ObjectStore store();

  /** An empty directory in it. */
  abstract String root();

  @Test
  void givesBackWhatWasPut() {
    String path = root() + "/a/b";
    store().put(path, bytes("hello"));
    try (ObjectReader reader = store().open(path)) {
      assertThat(reader.size()).isEqualTo(5);
      assertThat(text(reader.read(0, 5))).isEqualTo("hello");
      assertThat(text(reader.read(1, 3))).isEqualTo("ell");
      assertThat(reader.read(List.of(new ByteRange(4, 1), new ByteRange(0, 2))))
          .extracting(ObjectStoreContract::text)
          .containsExactly("o", "he");
    }
    assertThat(store().stat(path).size()).isEqualTo(5);
    assertThat(store().exists(path)).isTrue();
  }

  @Test
  void readsLittleEndianNumbers() {
    String path = root() + "/number";
    store().put(path, ByteBuffer.wrap(new byte[] {1, 2, 0, 0}));
    try (ObjectReader reader = store().open(path)) {
      assertThat(reader.read(0, 4).getInt(0)).isEqualTo(0x201);
    }
  }

  @Test
  void refusesRangesOutsideTheObject() {
    String path = root() + "/short";
    store().put(path, bytes("abc"));
    try (ObjectReader reader = store().open(path)) {
      assertThatThrownBy(() -> reader.read(2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> reader.read(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void saysThatAnObjectIsMissing() {
    String path = root() + "/none";
    assertThat(store().exists(path)).isFalse();
    assertThatThrownBy(() -> store().open(path))
        .isInstanceOf(ObjectNotFoundException.class)
        .hasMessageContaining("none");
    assertThatThrownBy(() -> store().stat(path)).isInstanceOf(ObjectNotFoundException.class);
    store().delete(path);
  }

  @Test
  void showsAnObjectOnlyWhenItIsCommitted() {
    String path = root() + "/late";
    try (ObjectWriter writer = store().create(path)) {
      writer.write(bytes("one"));
      assertThat(writer.position()).isEqualTo(3);
      assertThat(store().exists(path)).isFalse();
      writer.commit();
    }
    assertThat(store().exists(path)).isTrue();
    try (ObjectWriter writer = store().create(root() + "/never")) {
      writer.write(bytes("two"));
    }
    assertThat(names(root())).containsExactly("late");
  }

  @Test
  void replacesAnObjectButNotItsOpenReaders() {
    String path = root() + "/replaced";
    store().put(path, bytes("old"));
    try (ObjectReader reader = store().open(path)) {
      store().put(path, bytes("newer"));
      assertThat(text(reader.read(0, 3))).isEqualTo("old");
    }
    try (ObjectReader reader = store().open(path)) {
      assertThat(text(reader.read(0, 5))).isEqualTo("newer");
    }
  }

  @Test
  void listsOneLevelAndWalksAll() {
    store().put(root() + "/x", bytes("1"));
    store().put(root() + "/d/y", bytes("22"));
    store().put(root() + "/d/e/z", bytes("333"));
    assertThat(names(root() + "/d")).contains("y").doesNotContain("x", "z");
    List<Long> sizes = new ArrayList<>();
    store().walk(root(), info -> sizes.add(info.size()));
    assertThat(sizes).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(names(root() + "/absent")).isEmpty();
    store().walk(root() + "/absent", info -> sizes.add(-1L));
    assertThat(sizes).hasSize(3);
  }

  @Test
  void replacesAHint() {
    String path = root() + "/hint";
    for (String content : List.of("12", "123", "4", "")) {
      store().putHint(path, bytes(content));

      try (ObjectReader reader = store().open(path)) {
        assertThat(text(reader.read(0, (int) reader.size()))).isEqualTo(content);
      }
    }
  }

  @Test
  void removesAllBelowADirectoryAndNothingElse() {
    for (String path : List.of("/dir/a", "/dir/deep/er/b", "/dir2/c", "/dirs")) {
      store().put(root() + path, bytes("x"));
    }

    store().deleteAll(root() + "/dir");
    store().deleteAll(root() + "/dir");

    List<String> left = new ArrayList<>();
    store().walk(root(), object -> left.add(object.path()));
    assertThat(left).containsExactlyInAnyOrder(root() + "/dir2/c", root() + "/dirs");
  }

  @Test
  void stopsListingWhenTheVisitorHasEnough() {
    for (int i = 0; i < 5; i++) {
      store().put(root() + "/n" + i, bytes(""));
    }
    List<String> seen = new ArrayList<>();
    store()
        .list(
            root(),
            name -> {
              seen.add(name);
              return seen.size() < 2;
            });
    assertThat(seen).hasSize(2);
  }

  @Test
  void letsExactlyOneWriterPutIfAbsent() throws Exception {
    String path = root() + "/once";
    ExecutorService executor = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> writers = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        ByteBuffer content = bytes("writer " + i);
        writers.add(() -> store().putIfAbsent(path, content));
      }
      int winners = 0;
      for (Future<Boolean> result : executor.invokeAll(writers)) {
        winners += result.get() ? 1 : 0;
      }
      assertThat(winners).isEqualTo(1);
    } finally {
      executor.shutdownNow();
    }
    try (ObjectReader reader = store().open(path)) {
      assertThat(text(reader.read(0, (int) reader.size()))).startsWith("writer ");
    }
    assertThat(names(root())).containsExactly("once");
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  static String text(ByteBuffer bytes) {
    return UTF_8.decode(bytes.duplicate()).toString();
  }

  List<String> names(String directory) {
    List<String> names = new ArrayList<>();
    store()
        .list(
            directory,
            name -> {
              if (store().exists(directory + '/' + name)) {
                names.add(name);
              }
              return true;
            });
    return names;
  }
}
