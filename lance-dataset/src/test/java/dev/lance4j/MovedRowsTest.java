package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of tables with stable row ids that updates moved to other fragments are still themselves.
 */
class MovedRowsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Numbers 0 to 8 in fragments of three, the last three appended in version 2. */
  private Dataset create(boolean stableRowIds) {
    try (VectorSchemaRoot first = Songs.rows(0, 6, allocator);
        VectorSchemaRoot second = Songs.rows(6, 9, allocator);
        Dataset made =
            Dataset.write(uri(stableRowIds))
                .allocator(allocator)
                .stableRowIds(stableRowIds)
                .maxRowsPerFile(3)
                .from(first)) {
      return made.append(second);
    }
  }

  private String uri(boolean stableRowIds) {
    return folder.resolve(stableRowIds ? "stable.lance" : "addresses.lance").toString();
  }

  private static Dataset update(Dataset dataset, String condition) {
    return dataset.update().where(condition).set("s", "'new'").execute().dataset();
  }

  @Test
  void aRowKeepsTheVersionInWhichItWasInsertedWhereverItMoved() throws Exception {
    try (Dataset dataset = create(true);
        Dataset updated = update(dataset, "k IN (1, 7)")) {
      List<Object> created =
          Songs.column(
              updated.scan().select("_row_created_at_version").open(), "_row_created_at_version");
      List<Object> changed =
          Songs.column(
              updated.scan().select("_row_last_updated_at_version").open(),
              "_row_last_updated_at_version");
      assertThat(Songs.column(updated.scan().open(), "k"))
          .containsExactly(0L, 2L, 3L, 4L, 5L, 6L, 8L, 1L, 7L);
      assertThat(created).containsExactly(1L, 1L, 1L, 1L, 1L, 2L, 2L, 1L, 2L);
      assertThat(changed).containsExactly(1L, 1L, 1L, 1L, 1L, 2L, 2L, 3L, 3L);
    }
  }

  @Test
  void aConditionOnAddressesIsNotTakenForOneOnIds() throws Exception {
    try (Dataset dataset = create(true);
        Dataset updated = update(dataset, "k IN (1, 4)")) {
      List<Object> addresses = Songs.column(updated.scan().withRowAddress().open(), "_rowaddr");
      List<Object> found = new ArrayList<>();
      for (Object address : addresses) {
        found.addAll(Songs.column(updated.scan().where("_rowaddr = " + address).open(), "k"));
      }
      assertThat(found).isEqualTo(Songs.column(updated.scan().open(), "k"));
    }
  }

  @Test
  void aLimitGoesOnWithTheFragmentsThatRowsMovedTo() throws Exception {
    try (Dataset dataset = create(true);
        Dataset updated = update(dataset, "k < 6")) {
      assertThat(Songs.column(updated.scan().limit(5).open(), "k"))
          .containsExactly(6L, 7L, 8L, 0L, 1L);
      assertThat(Songs.column(updated.scan().where("s = 'new'").limit(2).open(), "k"))
          .containsExactly(0L, 1L);
    }
  }

  /** Reports tell of a factor of 400, where all ids were indexed to find a few rows. */
  @Test
  void anUpdateTakesAboutAsLongAsInATableOfAddresses() {
    long addresses = nanosOfUpdate(false);
    long stable = nanosOfUpdate(true);
    assertThat(stable).isLessThan(20 * addresses);
  }

  private long nanosOfUpdate(boolean stableRowIds) {
    String uri = uri(stableRowIds);
    try (VectorSchemaRoot rows = Songs.rows(0, 200_000, allocator);
        Dataset made =
            Dataset.write(uri)
                .allocator(allocator)
                .stableRowIds(stableRowIds)
                .maxRowsPerFile(10_000)
                .from(rows)) {
      update(made, "k % 10 = 0").close();
      long start = System.nanoTime();
      try (Dataset latest = made.latest()) {
        update(latest, "k % 10 = 1").close();
      }
      return System.nanoTime() - start;
    }
  }
}
