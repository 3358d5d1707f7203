package dev.lance4j.index.internal.scalar;

import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Queries for values of a column. */
public final class RandomQueries {
  private final NaiveColumn column;
  private final SplittableRandom random;

  public RandomQueries(NaiveColumn column, SplittableRandom random) {
    this.column = column;
    this.random = random;
  }

  /** Some queries of each kind that an index of sorted values answers. */
  public List<ScalarQuery> some(int ofEach) {
    List<ScalarQuery> queries = new ArrayList<>();
    queries.add(new ScalarQuery.IsNull());
    queries.add(new ScalarQuery.Range(Optional.empty(), Optional.empty()));
    queries.add(new ScalarQuery.In(List.of()));
    for (int i = 0; i < ofEach; i++) {
      value().map(ScalarQuery.Equals::new).ifPresent(queries::add);
      queries.add(new ScalarQuery.Range(bound(), bound()));
      queries.add(in());
    }
    return queries;
  }

  private ScalarQuery in() {
    List<ScalarValue> values = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      value().ifPresent(values::add);
    }
    return new ScalarQuery.In(values);
  }

  private Optional<ScalarQuery.Bound> bound() {
    return random.nextInt(5) == 0
        ? Optional.empty()
        : value().map(value -> new ScalarQuery.Bound(value, random.nextBoolean()));
  }

  private Optional<ScalarValue> value() {
    return Optional.ofNullable(column.value(random.nextInt(column.size())));
  }
}
