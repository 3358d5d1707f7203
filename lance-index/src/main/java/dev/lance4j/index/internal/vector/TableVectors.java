package dev.lance4j.index.internal.vector;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.IndexedRows;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorSource;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The vectors of live rows of some fragments.
 *
 * @param indexed the column of vectors
 * @param fragments whose rows these are
 */
record TableVectors(
    IndexSource source,
    IndexedColumn indexed,
    List<FragmentMetadata> fragments,
    IndexProgress progress)
    implements VectorSource {
  private static final Field ROW_ID = Field.notNullable("_rowid", new ArrowType.Int(64, false));

  @Override
  public VectorColumn column() {
    return VectorColumn.of(indexed.field().toArrow());
  }

  private IndexedRows rows() {
    return new IndexedRows(source, indexed, fragments, RowNumbers.IDS, progress);
  }

  private ArrowReader reader(IndexedRows rows) {
    Schema schema = new Schema(List.of(rows.valueField(), ROW_ID));
    return new ArrayBatchReader(source.allocator(), schema, rows);
  }

  @Override
  public long rowCount() {
    return rows().total();
  }

  @Override
  public ArrowReader scan() {
    return reader(rows());
  }

  @Override
  public ArrowReader sample(long rows, long seed) {
    IndexedRows all = rows();
    return rows >= all.total()
        ? reader(all)
        : reader(all.choose(positions(all.total(), rows, new Random(seed))));
  }

  /** Different positions at random, ascending; each set of them is as likely as any other. */
  private static long[] positions(long total, long count, Random random) {
    TreeSet<Long> chosen = new TreeSet<>();
    for (long bound = total - count; bound < total; bound++) {
      long position = (long) (random.nextDouble() * (bound + 1));
      if (!chosen.add(position)) {
        chosen.add(bound);
      }
    }
    return chosen.stream().mapToLong(Long::longValue).toArray();
  }
}
