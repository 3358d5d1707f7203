package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.IndexCatalog;
import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.rowid.RowAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Set;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.roaringbitmap.RoaringBitmap;

/** Looks keys of {@link Songs} up in an index, without a scan that would find them otherwise. */
final class IndexLookUps {
  private IndexLookUps() {}

  /**
   * Checks that the only index gives just the rows of the fragments that it covers, for each key
   * from 0 on.
   *
   * @param keys how many to look up
   * @param covered the fragments that it must cover
   */
  static void check(Dataset dataset, int keys, long... covered) throws Exception {
    IndexSource source =
        new IndexSource(
            dataset.source().version(), dataset.source().session(), dataset.allocator());
    ScalarIndex index = IndexCatalog.of(source).scalar().get(0);
    RoaringBitmap coverage = new RoaringBitmap();
    for (long id : covered) {
      coverage.add((int) id);
    }
    assertThat(index.coverage()).isEqualTo(coverage);
    List<Object> allKeys = column(dataset, "k");
    List<Object> addresses = column(dataset, "_rowaddr");
    for (int key = 0; key < keys; key++) {
      Set<Object> expected = new HashSet<>();
      for (int i = 0; i < allKeys.size(); i++) {
        long fragment = RowAddress.fragmentId((Long) addresses.get(i));
        if (allKeys.get(i).equals((long) key) && coverage.contains((int) fragment)) {
          expected.add(addresses.get(i));
        }
      }
      assertThat(live(dataset, find(dataset, index, key))).as("key %d", key).isEqualTo(expected);
    }
  }

  private static List<Object> column(Dataset dataset, String name) throws Exception {
    return Songs.column(dataset.scan().select(name).open(), name);
  }

  private static long[] find(Dataset dataset, ScalarIndex index, int key) {
    RowAnswer answer = index.search(new ScalarQuery.Equals(value(dataset, key)));
    List<Long> found = new ArrayList<>();
    PrimitiveIterator.OfLong each = answer.rows().rows().iterator();
    while (each.hasNext()) {
      found.add(each.nextLong());
    }
    return found.stream().mapToLong(address -> address).toArray();
  }

  private static ScalarValue value(Dataset dataset, int key) {
    LanceSchema schema = LanceSchema.fromArrow(Songs.SCHEMA);
    try (VectorSchemaRoot row = Songs.rows(key, key + 1, dataset.allocator())) {
      List<ArrayData> arrays = FieldArrays.of(schema, row, null);
      try {
        return ScalarValue.of(Songs.SCHEMA.getFields().get(0), arrays.get(0), 0, "" + key);
      } finally {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  /** Those of some addresses at which there are rows that are not deleted. */
  private static Set<Object> live(Dataset dataset, long[] addresses) throws Exception {
    try (ArrowReader reader = dataset.takeAddresses(addresses, "_rowaddr")) {
      return new HashSet<>(Songs.column(reader, "_rowaddr"));
    }
  }
}
