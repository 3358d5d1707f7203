package dev.lance4j.index.internal.scalar;

import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.rowid.RowSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import org.apache.arrow.memory.BufferAllocator;
import org.roaringbitmap.RoaringBitmap;

/**
 * An open segment of a scalar index. Immutable and safe for use by many threads.
 *
 * @param <S> the sets of rows as the segment names them
 */
public interface ScalarSegment<S extends RowSet<S>> extends AutoCloseable {
  /**
   * Finds rows. They are as they are stored: some may have been deleted, changed or moved since.
   *
   * @param query one that the {@linkplain ScalarKind#support kind supports}
   * @param allocator for what is read; nothing of it is kept
   * @throws dev.lance4j.format.CorruptFileException if the files are damaged
   */
  SegmentAnswer<S> search(ScalarQuery query, BufferAllocator allocator);

  /**
   * About how many rows a search would find, if that is known with much less work.
   *
   * @param query one that the {@linkplain ScalarKind#support kind supports}
   * @param allocator for what is read; nothing of it is kept
   * @throws dev.lance4j.format.CorruptFileException if the files are damaged
   */
  default OptionalLong estimate(ScalarQuery query, BufferAllocator allocator) {
    return OptionalLong.empty();
  }

  /**
   * The fragments that the segment can answer for.
   *
   * @param claimed those that the table says it covers; must not be changed
   * @param hasDeletions whether rows of the fragment with an id are deleted
   */
  default RoaringBitmap answersFor(RoaringBitmap claimed, IntPredicate hasDeletions) {
    return claimed;
  }

  /** What statistics say of the segment: names and values of JSON. */
  Map<String, Object> statistics();

  /** About how many bytes of memory the segment takes. */
  long memoryBytes();

  @Override
  void close();
}
