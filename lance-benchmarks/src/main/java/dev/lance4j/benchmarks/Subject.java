package dev.lance4j.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;

/** What is compared, and how much slower or faster than the real library Lance4j is meant to be. */
enum Subject {
  OPEN("Open the newest version and count its rows", OpenBenchmark.class, Reads.TABLE, 0.5),
  TAKE("Take 10 random rows of an open table", TakeBenchmark.class, Reads.TABLE, 0.33),
  TAKE_ROWS(
      "Take 1,000 random rows by stable row id, a fifth of them updated",
      TakeRowsBenchmark.class,
      Reads.NOTHING,
      0.33),
  TAKE_SIZES("Take random rows", TakeBenchmark.class, Reads.SIZES, 0.5),
  FILTER("Filter", FilterBenchmark.class, Reads.FILTERS, 1.0),
  COUNT("Count", CountBenchmark.class, Reads.FILTERS, 1.0),
  SCAN("Read all rows", ScanBenchmark.class, Reads.TABLE, 1.0),
  WRITE("Write all rows", WriteBenchmark.class, Reads.NOTHING, 1.5),
  APPEND("Append one row 100 times", AppendBenchmark.class, Reads.NOTHING, 0.33),
  COMMIT_TIMES("Append one row", CommitBenchmark.class, Reads.HISTORIES, Double.NaN),
  DELETE("Delete 1 % of the rows by a filter", DeleteBenchmark.class, Reads.NOTHING, 1.0),
  UPDATE(
      "Update 1 % of the rows by a filter; the real library: by a merge",
      UpdateBenchmark.class, Reads.NOTHING, 1.0),
  MERGE("Merge 1 % of the rows, half of them new", MergeBenchmark.class, Reads.NOTHING, 1.0),
  MERGE_SUBSET(
      "Merge a column's values of 10 % of the rows",
      SubsetMergeBenchmark.class, Reads.NOTHING, 1.0),
  COMPACT("Make one fragment", CompactBenchmark.class, Reads.FRAGMENTS, 1.0),
  INDEX_BUILD("Build an index", IndexBuildBenchmark.class, Reads.INDICES, 1.0),
  INDEX_SEARCH("Find rows through an index", IndexSearchBenchmark.class, Reads.LOOKUPS, 0.5),
  VECTOR_BUILD("Build a vector index", VectorBuildBenchmark.class, Reads.VECTORS, 1.0),
  VECTOR_SEARCH("Find the nearest 10 rows", VectorSearchBenchmark.class, Reads.VECTORS, 0.5),
  VECTOR_THROUGHPUT(
      "Find the nearest 10 rows by two threads at once",
      VectorThroughputBenchmark.class,
      Reads.VECTORS,
      1.0),
  VECTOR_EXACT(
      "Find the nearest 10 rows without an index",
      VectorSearchBenchmark.class,
      Reads.ALL_VECTORS,
      1.0),
  COLUMNS_SCAN("Read all values", ColumnScanBenchmark.class, Reads.COLUMNS, 1.0),
  COLUMNS_TAKE("Take 1,000 random values", ColumnTakeBenchmark.class, Reads.COLUMNS, 0.5);

  /** What a subject reads that another library may have written. */
  enum Reads {
    /** The table of {@link SampleRows}. */
    TABLE,
    /** Some rows of the table, few and many, open or not. */
    SIZES,
    /** The rows of the table that fulfil a {@link SampleFilter}, open or not. */
    FILTERS,
    /** A table in a thousand fragments and one in two, with indices and without. */
    FRAGMENTS,
    /** Tables of one row with many versions, and tables of many fragments. */
    HISTORIES,
    /** A table without an index, for each {@link SampleIndex}. */
    INDICES,
    /** The rows of a table with indices that fulfil a {@link SampleLookup}. */
    LOOKUPS,
    /** Tables of vectors, for each {@link SampleVectorIndex} and size. */
    VECTORS,
    /** Tables of vectors of each size, without an index. */
    ALL_VECTORS,
    /** A table for each {@link dev.lance4j.format.testing.SampleColumn}. */
    COLUMNS,
    /** Only what it writes itself. */
    NOTHING
  }

  private final String title;
  private final Class<? extends TableBenchmark> benchmark;
  private final Reads reads;
  private final double target;

  Subject(String title, Class<? extends TableBenchmark> benchmark, Reads reads, double target) {
    this.title = title;
    this.benchmark = benchmark;
    this.reads = reads;
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

  Reads reads() {
    return reads;
  }

  /** The highest wanted ratio of the time of Lance4j to that of the real library. */
  OptionalDouble target() {
    return Double.isNaN(target) ? OptionalDouble.empty() : OptionalDouble.of(target);
  }
}
