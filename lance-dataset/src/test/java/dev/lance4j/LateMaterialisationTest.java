package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.scan.ScanMetrics;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read of the columns that a condition does not need. */
class LateMaterialisationTest {
  private static final int ROWS = 30_000;
  // A batch may share a block of values with the next one, which then reads it again.
  private static final long SLACK = 200_000;

  private final BufferAllocator allocator = new RootAllocator();
  private final CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset create() {
    List<Field> fields =
        List.of(
            SampleFields.int64("narrow"),
            SampleFields.utf8("text"),
            SampleFields.fixedSizeList("vector", 128, SampleFields.float32("item")));
    try (ArrowTable data = RandomData.table(fields, NullPattern.NONE, ROWS, 3, allocator);
        BigIntVector keys = new BigIntVector("k", allocator)) {
      for (int i = 0; i < ROWS; i++) {
        keys.setSafe(i, i);
      }
      keys.setValueCount(ROWS);
      List<FieldVector> vectors = new ArrayList<>(data.root().getFieldVectors());
      vectors.add(0, keys);
      return Dataset.write("t")
          .store(store)
          .allocator(allocator)
          .from(new VectorSchemaRoot(vectors));
    }
  }

  private static long lateBytes(ScanMetrics metrics) {
    return metrics.steps().stream()
        .filter(step -> step.description().startsWith("Read of rows left"))
        .mapToLong(ScanMetrics.Step::bytes)
        .sum();
  }

  @ParameterizedTest
  @CsvSource({
    "vector, k = 17",
    "vector, k % 1000 = 1",
    "vector, k % 10 = 1",
    "vector, k % 2 = 1",
    "vector, k % 10 != 1",
    "vector, k >= 0",
    "vector, k BETWEEN 5000 AND 7000",
    "text, k % 1000 = 1",
    "text, k % 10 = 1",
    "text, k >= 15000",
    "narrow, k % 3000 = 1",
    "narrow, k % 10 = 1",
    "narrow, k % 10 != 1",
    "narrow, k < 10000"
  })
  void readsAtMostTwiceTheBytesOfTheBetterWay(String column, String condition) throws Exception {
    try (Dataset dataset = create()) {
      long[] addresses =
          Songs.column(dataset.scan().select("_rowaddr").where(condition).open(), "_rowaddr")
              .stream()
              .mapToLong(address -> (long) address)
              .toArray();
      long late = lateBytes(dataset.scan().select(column).where(condition).analyze());
      long everything = dataset.scan().select(column).analyze().bytes();
      Songs.count(dataset.takeAddresses(addresses, column));
      store.reset();
      assertThat(Songs.count(dataset.takeAddresses(addresses, column))).isEqualTo(addresses.length);
      long rowByRow = store.bytes(StoreCall.READ);
      assertThat(late).isLessThanOrEqualTo(2 * Math.min(everything, rowByRow) + SLACK);
    }
  }

  @Test
  void readsNothingMoreOfBatchesInWhichNoRowIsLeft() {
    try (Dataset dataset = create()) {
      assertThat(lateBytes(dataset.scan().where("k < 0").analyze())).isZero();
      long one = lateBytes(dataset.scan().select("vector").where("k = 20000").analyze());
      assertThat(one).isPositive().isLessThan(10_000);
    }
  }

  @Test
  void readsAColumnOfTheConditionOnce() {
    try (Dataset dataset = create()) {
      assertThat(dataset.scan().select("k").where("k % 2 = 0").explain())
          .doesNotContain("rows left");
      assertThat(dataset.scan().select("k", "text").where("k % 2 = 0").explain())
          .contains("Read of rows left text\n");
    }
  }
}
