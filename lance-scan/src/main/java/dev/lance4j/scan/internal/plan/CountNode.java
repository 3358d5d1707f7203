package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.RowCounts;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.read.ChosenRows;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Gives batches without columns that have as many rows as a scan, without reading the rows that
 * indices find.
 */
final class CountNode implements BatchNode {
  private final Scan.Source source;
  private final ScanNode scan;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param scan without columns, which includes no deleted rows
   */
  CountNode(Scan.Source source, ScanNode scan) {
    this.source = source;
    this.scan = scan;
  }

  @Override
  public String describe() {
    return "Count";
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of(scan);
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public Schema schema() {
    return scan.schema();
  }

  @Override
  public ArrayBatchReader.Source open() {
    List<FragmentWork> others = new ArrayList<>();
    long rows = 0;
    for (FragmentWork work : scan.work().start()) {
      if (work.keepsAll() && work.rows().isPresent()) {
        rows += count(work.fragment(), work.rows().get());
      } else {
        others.add(work);
      }
    }
    return new MeteredBatches(new Counted(rows, scan.open(others)), metrics);
  }

  private long count(FragmentMetadata fragment, RowMask<RowAddressSet> rows) {
    boolean recorded =
        source.version().manifest().hasReliableRowCounts() && fragment.physicalRows() > 0;
    long physicalRows =
        recorded ? fragment.physicalRows() : RowCounts.physicalRows(source, fragment);
    return ChosenRows.of(
            rows,
            fragment.id(),
            physicalRows,
            DeletionFiles.read(source.version(), fragment, source.session()))
        .rows();
  }

  /** As many rows as were counted, then those of a scan. */
  private static final class Counted implements ArrayBatchReader.Source {
    private final ArrayBatchReader.Source others;
    private long left;

    Counted(long rows, ArrayBatchReader.Source others) {
      this.left = rows;
      this.others = others;
    }

    @Override
    public ArrayBatch next() {
      if (left == 0) {
        return others.next();
      }
      int rows = (int) Math.min(left, Integer.MAX_VALUE);
      left -= rows;
      return new ArrayBatch(rows, List.of());
    }

    @Override
    public void close() {
      others.close();
    }
  }
}
