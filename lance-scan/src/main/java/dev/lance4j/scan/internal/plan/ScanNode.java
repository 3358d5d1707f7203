package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.Scan;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** Has the morsels of some fragments worked on and gives the batches that come of it. */
final class ScanNode implements BatchNode {
  private final Scan.Source source;
  private final ScanWork work;
  private final boolean deletedToo;
  private final Window window;
  private final BatchSize size;
  private final Parallelism parallelism;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param window which rows to work on if all of them come out of the work
   */
  ScanNode(
      Scan.Source source,
      ScanWork work,
      boolean deletedToo,
      Window window,
      BatchSize size,
      Parallelism parallelism) {
    this.source = source;
    this.work = work;
    this.deletedToo = deletedToo;
    this.window = window;
    this.size = size;
    this.parallelism = parallelism;
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder("Scan ");
    int fragments = work.fragments().size();
    text.append(fragments).append(fragments == 1 ? " fragment" : " fragments");
    text.append(parallelism.ordered() ? ", in order" : ", in any order");
    text.append(deletedToo ? ", deleted rows too" : "");
    if (work.keepsAll() && !window.isAll()) {
      text.append(", ").append(LimitNode.describe(window));
    }
    return text.append(", ").append(size.rows()).append(" rows at a time").toString();
  }

  @Override
  public List<PlanNode> inputs() {
    return work.inputs();
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public Schema schema() {
    return work.schema();
  }

  ScanWork work() {
    return work;
  }

  @Override
  public ArrayBatchReader.Source open() {
    return open(work.start());
  }

  /** Starts the work on some of the fragments. */
  ArrayBatchReader.Source open(List<FragmentWork> works) {
    boolean keepsAll = works.stream().allMatch(FragmentWork::keepsAll);
    Morsels morsels = new Morsels(source, works, deletedToo, keepsAll ? window : Window.ALL);
    BatchRows rows = new BatchRows(size, schema());
    return new MeteredBatches(new ParallelBatches(morsels, rows, parallelism), metrics);
  }
}
