package dev.lance4j.index.internal.scalar;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.IndexKind;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import org.apache.arrow.memory.BufferAllocator;

/** A kind of scalar index. Without state. */
public interface ScalarKind extends IndexKind {
  /** Whether a specification asks for this kind. */
  boolean builds(ScalarIndexSpec spec);

  /**
   * Checks that a column can be indexed.
   *
   * @throws dev.lance4j.format.InvalidInputException if not
   */
  void check(LanceField field);

  /** How segments name rows. */
  RowNumbers numbers();

  /** Whether a segment can be written with other row numbers, without the rows of the table. */
  boolean isRemappable();

  /**
   * What segments can say to a query.
   *
   * @param files of a segment, for kinds whose older segments know less
   */
  Support support(ScalarQuery query, SegmentFiles files);

  /**
   * Whether the rows of a segment can be taken over into a new one. Otherwise those of the
   * fragments that it covers must be read from the table again.
   */
  default boolean canTakeOver(SegmentFiles files) {
    return true;
  }

  /** The specification that a segment was built with. */
  ScalarIndexSpec settings(SegmentFiles files);

  /**
   * Writes a segment. With rows of the table only, an index is trained; with older segments only,
   * they are merged, or their row numbers translated; with both, the index is brought up to date.
   *
   * @param spec one that {@linkplain #builds asks for} this kind
   */
  void write(SegmentInput input, ScalarIndexSpec spec, SegmentWriter out);

  /**
   * Opens a segment.
   *
   * @param rows how its rows are named
   * @param allocator for what is read; nothing of it is kept
   * @throws dev.lance4j.format.CorruptFileException if it is damaged
   */
  <S extends RowSet<S>> ScalarSegment<S> open(
      SegmentFiles files, RowDomain<S> rows, BufferAllocator allocator);
}
