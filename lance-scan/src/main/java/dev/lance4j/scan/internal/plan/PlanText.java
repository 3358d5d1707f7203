package dev.lance4j.scan.internal.plan;

import dev.lance4j.scan.ScanMetrics;
import java.util.ArrayList;
import java.util.List;

/** Plans for people to read. */
public final class PlanText {
  private PlanText() {}

  /** One line for each step, what it takes rows from below it and indented. */
  public static String explain(PlanNode plan) {
    StringBuilder text = new StringBuilder();
    append(plan, 0, text);
    return text.toString();
  }

  private static void append(PlanNode node, int depth, StringBuilder text) {
    text.append("  ".repeat(depth)).append(node.describe()).append('\n');
    node.inputs().forEach(input -> append(input, depth + 1, text));
  }

  /** What each step did so far, in the same order. */
  public static List<ScanMetrics.Step> steps(PlanNode plan) {
    List<ScanMetrics.Step> steps = new ArrayList<>();
    append(plan, 0, steps);
    return steps;
  }

  private static void append(PlanNode node, int depth, List<ScanMetrics.Step> steps) {
    StepMetrics did = node.metrics();
    steps.add(
        new ScanMetrics.Step(
            node.describe(),
            depth,
            did.rows(),
            did.batches(),
            did.requests(),
            did.bytes(),
            did.spilledBytes(),
            did.nanos()));
    node.inputs().forEach(input -> append(input, depth + 1, steps));
  }
}
