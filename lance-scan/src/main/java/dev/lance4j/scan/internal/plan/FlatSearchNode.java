package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.internal.search.TopRows;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Finds nearest rows among all whose distances are measured. */
final class FlatSearchNode implements NeighborsNode {
  private final BatchNode measured;
  private final NearestQuery query;
  private final Metric metric;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param measured gives for each row its distance to each query, and then its id
   */
  FlatSearchNode(BatchNode measured, NearestQuery query, Metric metric) {
    this.measured = measured;
    this.query = query;
    this.metric = metric;
  }

  @Override
  public String describe() {
    return "Search all vectors by " + metric;
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of(measured);
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public List<Neighbors> find() {
    List<TopRows> tops = new ArrayList<>();
    for (int i = 0; i < query.queries().size(); i++) {
      tops.add(new TopRows(query.asked().k()));
    }
    try (ArrayBatchReader.Source batches = measured.open()) {
      boolean more = true;
      while (more) {
        try (ArrayBatch batch = batches.next()) {
          more = batch != null;
          if (more) {
            offer(batch, tops);
          }
        }
      }
    }
    List<Neighbors> found = tops.stream().map(NeighborLists::drain).toList();
    found.forEach(rows -> metrics.passed(rows.size()));
    return found;
  }

  private void offer(ArrayBatch batch, List<TopRows> tops) {
    int rows = batch.rows();
    ByteBuffer rowIds = bytes(batch.arrays().get(tops.size()), rows * Long.BYTES);
    for (int q = 0; q < tops.size(); q++) {
      ByteBuffer distances = bytes(batch.arrays().get(q), rows * Float.BYTES);
      TopRows top = tops.get(q);
      // A distance that is not a number is never in the limit.
      float limit = top.limit();
      for (int i = 0; i < rows; i++) {
        float distance = distances.getFloat(i * Float.BYTES);
        if (distance <= limit && query.isInRange(distance)) {
          top.offer(distance, rowIds.getLong(i * Long.BYTES));
          limit = top.limit();
        }
      }
    }
  }

  private static ByteBuffer bytes(ArrayData values, int length) {
    return values.buffer(1).nioBuffer(0, length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
