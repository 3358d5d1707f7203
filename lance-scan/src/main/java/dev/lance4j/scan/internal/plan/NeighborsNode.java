package dev.lance4j.scan.internal.plan;

import dev.lance4j.index.vector.Neighbors;
import java.util.List;

/** A step that finds rows near to the vectors of queries. */
interface NeighborsNode extends PlanNode {
  /** The rows of each query by their ids, the nearest first. */
  List<Neighbors> find();
}
