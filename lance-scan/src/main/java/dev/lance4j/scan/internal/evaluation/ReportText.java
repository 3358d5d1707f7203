package dev.lance4j.scan.internal.evaluation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.scan.VectorReport;
import dev.lance4j.scan.VectorReport.Outcome;
import dev.lance4j.scan.VectorReport.Percentiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reports as text. */
public final class ReportText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportText() {}

  /** A table for people. */
  public static String table(VectorReport report) {
    int width = "configuration".length();
    for (Outcome outcome : report.outcomes()) {
      width = Math.max(width, outcome.name().length());
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "version %d, column %s, k = %d, %,d queries (%,d without a row to find), %,d index bytes"
                + " in %,d segments, %,d rows not indexed%n",
            report.version(),
            report.column(),
            report.k(),
            report.queries(),
            report.emptyQueries(),
            report.indexBytes(),
            report.segments(),
            report.rowsUnindexed()));
    String columns = "%-" + width + "s  %7s  %28s  %28s%n";
    text.append(
        String.format(
            Locale.ROOT,
            columns,
            "configuration",
            "recall",
            "warm ms (p50/p95/p99)",
            "cold ms (p50/p95/p99)"));
    for (Outcome outcome : report.outcomes()) {
      text.append(
          String.format(
              Locale.ROOT,
              columns,
              outcome.name(),
              String.format(Locale.ROOT, "%.4f", outcome.recall()),
              times(outcome.warm()),
              times(outcome.cold())));
    }
    return text.toString();
  }

  private static String times(Percentiles times) {
    return String.format(Locale.ROOT, "%.3f / %.3f / %.3f", times.p50(), times.p95(), times.p99());
  }

  /** Comma-separated values. */
  public static String csv(VectorReport report) {
    StringBuilder text =
        new StringBuilder(
            "configuration,recall,warm_p50_ms,warm_p95_ms,warm_p99_ms,cold_p50_ms,cold_p95_ms,"
                + "cold_p99_ms,k,queries,empty_queries,index_bytes,segments,rows_unindexed,"
                + "version\n");
    for (Outcome outcome : report.outcomes()) {
      text.append('"').append(outcome.name().replace("\"", "\"\"")).append('"');
      text.append(
          String.format(
              Locale.ROOT,
              ",%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%d,%d,%d,%d,%d,%d,%d\n",
              outcome.recall(),
              outcome.warm().p50(),
              outcome.warm().p95(),
              outcome.warm().p99(),
              outcome.cold().p50(),
              outcome.cold().p95(),
              outcome.cold().p99(),
              report.k(),
              report.queries(),
              report.emptyQueries(),
              report.indexBytes(),
              report.segments(),
              report.rowsUnindexed(),
              report.version()));
    }
    return text.toString();
  }

  /** JSON. */
  public static String json(VectorReport report) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("version", report.version());
    all.put("column", report.column());
    all.put("k", report.k());
    all.put("queries", report.queries());
    all.put("empty_queries", report.emptyQueries());
    all.put("index_bytes", report.indexBytes());
    all.put("segments", report.segments());
    all.put("rows_unindexed", report.rowsUnindexed());
    List<Map<String, Object>> outcomes = new ArrayList<>();
    for (Outcome outcome : report.outcomes()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("configuration", outcome.name());
      one.put("recall", outcome.recall());
      one.put("recalls", outcome.recalls());
      one.put("warm_ms", percentiles(outcome.warm()));
      one.put("cold_ms", percentiles(outcome.cold()));
      outcomes.add(one);
    }
    all.put("outcomes", outcomes);
    try {
      return JSON.writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report holds plain values", e);
    }
  }

  private static Map<String, Object> percentiles(Percentiles times) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("p50", times.p50());
    all.put("p95", times.p95());
    all.put("p99", times.p99());
    return all;
  }
}
