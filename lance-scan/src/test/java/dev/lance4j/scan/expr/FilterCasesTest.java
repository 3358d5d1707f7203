package dev.lance4j.scan.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lance4j.format.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filters with the answers of the real library: the same rows, or an error where it has one, but
 * for the deliberate differences listed beside this test and in {@code docs/differences.md}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterCasesTest {
  private FilterTable table;

  /** One filter; the rows are null if an error is expected. */
  record Case(String id, String filter, List<Integer> rows) {
    @Override
    public String toString() {
      return id + ": " + filter;
    }
  }

  @BeforeAll
  void open() throws IOException {
    table = FilterTable.open();
  }

  @AfterAll
  void close() throws IOException {
    table.close();
  }

  static Stream<Case> sample() throws IOException {
    return cases(lines("filter-sample.tsv")).stream();
  }

  @ParameterizedTest
  @MethodSource
  void sample(Case expected) {
    check(expected);
  }

  /** All cases, if the folder with them is there; otherwise one that says so. */
  static Stream<Case> all() throws IOException {
    Path file = Path.of(System.getProperty("lance4j.spec", ""), "filter-cases.tsv");
    if (!Files.isRegularFile(file)) {
      return Stream.of(new Case("none", "", null));
    }
    Map<String, Case> differences = new HashMap<>();
    for (String line :
        lines("filter-differences.tsv").subList(1, lines("filter-differences.tsv").size())) {
      String[] fields = line.split("\t", -1);
      differences.put(fields[0], new Case(fields[0], "", rows(fields[1], fields[2])));
    }
    return cases(Files.readAllLines(file)).stream()
        .map(
            known -> {
              Case ours = differences.get(known.id());
              return ours == null ? known : new Case(known.id(), known.filter(), ours.rows());
            });
  }

  @ParameterizedTest
  @MethodSource
  void all(Case expected) {
    assumeTrue(
        !expected.id().equals("none"), "The file filter-cases.tsv is not there: set lance4j.spec");
    check(expected);
  }

  private void check(Case expected) {
    if (expected.rows() == null) {
      assertThatThrownBy(() -> table.select(expected.filter()))
          .isInstanceOf(InvalidInputException.class);
    } else {
      assertThat(table.select(expected.filter())).isEqualTo(expected.rows());
    }
  }

  private static List<String> lines(String resource) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                FilterCasesTest.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      return in.lines().toList();
    }
  }

  private static List<Case> cases(List<String> lines) {
    List<Case> cases = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split("\t", -1);
      cases.add(new Case(fields[0], unescape(fields[2]), rows(fields[3], fields[4])));
    }
    return cases;
  }

  private static List<Integer> rows(String outcome, String ids) {
    if (!outcome.equals("ROWS")) {
      return null;
    }
    return ids.isEmpty() ? List.of() : Stream.of(ids.split(",", -1)).map(Integer::valueOf).toList();
  }

  private static String unescape(String text) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        result.append(c == 't' ? '\t' : c == 'n' ? '\n' : c);
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }
}
