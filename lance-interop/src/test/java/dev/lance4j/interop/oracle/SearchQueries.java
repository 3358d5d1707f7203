package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lance.index.DistanceType;
import org.lance.ipc.FullTextQuery;
import org.lance.ipc.FullTextQuery.BooleanClause;
import org.lance.ipc.FullTextQuery.Occur;
import org.lance.ipc.FullTextQuery.Operator;
import org.lance.ipc.Query;

/** Vector and text queries from JSON. */
final class SearchQueries {
  private SearchQueries() {}

  static Query nearest(JsonNode json) {
    Query.Builder query =
        new Query.Builder()
            .setColumn(json.get("column").asText())
            .setKey(OracleContext.floats(json.get("key")))
            .setK(json.path("k").asInt(10))
            .setUseIndex(json.path("useIndex").asBoolean(true));
    if (json.has("minProbes")) {
      query.setMinimumNprobes(json.get("minProbes").asInt());
    }
    if (json.has("maxProbes")) {
      query.setMaximumNprobes(json.get("maxProbes").asInt());
    }
    if (json.has("ef")) {
      query.setEf(json.get("ef").asInt());
    }
    if (json.has("refine")) {
      query.setRefineFactor(json.get("refine").asInt());
    }
    if (json.has("metric")) {
      query.setDistanceType(DistanceType.valueOf(json.get("metric").asText()));
    }
    return query.build();
  }

  /** By {@code kind}: match, phrase, multiMatch, boost or boolean. */
  static FullTextQuery fullText(JsonNode json) {
    String kind = json.get("kind").asText();
    return switch (kind) {
      case "match" ->
          FullTextQuery.match(
              json.get("text").asText(),
              json.get("column").asText(),
              (float) json.path("boost").asDouble(1),
              json.has("fuzziness") ? Optional.of(json.get("fuzziness").asInt()) : Optional.empty(),
              json.path("maxExpansions").asInt(50),
              Operator.valueOf(json.path("operator").asText("OR")),
              json.path("prefixLength").asInt());
      case "phrase" ->
          FullTextQuery.phrase(
              json.get("text").asText(), json.get("column").asText(), json.path("slop").asInt());
      case "multiMatch" ->
          FullTextQuery.multiMatch(
              json.get("text").asText(), OracleContext.strings(json.get("columns")));
      case "boost" ->
          FullTextQuery.boost(
              fullText(json.get("positive")),
              fullText(json.get("negative")),
              (float) json.path("negativeBoost").asDouble(0.5));
      case "boolean" -> FullTextQuery.booleanQuery(clauses(json.get("clauses")));
      default -> throw new IllegalArgumentException("Unknown text query " + kind);
    };
  }

  private static List<BooleanClause> clauses(JsonNode array) {
    List<BooleanClause> clauses = new ArrayList<>();
    for (JsonNode clause : array) {
      Occur occur = Occur.valueOf(clause.get("occur").asText());
      clauses.add(new BooleanClause(occur, fullText(clause.get("query"))));
    }
    return clauses;
  }
}
