package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeleteTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t").toString();
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private static long delete(Dataset dataset, String predicate) {
    DeleteResult result = dataset.delete(predicate);
    result.dataset().close();
    return result.rowsDeleted();
  }

  @Test
  void leavesTheOtherRowsAndTheVersionBefore() throws Exception {
    try (Dataset before = Songs.create(uri(), 20, 10, allocator)) {
      DeleteResult result = before.delete("k IN (2, 3, 11) OR k > 90");
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsDeleted()).isEqualTo(3);
        assertThat(after.version()).isEqualTo(2);
        assertThat(after.countRows()).isEqualTo(17);
        assertThat(Songs.column(after.scan().where("k < 13").open(), "k"))
            .containsExactly(0L, 1L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 12L);
        assertThat(before.countRows()).isEqualTo(20);
      }
    }
  }

  @Test
  void dropsFragmentsThatKeepNoRow() throws Exception {
    try (Dataset before = Songs.create(uri(), 20, 5, allocator)) {
      assertThat(delete(before, "k = 6")).isEqualTo(1);
      try (Dataset second = before.latest()) {
        assertThat(delete(second, "k >= 5 AND k < 12")).isEqualTo(6);
        try (Dataset third = second.latest()) {
          assertThat(third.fragments()).hasSize(3);
          assertThat(third.countRows()).isEqualTo(13);
          assertThat(Songs.count(third.scan().open())).isEqualTo(13);
        }
      }
    }
  }

  @Test
  void makesNoVersionWhenNothingMatches() {
    try (Dataset dataset = Songs.create(uri(), 3, 5, allocator)) {
      assertThat(delete(dataset, "k > 100")).isZero();
      assertThat(dataset.versions()).hasSize(1);
      assertThatThrownBy(() -> dataset.delete("nothing = 1"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("nothing");
    }
  }

  @Test
  void startsOverWhenOthersDeleteFromTheSameFragment() throws Exception {
    int writers = 4;
    Songs.create(uri(), 200, 200, allocator).close();
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String predicate = "k % 10 = " + w;
        tasks.add(
            () -> {
              try (Dataset dataset = open()) {
                return delete(dataset, predicate);
              }
            });
      }
      for (Future<Long> rows : executor.invokeAll(tasks)) {
        assertThat(rows.get()).isEqualTo(20);
      }
    } finally {
      executor.shutdownNow();
    }
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows()).isEqualTo(200 - 20L * writers);
      assertThat(dataset.countRows("k % 10 < 4")).isZero();
    }
  }
}
