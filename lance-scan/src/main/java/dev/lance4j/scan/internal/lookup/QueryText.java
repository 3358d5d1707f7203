package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Queries as people read them. */
final class QueryText {
  private static final int LISTED = 5;

  private QueryText() {}

  static String of(List<String> column, ScalarQuery query) {
    String name = FieldPath.format(column);
    if (query instanceof ScalarQuery.Equals equals) {
      return name + " = " + equals.value();
    } else if (query instanceof ScalarQuery.In in) {
      return name + " IN (" + list(in.values(), false) + ")";
    } else if (query instanceof ScalarQuery.Range range) {
      return range(name, range);
    } else if (query instanceof ScalarQuery.HasAny any) {
      return "array_has_any(" + name + ", [" + list(any.items(), any.nullToo()) + "])";
    } else if (query instanceof ScalarQuery.HasAll all) {
      return "array_has_all(" + name + ", [" + list(all.items(), all.nullToo()) + "])";
    }
    return name + " IS NULL";
  }

  private static String range(String name, ScalarQuery.Range range) {
    List<String> ends = new ArrayList<>(2);
    range.lower().ifPresent(end -> ends.add(name + end(" >", end)));
    range.upper().ifPresent(end -> ends.add(name + end(" <", end)));
    return String.join(" AND ", ends);
  }

  private static String end(String operator, ScalarQuery.Bound bound) {
    return operator + (bound.inclusive() ? "= " : " ") + bound.value();
  }

  private static String list(List<ScalarValue> values, boolean nullToo) {
    String listed =
        values.stream().limit(LISTED).map(ScalarValue::toString).collect(Collectors.joining(", "));
    String more = values.size() > LISTED ? ", … " + values.size() + " values" : "";
    return listed + more + (nullToo ? (values.isEmpty() ? "NULL" : ", NULL") : "");
  }
}
