package dev.lance4j.scan.internal.plan;

import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.internal.column.ReadColumns;
import dev.lance4j.scan.internal.lookup.LookUp;
import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.RowBatch;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;
import java.util.Optional;

/** Has indices find rows. Nothing is read of these yet. */
final class LookUpNode implements MorselNode {
  private final LookUp lookUp;
  private final ReadColumns columns;
  private final long covered;
  private final long fragments;
  private final StepMetrics metrics = new StepMetrics();
  private LookUp.Outcome outcome;

  /**
   * @param columns of the whole plan
   * @param fragments where rows are wanted
   */
  LookUpNode(LookUp lookUp, ReadColumns columns, List<FragmentMetadata> fragments) {
    this.lookUp = lookUp;
    this.columns = columns;
    this.covered = lookUp.count(fragments);
    this.fragments = fragments.size();
  }

  @Override
  public String describe() {
    String where = " in " + covered + " of " + fragments + " fragments";
    String text = "Look up " + lookUp + where;
    return outcome == null || outcome.problem().isEmpty()
        ? text
        : text + ", without an answer: " + outcome.problem().get();
  }

  /** Whether there are fragments that the indices do not answer for. */
  boolean leavesFragments() {
    return covered < fragments || (outcome != null && outcome.rows().isEmpty());
  }

  LookUp lookUp() {
    return lookUp;
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of();
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  /** The rows that are found, deleted ones perhaps among them; absent if there is no answer. */
  Optional<RowMask<RowAddressSet>> search() {
    StepMetrics.Span span = metrics.begin();
    try {
      outcome = lookUp.search();
      return outcome.rows();
    } finally {
      span.end();
    }
  }

  @Override
  public RowBatch run(Morsel morsel) {
    metrics.passed(morsel.offsets().rows());
    return new RowBatch(morsel.fragment(), morsel.offsets(), columns.size());
  }
}
