package dev.lance4j.index;

import dev.lance4j.format.InvalidInputException;

/**
 * An index that finds rows by the values of a column that is no vector. The defaults are those of
 * the format's first implementation.
 */
public sealed interface ScalarIndexSpec extends IndexSpec {
  /** Sorted pages of values: finds equal values and ranges, for columns of many values. */
  static BTree btree() {
    return new BTree(BTree.DEFAULT_ROWS_PER_PAGE);
  }

  /** A set of rows for each value: for columns of few values. */
  static Bitmap bitmap() {
    return new Bitmap();
  }

  /** A set of rows for each item of lists. */
  static LabelList labelList() {
    return new LabelList();
  }

  /** The least and greatest value of each stretch of rows: small, for columns that rise or fall. */
  static ZoneMap zoneMap() {
    return new ZoneMap(ZoneMap.DEFAULT_ROWS_PER_ZONE);
  }

  /** A Bloom filter for each stretch of rows: finds equal values that are rare. */
  static BloomFilter bloomFilter() {
    return new BloomFilter(BloomFilter.DEFAULT_ROWS_PER_ZONE, BloomFilter.DEFAULT_PROBABILITY);
  }

  private static int positive(String name, int value) {
    if (value <= 0) {
      throw new InvalidInputException(name + " must be greater than zero, but is " + value);
    }
    return value;
  }

  /**
   * See {@link #btree}.
   *
   * @param rowsPerPage how many values a page holds, the unit in which the index is read
   */
  record BTree(int rowsPerPage) implements ScalarIndexSpec {
    /** The number of values of a page unless asked otherwise. */
    public static final int DEFAULT_ROWS_PER_PAGE = 4096;

    public BTree {
      positive("rowsPerPage", rowsPerPage);
    }

    /** The same with other pages. */
    public BTree withRowsPerPage(int rows) {
      return new BTree(rows);
    }
  }

  /** See {@link #bitmap}. */
  record Bitmap() implements ScalarIndexSpec {}

  /** See {@link #labelList}. */
  record LabelList() implements ScalarIndexSpec {}

  /**
   * See {@link #zoneMap}.
   *
   * @param rowsPerZone how many live rows a zone holds
   */
  record ZoneMap(int rowsPerZone) implements ScalarIndexSpec {
    /** The number of rows of a zone unless asked otherwise. */
    public static final int DEFAULT_ROWS_PER_ZONE = 8192;

    public ZoneMap {
      positive("rowsPerZone", rowsPerZone);
    }

    /** The same with other zones. */
    public ZoneMap withRowsPerZone(int rows) {
      return new ZoneMap(rows);
    }
  }

  /**
   * See {@link #bloomFilter}.
   *
   * @param rowsPerZone how many live rows a filter is for
   * @param probability of a filter saying that it holds a value that it does not, from 0 inclusive
   *     to 1 exclusive
   */
  record BloomFilter(int rowsPerZone, double probability) implements ScalarIndexSpec {
    /** The number of rows of a filter unless asked otherwise. */
    public static final int DEFAULT_ROWS_PER_ZONE = 8192;

    /** The probability unless asked otherwise. */
    public static final double DEFAULT_PROBABILITY = 0.00057;

    public BloomFilter {
      positive("rowsPerZone", rowsPerZone);
      if (!(probability >= 0 && probability < 1)) {
        throw new InvalidInputException(
            "probability must be at least 0 and less than 1, but is " + probability);
      }
    }

    /** The same with other zones. */
    public BloomFilter withRowsPerZone(int rows) {
      return new BloomFilter(rows, probability);
    }

    /** The same with another probability of false hits. */
    public BloomFilter withProbability(double falseHits) {
      return new BloomFilter(rowsPerZone, falseHits);
    }
  }
}
