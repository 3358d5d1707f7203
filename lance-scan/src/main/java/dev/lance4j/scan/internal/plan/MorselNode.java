package dev.lance4j.scan.internal.plan;

import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.RowBatch;

/** A step that reads or chooses rows of a morsel. Safe for use by many threads. */
public interface MorselNode extends PlanNode {
  /**
   * The rows that are left of a morsel, with what was read of them; owned by the caller.
   *
   * @param morsel stays the caller's
   */
  RowBatch run(Morsel morsel);
}
