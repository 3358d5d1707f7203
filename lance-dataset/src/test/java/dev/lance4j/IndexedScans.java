package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.Scan;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/** Compares scans that use indices with those that do not. */
final class IndexedScans {
  private IndexedScans() {}

  /** The same rows must come with indices and without, and be counted. */
  static void requireSame(Scan scan, BufferAllocator allocator) {
    List<Map<String, Object>> expected;
    try {
      expected = Rows.drain(scan.useScalarIndex(false).open(), allocator);
    } catch (InvalidInputException e) {
      // A row that fails the condition may be one that an index leaves out.
      return;
    }
    String plan = scan.explain();
    try {
      assertThat(Rows.drain(scan.open(), allocator)).as(plan).isEqualTo(expected);
      assertThat(scan.count()).as("count of %s", plan).isEqualTo(expected.size());
    } catch (InvalidInputException e) {
      // How many rows beyond a limit the condition is computed for depends on the batches.
      assertThat(plan).as("plan of what failed by %s", e).contains("Limit");
    }
  }

  /** The condition's rows, in the order of the table, with indices and without. */
  static long requireSameRows(Dataset dataset, String filter, BufferAllocator allocator) {
    Scan scan = dataset.scan().withRowId().withRowAddress().where(filter);
    requireSame(scan, allocator);
    return scan.count();
  }
}
