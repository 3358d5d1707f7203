package dev.lance4j.index.internal.scalar.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.IndexCatalog;
import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.NaiveColumn;
import dev.lance4j.index.internal.scalar.RandomQueries;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indices that versions 0.18 to 0.36 of the reference implementation wrote. */
class HistoricalBTreesTest {
  private static final Path DATA =
      Path.of(System.getProperty("lance4j.data", "")).resolve("historical");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v0.18.2/index_no_details.lance",
        "v0.20.0/old_btree_bitmap_indices.lance",
        "0.36.0/btree_in_index_pkg.lance"
      })
  void findWhatALinearSearchFinds(String name) {
    Path path = DATA.resolve(name);
    assumeTrue(Files.isDirectory(path), "there is no historical table " + path);
    TableVersion version = Table.at(ObjectStores.resolve(path.toString())).latest();
    try (BufferAllocator allocator = new RootAllocator();
        Session session = Session.create()) {
      IndexSource source = new IndexSource(version, session, allocator);
      ScalarIndex index =
          IndexCatalog.of(source).scalar().stream()
              .filter(each -> each.kind() instanceof BTreeKind)
              .findFirst()
              .orElseThrow();
      LanceSchema projection = index.column().projection();
      FragmentMetadata fragment = version.manifest().fragments().get(0);
      assertThat(version.manifest().fragments()).hasSize(1);
      assertThat(index.coverage().contains((int) fragment.id())).isTrue();
      try (FragmentReader reader = FragmentReader.open(version, fragment, projection, session);
          ArrowTable column = Tables.drain(reader.scan(1000, allocator), allocator)) {
        long[] addresses =
            LongStream.range(0, column.rowCount())
                .map(offset -> RowAddress.pack(fragment.id(), offset))
                .toArray();
        NaiveColumn naive = new NaiveColumn(column, addresses);
        for (ScalarQuery query : new RandomQueries(naive, new SplittableRandom(1)).some(30)) {
          assertThat(rows(index.search(query)))
              .as("%s", query)
              .isEqualTo(naive.search(query, naive.size()));
        }
      }
    }
  }

  private static Set<Long> rows(RowAnswer answer) {
    Set<Long> rows = new TreeSet<>();
    PrimitiveIterator.OfLong each = answer.selected().rows().iterator();
    while (each.hasNext()) {
      rows.add(each.nextLong());
    }
    return rows;
  }
}
