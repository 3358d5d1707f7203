package dev.lance4j.interop.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.Dataset;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.oracle.Oracle;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** One change of a table whose content is known, and what it must make of it. */
interface Change {
  /**
   * The content afterwards; nothing if the change must be refused.
   *
   * @param version the number of the new version
   */
  Optional<Content> outcome(long version);

  /** Checks how many versions this library made of it. */
  default void checkVersions(long before, long after) {
    assertThat(after).isEqualTo(before + 1);
  }

  /** Whether rows that are not changed stay in their order. */
  default boolean keepsOrder() {
    return true;
  }

  /** Carries it out with this library, and checks what that reports. The dataset is closed. */
  Dataset byUs(Dataset dataset);

  /** Whether the real library can do it, and does it right. */
  default boolean canBeTheirs() {
    return false;
  }

  /** Carries it out with the real library. */
  default void byThem(Theirs table) {
    throw new UnsupportedOperationException();
  }

  /**
   * A table for the real library.
   *
   * @param version its number of a version of ours
   */
  record Theirs(Oracle oracle, String uri, LongUnaryOperator version, BufferAllocator allocator) {
    ArrowTable data(List<Field> fields, List<Map<String, Object>> rows) {
      return ArrowTable.of(Values.batch(fields, rows, allocator));
    }
  }
}
