package dev.lance4j.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The conditions by which rows of {@link SampleRows} are chosen. */
public enum SampleFilter {
  /** One row of 100,000. */
  SELECTIVE {
    @Override
    String condition(long rows) {
      return "score < 0.00001";
    }

    @Override
    boolean test(long row, long rows) {
      return SampleRows.score(row) < 0.00001;
    }
  },
  /** A tenth of the rows. */
  MIDDLING {
    @Override
    String condition(long rows) {
      return "score < 0.1";
    }

    @Override
    boolean test(long row, long rows) {
      return SampleRows.score(row) < 0.1;
    }
  },
  /** Nine of ten rows. */
  WIDE {
    @Override
    String condition(long rows) {
      return "score < 0.9";
    }

    @Override
    boolean test(long row, long rows) {
      return SampleRows.score(row) < 0.9;
    }
  },
  /** About a row of 1,000, by two words in a string. */
  LIKE {
    @Override
    String condition(long rows) {
      return "title LIKE '%harbour%thunder%'";
    }

    @Override
    boolean test(long row, long rows) {
      String title = title(row);
      int first = title.indexOf("harbour");
      return first >= 0 && title.indexOf("thunder", first + "harbour".length()) >= 0;
    }
  },
  /** About a row of 20, by one word in a string. */
  CONTAINS {
    @Override
    String condition(long rows) {
      return "title LIKE '%lantern%'";
    }

    @Override
    boolean test(long row, long rows) {
      return title(row).contains("lantern");
    }
  },
  /** A thousand rows by their numbers. */
  IN {
    @Override
    String condition(long rows) {
      return LongStream.range(0, MEMBERS)
          .mapToObj(i -> Long.toString(i * (rows / MEMBERS)))
          .collect(Collectors.joining(", ", "id IN (", ")"));
    }

    @Override
    boolean test(long row, long rows) {
      long step = rows / MEMBERS;
      return row % step == 0 && row / step < MEMBERS;
    }
  },
  /** About a row of 40, by four conditions on three columns. */
  CONJUNCTION {
    @Override
    String condition(long rows) {
      return "score >= 0.2 AND score < 0.7 AND id >= " + rows / 4 + " AND title LIKE 'm%'";
    }

    @Override
    boolean test(long row, long rows) {
      double score = SampleRows.score(row);
      return score >= 0.2 && score < 0.7 && row >= rows / 4 && title(row).startsWith("m");
    }
  };

  private static final long MEMBERS = 1_000;

  /** The condition in SQL, for a table of so many rows. */
  abstract String condition(long rows);

  /** Whether a row fulfils it. */
  abstract boolean test(long row, long rows);

  private static String title(long row) {
    return new String(SampleRows.title(row), US_ASCII);
  }

  /** What {@link Checksum} must give for the rows that fulfil it. */
  long checksum(long rows) {
    long checksum = 0;
    for (long row = 0; row < rows; row++) {
      if (test(row, rows)) {
        checksum = Checksum.next(checksum, SampleRows.rowChecksum(row));
      }
    }
    return checksum;
  }

  /** The number of rows that fulfil it. */
  long count(long rows) {
    return LongStream.range(0, rows).filter(row -> test(row, rows)).count();
  }
}
