package dev.lance4j.scan.internal.plan;

import java.util.List;

/** Something that whoever reads the plan should know. Does nothing. */
record NoteNode(String note, StepMetrics metrics) implements PlanNode {
  NoteNode(String note) {
    this(note, new StepMetrics());
  }

  @Override
  public String describe() {
    return "Note: " + note;
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of();
  }
}
