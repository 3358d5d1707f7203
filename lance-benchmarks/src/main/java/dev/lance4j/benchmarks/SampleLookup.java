package dev.lance4j.benchmarks;

import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The conditions by which rows of {@link IndexRows} are found through an index. */
public enum SampleLookup {
  /** One row by its key. */
  EQUALITY {
    @Override
    String condition(long rows) {
      return "key = " + rows / 3;
    }

    @Override
    LongPredicate keys(long rows) {
      return key -> key == rows / 3;
    }
  },
  /** One of a thousand rows, by keys that follow each other. */
  RANGE {
    @Override
    String condition(long rows) {
      return "key >= " + rows / 2 + " AND key < " + (rows / 2 + rows / 1000);
    }

    @Override
    LongPredicate keys(long rows) {
      return key -> key >= rows / 2 && key < rows / 2 + rows / 1000;
    }
  },
  /** A hundred rows by their keys. */
  IN {
    @Override
    String condition(long rows) {
      return LongStream.range(0, MEMBERS)
          .mapToObj(i -> Long.toString(i * (rows / MEMBERS)))
          .collect(Collectors.joining(", ", "key IN (", ")"));
    }

    @Override
    LongPredicate keys(long rows) {
      long step = rows / MEMBERS;
      return key -> key % step == 0 && key / step < MEMBERS;
    }
  },
  /** About a hundredth of the rows by their category. */
  CATEGORY {
    @Override
    String condition(long rows) {
      return "category = 42";
    }

    @Override
    LongPredicate keys(long rows) {
      return key -> IndexRows.category(key) == 42;
    }
  };

  private static final long MEMBERS = 100;

  /** The condition in SQL, for a table of so many rows. */
  abstract String condition(long rows);

  /** Whether the row of a key fulfils it. */
  abstract LongPredicate keys(long rows);

  /** The checksum of the rows that fulfil it. */
  long checksum(long rows) {
    return LongStream.range(0, rows).filter(keys(rows)).map(IndexRows::rowChecksum).sum();
  }
}
