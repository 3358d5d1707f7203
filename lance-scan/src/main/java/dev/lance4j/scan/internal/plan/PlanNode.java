package dev.lance4j.scan.internal.plan;

import java.util.List;

/**
 * A step of a plan. There are steps that work on {@linkplain MorselNode one morsel} at a time, on
 * any thread, and steps that give {@linkplain BatchNode batches} in order to one reader.
 */
public interface PlanNode {
  /** What the step does, in one line. */
  String describe();

  /** The steps whose rows it takes. */
  List<PlanNode> inputs();

  /** What it did so far. */
  StepMetrics metrics();
}
