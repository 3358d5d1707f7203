package dev.lance4j.scan.internal.lookup;

import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.Support;
import java.util.List;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/** An index as scans use it: it finds rows by the values of one column. */
public interface FilterIndex {
  /** The path of the column, from a top-level column down. */
  List<String> column();

  /** The kind of index and its name, for people. */
  String describe();

  /**
   * What the index can say to a query.
   *
   * @throws dev.lance4j.format.CorruptFileException if the index is damaged
   */
  Support support(ScalarQuery query);

  /**
   * The fragments that it answers for; must not be changed.
   *
   * @throws dev.lance4j.format.CorruptFileException if the index is damaged
   */
  RoaringBitmap coverage();

  /**
   * About how many rows a search would find, if that is known with much less work.
   *
   * @throws dev.lance4j.format.CorruptFileException if the index is damaged
   */
  OptionalLong estimate(ScalarQuery query);

  /**
   * The rows of these fragments for which a query is true or null, deleted ones perhaps among them.
   *
   * @throws dev.lance4j.format.CorruptFileException if the index is damaged
   */
  RowAnswer search(ScalarQuery query);
}
