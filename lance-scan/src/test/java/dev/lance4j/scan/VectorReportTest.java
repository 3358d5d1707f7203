package dev.lance4j.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.scan.VectorReport.Outcome;
import dev.lance4j.scan.VectorReport.Percentiles;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class VectorReportTest {
  private static Outcome outcome(String name, double recall, double millis) {
    Percentiles cold = new Percentiles(10 * millis, 20 * millis, 30 * millis);
    return new Outcome(
        name, List.of(recall), cold, new Percentiles(millis, 2 * millis, 3 * millis));
  }

  private static VectorReport report(Outcome... outcomes) {
    return new VectorReport(7, "v", 10, 1, 2, 4096, 3, 50, List.of(outcomes));
  }

  private static final VectorReport REPORT =
      report(
          outcome("1 probe", 0.5, 1),
          outcome("8 \"probes\", <refined>", 0.9, 4),
          outcome("slow", 0.8, 5));

  @Test
  void theFrontierLeavesOutWhatIsSlowerAndNotBetter() {
    assertThat(REPORT.frontier())
        .extracting(Outcome::name)
        .containsExactly("1 probe", "8 \"probes\", <refined>");
  }

  @Property
  void theFrontierHasSomethingAsGoodAsEachOutcome(
      @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0, max = 1) Double> values) {
    Outcome[] outcomes = new Outcome[values.size()];
    for (int i = 0; i < outcomes.length; i++) {
      outcomes[i] = outcome("c" + i, values.get(i), 1 + values.get((i + 1) % outcomes.length));
    }
    List<Outcome> frontier = report(outcomes).frontier();
    for (Outcome each : outcomes) {
      assertThat(frontier)
          .anyMatch(
              best -> best.recall() >= each.recall() && best.warm().p50() <= each.warm().p50());
    }
  }

  @Test
  void theMeanIsTakenOverQueriesThatHaveRowsToFind() {
    Percentiles times = new Percentiles(1, 1, 1);
    assertThat(new Outcome("a", List.of(1.0, 0.5, 0.0), times, times).recall())
        .isCloseTo(0.5, within(1e-12));
  }

  @Test
  void jsonHasAllThatWasMeasured() throws Exception {
    JsonNode json = new ObjectMapper().readTree(REPORT.toJson());
    assertThat(json.get("version").asLong()).isEqualTo(7);
    assertThat(json.get("empty_queries").asInt()).isEqualTo(2);
    assertThat(json.get("index_bytes").asLong()).isEqualTo(4096);
    assertThat(json.get("segments").asInt()).isEqualTo(3);
    assertThat(json.get("rows_unindexed").asLong()).isEqualTo(50);
    JsonNode second = json.get("outcomes").get(1);
    assertThat(second.get("configuration").asText()).isEqualTo("8 \"probes\", <refined>");
    assertThat(second.get("recall").asDouble()).isEqualTo(0.9);
    assertThat(second.get("warm_ms").get("p95").asDouble()).isEqualTo(8);
    assertThat(second.get("cold_ms").get("p99").asDouble()).isEqualTo(120);
  }

  @Test
  void csvHasALineForEachConfigurationAndQuotesNames() {
    List<String> lines = REPORT.toCsv().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("configuration,recall,warm_p50_ms");
    assertThat(lines.get(2)).startsWith("\"8 \"\"probes\"\", <refined>\",0.900000,4.000000");
    assertThat(lines.get(1).split(",", -1)).hasSameSizeAs(lines.get(0).split(",", -1));
  }

  @Test
  void thePictureIsWellFormedAndHasAPointForEachConfiguration() throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(REPORT.toSvg())));
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(3);
    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(1);
    assertThat(REPORT.toSvg()).contains("8 \"probes\", &lt;refined&gt;");
  }

  @Test
  void theTableNamesConfigurationsWithTheirFigures() {
    assertThat(REPORT.toTable())
        .contains("k = 10, 1 queries (2 without a row to find)")
        .contains("1 probe")
        .contains("0.5000")
        .contains("4.000 / 8.000 / 12.000");
  }
}
