package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** A step that gives batches in order. */
public interface BatchNode extends PlanNode {
  /** The schema of the batches. */
  Schema schema();

  /** Starts the work, once. What is opened must be closed, also when it failed. */
  ArrayBatchReader.Source open();
}
