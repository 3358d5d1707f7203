package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** Has the morsels of some fragments worked on and gives the batches that come of it. */
final class ScanNode implements BatchNode {
  private final Scan.Source source;
  private final ProjectNode input;
  private final List<FragmentMetadata> fragments;
  private final boolean deletedToo;
  private final Window window;
  private final BatchSize size;
  private final Parallelism parallelism;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param input what is done with each morsel
   * @param window which of the fragments' rows to work on
   */
  ScanNode(
      Scan.Source source,
      ProjectNode input,
      List<FragmentMetadata> fragments,
      boolean deletedToo,
      Window window,
      BatchSize size,
      Parallelism parallelism) {
    this.source = source;
    this.input = input;
    this.fragments = fragments;
    this.deletedToo = deletedToo;
    this.window = window;
    this.size = size;
    this.parallelism = parallelism;
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder("Scan ");
    text.append(fragments.size()).append(fragments.size() == 1 ? " fragment" : " fragments");
    text.append(parallelism.ordered() ? ", in order" : ", in any order");
    text.append(deletedToo ? ", deleted rows too" : "");
    if (!window.isAll()) {
      text.append(", ").append(LimitNode.describe(window));
    }
    return text.append(", ").append(size.rows()).append(" rows at a time").toString();
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of(input);
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public Schema schema() {
    return input.schema();
  }

  @Override
  public ArrayBatchReader.Source open() {
    Morsels morsels = new Morsels(source, fragments, deletedToo, window);
    BatchRows rows = new BatchRows(size, schema());
    return new MeteredBatches(new ParallelBatches(morsels, input, rows, parallelism), metrics);
  }
}
