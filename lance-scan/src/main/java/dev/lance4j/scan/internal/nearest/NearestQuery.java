package dev.lance4j.scan.internal.nearest;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.scan.VectorQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * A query for nearest rows, bound to a table.
 *
 * @param asked as the user gave it
 * @param column whose vectors are searched
 * @param queries each of one vector, or where a row has a list of them, of several
 */
public record NearestQuery(
    VectorQuery asked, SearchedColumn column, List<List<QueryVector>> queries) {
  /** The column of distances. */
  public static final String DISTANCE = "_distance";

  private static final String QUERY_INDEX = "query_index";

  public NearestQuery {
    queries = List.copyOf(queries);
  }

  /**
   * Binds a query.
   *
   * @throws InvalidInputException if there is no such column, or the query does not fit it
   * @throws SchemaMismatchException if it is not a column of vectors
   */
  public static NearestQuery bind(VectorQuery query, LanceSchema table) {
    SearchedColumn column = SearchedColumn.named(table, query.column());
    query.metric().ifPresent(column::check);
    List<QueryVector> vectors = new ArrayList<>();
    if (query.numbers() == null) {
      query.bytes().forEach(bytes -> vectors.add(column.query(bytes)));
    } else {
      query.numbers().forEach(numbers -> vectors.add(QueryVector.of(numbers)));
    }
    vectors.forEach(vector -> check(vector, column));
    return new NearestQuery(
        query,
        column,
        column.vectors().isMulti() ? List.of(vectors) : vectors.stream().map(List::of).toList());
  }

  private static void check(QueryVector vector, SearchedColumn column) {
    try {
      vector.check(column.vectors().dimension(), column.vectors().element().isBits());
    } catch (InvalidInputException e) {
      throw new InvalidInputException(
          "Nearest rows by column '" + column.name() + "': " + e.getMessage(), e);
    }
  }

  /** The metric where no index decides it. */
  public Metric exactMetric() {
    return asked.metric().orElse(column.defaultMetric());
  }

  /** Whether the rows of several queries are told apart. */
  public boolean isBatch() {
    return queries.size() > 1;
  }

  /** The columns that the search adds to those of the table. */
  public List<Field> found() {
    Field distance =
        new Field(
            DISTANCE,
            FieldType.nullable(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
            null);
    FieldType number = new FieldType(false, new ArrowType.Int(Integer.SIZE, true), null, Map.of());
    return isBatch() ? List.of(new Field(QUERY_INDEX, number, null), distance) : List.of(distance);
  }

  /** Whether a distance is in the range that was asked for. */
  public boolean isInRange(float distance) {
    boolean unbounded = asked.upper() == Float.POSITIVE_INFINITY;
    return distance >= asked.lower() && (distance < asked.upper() || unbounded);
  }
}
