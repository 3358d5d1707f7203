package dev.lance4j;

import dev.lance4j.index.ScalarIndexSpec;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** The kinds of indices that tests build, with small parts. */
final class IndexKindsUnderTest {
  private IndexKindsUnderTest() {}

  /** Those for columns of single values. */
  static List<ScalarIndexSpec> ofValues() {
    return List.of(
        new ScalarIndexSpec.BTree(5),
        ScalarIndexSpec.bitmap(),
        new ScalarIndexSpec.ZoneMap(4),
        new ScalarIndexSpec.BloomFilter(6, 0.01));
  }

  /** Those for columns of lists. */
  static List<ScalarIndexSpec> ofLists() {
    return List.of(ScalarIndexSpec.labelList());
  }

  /** All of them. */
  static List<ScalarIndexSpec> all() {
    return Stream.concat(ofValues().stream(), ofLists().stream()).toList();
  }

  /** Those that go with a column; Bloom filters do not know truth values. */
  static List<ScalarIndexSpec> on(Field column) {
    if (column.getType() instanceof ArrowType.List) {
      return ofLists();
    } else if (column.getType() instanceof ArrowType.Bool) {
      return ofValues().stream()
          .filter(kind -> !(kind instanceof ScalarIndexSpec.BloomFilter))
          .toList();
    }
    return column.getChildren().isEmpty() ? ofValues() : List.of();
  }
}
