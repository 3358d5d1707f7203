package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.internal.search.TopRows;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.RowReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Measures the rows that a search found exactly, and keeps the nearest of them. */
final class RefineNode implements NeighborsNode {
  private final NeighborsNode input;
  private final NearestQuery query;
  private final List<OutputColumn> distances;
  private final LanceSchema table;
  private final Scan.Source source;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param distances to each of the queries
   */
  RefineNode(
      NeighborsNode input,
      NearestQuery query,
      List<OutputColumn> distances,
      LanceSchema table,
      Scan.Source source) {
    this.input = input;
    this.query = query;
    this.distances = distances;
    this.table = table;
    this.source = source;
  }

  @Override
  public String describe() {
    return "Measure " + ProjectNode.list(distances.subList(0, 1)) + " of candidates";
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
  public List<Neighbors> find() {
    List<Neighbors> candidates = input.find();
    List<Neighbors> refined = new ArrayList<>(candidates.size());
    for (int i = 0; i < candidates.size(); i++) {
      StepMetrics.Span span = metrics.begin();
      refined.add(measure(candidates.get(i).rowIds(), distances.get(i)));
      span.end(refined.get(i).size());
    }
    return refined;
  }

  private Neighbors measure(long[] candidates, OutputColumn distance) {
    // A segment of another writer may hold a row twice.
    long[] rowIds = Arrays.stream(candidates).distinct().toArray();
    TopRows top = new TopRows(query.asked().k());
    if (rowIds.length > 0) {
      RowReader rows = new RowReader(List.of(distance), table);
      long[] addresses = NearestNode.addresses(source, rowIds);
      try (ArrayBatch measured = new AddressReader(source, rows, false).read(addresses)) {
        for (int i = 0; i < rowIds.length; i++) {
          float exact = measured.arrays().get(0).buffer(1).getFloat((long) i * Float.BYTES);
          if (query.isInRange(exact)) {
            top.offer(exact, rowIds[i]);
          }
        }
      }
    }
    return NeighborLists.drain(top);
  }
}
