package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expressions;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilteredScanTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset table() {
    return Songs.create(folder.resolve("t").toString(), 1_700, 100, allocator);
  }

  @Test
  void givesOnlyRowsForWhichTheConditionIsTrue() throws Exception {
    try (Dataset dataset = table()) {
      assertThat(Songs.column(dataset.scan().where("k % 500 = 7").open(), "s"))
          .containsExactly("song 7", "song 507", "song 1007", "song 1507");
      assertThat(Songs.column(dataset.scan().select("k").where("s = 'song 33'").open(), "k"))
          .containsExactly(33L);
      assertThat(
              Songs.column(dataset.scan().where("k < 3").where(Expressions.ne("k", 1)).open(), "k"))
          .containsExactly(0L, 2L);
      assertThat(Songs.count(dataset.scan().where("k < 0").open())).isZero();
      assertThat(Songs.count(dataset.scan().select().where("k >= 1690").open())).isEqualTo(10);
    }
  }

  /** Limit 0 means everything where a filter is given (reported fault M39). */
  @Test
  void limitAndOffsetCountTheRowsThatRemain() throws Exception {
    try (Dataset dataset = table()) {
      assertThat(Songs.column(dataset.scan().where("k % 10 = 0").offset(15).limit(3).open(), "k"))
          .containsExactly(150L, 160L, 170L);
      assertThat(Songs.count(dataset.scan().where("k >= 0").limit(0).open())).isZero();
      assertThat(dataset.scan().where("k >= 0").limit(0).count()).isZero();
      assertThat(dataset.scan().where("k % 10 = 0").offset(165).limit(20).count()).isEqualTo(5);
      assertThat(dataset.countRows("k >= 1000")).isEqualTo(700);
    }
  }

  @Test
  void seesVirtualColumnsAndLeavesDeletedRowsOut() throws Exception {
    String uri = folder.resolve("t").toString();
    table().close();
    Deletions.delete(uri, 1, 0, 5);
    try (Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build())) {
      assertThat(dataset.countRows("k >= 100 AND k < 110")).isEqualTo(8);
      assertThat(
              Songs.column(
                  dataset.scan().where("_rowaddr IN (4294967296, 4294967297)").open(), "k"))
          .containsExactly(101L);
    }
  }

  @Test
  void refusesConditionsThatDoNotFitAtOnce() {
    try (Dataset dataset = table()) {
      assertThatThrownBy(() -> dataset.scan().where("title = 'x'"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("title");
      assertThatThrownBy(() -> dataset.scan().where("k ="))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> dataset.scan().where("k + 1"))
          .isInstanceOf(InvalidInputException.class);
    }
  }
}
