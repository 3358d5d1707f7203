package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.index.internal.query.ValueText;

/** The first and the last value of each page of a file. Immutable. */
final class PageLookup {
  /** What statistics say in place of a value if there is none. */
  static final String NO_VALUE = "N/A";

  private final PageFile file;
  private final Keys min;
  private final Keys max;
  private final long nulls;
  private final int pageStatistic;
  private final String minText;
  private final String maxText;

  private PageLookup(PageFile file, ArrayData first, ArrayData last, long nulls) {
    this.file = file;
    this.nulls = nulls;
    KeyType type = file.keyType();
    int pages = file.bounds().pages();
    int firstMin = pages - valid(first);
    int firstMax = pages - valid(last);
    this.min = type.keys(first, firstMin, pages);
    this.max = type.keys(last, firstMax, pages);
    this.pageStatistic = pageStatistic(firstMin - firstMax);
    boolean empty = firstMax == pages;
    this.minText = empty ? NO_VALUE : ValueText.of(file.values(), first, firstMax);
    this.maxText = empty ? NO_VALUE : ValueText.of(file.values(), last, pages - 1);
  }

  private static int valid(ArrayData values) {
    return values.length() - values.nullCount();
  }

  /**
   * The lookup of a file.
   *
   * @param first the first value of each page
   * @param last the last value of each page
   * @param nullCounts the number of nulls in each page
   * @throws dev.lance4j.format.CorruptFileException if the pages cannot be in order
   */
  static PageLookup of(PageFile file, ArrayData first, ArrayData last, long[] nullCounts) {
    long nulls = 0;
    for (long count : nullCounts) {
      nulls += count;
    }
    PageBounds bounds = file.bounds();
    for (int page = 0; page < bounds.pages(); page++) {
      long rows = bounds.end(page) - bounds.start(page);
      long before = Math.max(0, nulls - bounds.start(page));
      if (nullCounts[page] != Math.min(rows, before)
          || first.isValid(page) != (before == 0)
          || last.isValid(page) != (before < rows)) {
        throw file.corrupt("the nulls of page " + page + " are not before all values");
      }
    }
    PageLookup lookup = new PageLookup(file, first, last, nulls);
    lookup.requireOrder();
    return lookup;
  }

  private void requireOrder() {
    int behind = max.size() - min.size();
    for (int i = 0; i < min.size(); i++) {
      boolean ordered =
          min.compare(i, max, i + behind) <= 0
              && (i + behind == 0 || max.compare(i + behind - 1, min, i) <= 0);
      if (!ordered) {
        throw file.corrupt("the pages of the index are not in the order of their values");
      }
    }
  }

  /**
   * The size of the tree in which release 7.0.0 keeps pages: it has an entry for each value that
   * begins a page, and one for the last value of all.
   *
   * @param nullFirst 1 if a page begins with nulls and ends with a value, else 0
   */
  private int pageStatistic(int nullFirst) {
    int distinct = nullFirst;
    for (int i = 0; i < min.size(); i++) {
      distinct += i == 0 || min.compare(i - 1, min, i) != 0 ? 1 : 0;
    }
    if (max.size() == 0) {
      return 0;
    }
    boolean lastBegins = min.size() > 0 && max.compare(max.size() - 1, min, min.size() - 1) == 0;
    return lastBegins ? distinct : distinct + 1;
  }

  /** The number of rows without a value, which come first. */
  long nulls() {
    return nulls;
  }

  /** The first page with a value that is not below another one; the number of pages if none. */
  int pageAtLeast(SearchKey value) {
    return file.bounds().pages() - max.size() + max.firstAtLeast(value);
  }

  /** The first page with a value that is above another one; the number of pages if none. */
  int pageAbove(SearchKey value) {
    return file.bounds().pages() - max.size() + max.firstAbove(value);
  }

  /** Whether all that a page holds is not below a value. */
  boolean isAtLeast(int page, SearchKey value) {
    return firstMin(page) >= min.firstAtLeast(value);
  }

  /** Whether all that a page holds is above a value. */
  boolean isAbove(int page, SearchKey value) {
    return firstMin(page) >= min.firstAbove(value);
  }

  /** The place of a page among those that begin with a value; negative if it begins with nulls. */
  private int firstMin(int page) {
    int index = page - (file.bounds().pages() - min.size());
    return index < 0 ? -1 : index;
  }

  /** Whether a page's values begin and end as is said here. */
  boolean fits(int page, Keys values) {
    int atMin = firstMin(page);
    int atMax = page - (file.bounds().pages() - max.size());
    if (atMax < 0) {
      return values.size() == 0;
    }
    return values.size() > 0
        && (atMin < 0 || values.compare(0, min, atMin) == 0)
        && values.compare(values.size() - 1, max, atMax) == 0;
  }

  /** The number of pages as statistics give it. */
  int pageStatistic() {
    return pageStatistic;
  }

  /** The least value, for people to read. */
  String minText() {
    return minText;
  }

  /** The greatest value, for people to read. */
  String maxText() {
    return maxText;
  }

  long memoryBytes() {
    return min.memoryBytes() + max.memoryBytes();
  }
}
