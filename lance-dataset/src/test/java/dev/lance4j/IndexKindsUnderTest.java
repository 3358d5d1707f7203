package dev.lance4j;

import dev.lance4j.index.ScalarIndexSpec;
import java.util.List;

/** The kinds of indices that tests build on columns of single values, with small parts. */
final class IndexKindsUnderTest {
  private IndexKindsUnderTest() {}

  /** All of them. */
  static List<ScalarIndexSpec> all() {
    return List.of(new ScalarIndexSpec.BTree(5));
  }

  /** Those that go with a column of {@link dev.lance4j.scan.testing.RandomConditions}. */
  static List<ScalarIndexSpec> of(String column) {
    return all();
  }
}
