package dev.lance4j.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;

/** What is compared, and how much slower or faster than the real library Lance4j is meant to be. */
enum Subject {
  OPEN("Open the newest version and count its rows", OpenBenchmark.class, true, 0.5),
  TAKE("Take 10 random rows of an open table", TakeBenchmark.class, true, 0.33),
  TAKE_ROWS(
      "Take 1,000 random rows by stable row id, a fifth of them updated",
      TakeRowsBenchmark.class,
      false,
      0.33),
  SCAN("Read all rows", ScanBenchmark.class, true, 1.0),
  WRITE("Write all rows", WriteBenchmark.class, false, 1.5),
  APPEND("Append one row 100 times", AppendBenchmark.class, false, 0.33);

  private final String title;
  private final Class<? extends TableBenchmark> benchmark;
  private final boolean readsTable;
  private final double target;

  Subject(
      String title, Class<? extends TableBenchmark> benchmark, boolean readsTable, double target) {
    this.title = title;
    this.benchmark = benchmark;
    this.readsTable = readsTable;
    this.target = target;
  }

  static Subject named(String name) {
    return valueOf(name.trim().toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  String title() {
    return title;
  }

  Class<? extends TableBenchmark> benchmark() {
    return benchmark;
  }

  /** Whether it depends on the library that wrote the table. */
  boolean readsTable() {
    return readsTable;
  }

  /** The highest wanted ratio of the time of Lance4j to that of the real library. */
  OptionalDouble target() {
    return Double.isNaN(target) ? OptionalDouble.empty() : OptionalDouble.of(target);
  }
}
