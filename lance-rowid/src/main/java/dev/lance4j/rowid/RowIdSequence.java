package dev.lance4j.rowid;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.rowid.internal.SegmentEncoder;
import dev.lance4j.rowid.internal.SegmentMessages;
import dev.lance4j.rowid.internal.SegmentSelection;
import dev.lance4j.rowid.internal.SequenceBuilder;
import dev.lance4j.rowid.internal.U64Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * The stable row ids of a fragment: one for each of its physical rows, in their order. A deleted
 * row keeps its place. Ids in runs or in order take a few bytes or bits each. Immutable.
 *
 * <p>Offsets count from 0 and include deleted rows; an offset beyond the sequence is refused with
 * {@link InvalidInputException} unless a method says otherwise.
 */
public final class RowIdSequence {
  /** The sequence without rows. */
  public static final RowIdSequence EMPTY = new RowIdSequence(List.of());

  private static final int OBJECT_BYTES = 48;
  private static final int ITERATOR_BATCH = 256;

  private final List<U64Segment> segments;
  // The offset after the last row of each segment.
  private final long[] ends;

  private RowIdSequence(List<U64Segment> segments) {
    this.segments = List.copyOf(segments);
    this.ends = new long[segments.size()];
    long length = 0;
    for (int i = 0; i < ends.length; i++) {
      length += segments.get(i).length();
      ends[i] = length;
    }
  }

  /**
   * The sequence of these ids.
   *
   * @throws InvalidInputException if an id is repeated
   */
  public static RowIdSequence of(long... rowIds) {
    return builder().append(rowIds, 0, rowIds.length).build();
  }

  /**
   * The sequence of all ids from {@code start} (inclusive) to {@code end} (exclusive).
   *
   * @throws InvalidInputException if there are more than a fragment can have
   */
  public static RowIdSequence range(long start, long end) {
    if (Long.compareUnsigned(start, end) > 0
        || Long.compareUnsigned(end - start, RowAddress.LIMIT) > 0) {
      throw new InvalidInputException(
          "row ids from "
              + Long.toUnsignedString(start)
              + " to "
              + Long.toUnsignedString(end)
              + " are no range of at most 2^32");
    }
    return new RowIdSequence(List.of(U64Segment.range(start, end)));
  }

  /** An empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Puts a sequence together. */
  public static final class Builder {
    private final SequenceBuilder segments = new SequenceBuilder();

    private Builder() {}

    /**
     * Appends a part of an array.
     *
     * @throws InvalidInputException if an id is repeated in it
     */
    public Builder append(long[] rowIds, int from, int to) {
      long[] appended = Arrays.copyOfRange(rowIds, from, to);
      requireDistinct(appended);
      segments.extend(SegmentEncoder.encode(appended));
      return this;
    }

    /** Appends a sequence. */
    public Builder append(RowIdSequence sequence) {
      segments.extend(sequence.segments);
      return this;
    }

    /** The sequence of what was appended so far. */
    public RowIdSequence build() {
      return new RowIdSequence(segments.build());
    }

    private static void requireDistinct(long[] rowIds) {
      if (ascends(rowIds)) {
        return;
      }
      long[] sorted = rowIds.clone();
      Arrays.sort(sorted);
      for (int i = 1; i < sorted.length; i++) {
        if (sorted[i - 1] == sorted[i]) {
          throw new InvalidInputException(
              "row id " + Long.toUnsignedString(sorted[i]) + " is repeated: ids must be distinct");
        }
      }
    }

    private static boolean ascends(long[] rowIds) {
      for (int i = 1; i < rowIds.length; i++) {
        if (Long.compareUnsigned(rowIds[i - 1], rowIds[i]) >= 0) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Parses a serialised sequence.
   *
   * @param path where the bytes are from, for errors
   * @throws CorruptFileException if the bytes are no sequence, or one too long for a fragment
   */
  public static RowIdSequence parse(ByteString bytes, String path) {
    var message = message(bytes, path);
    List<U64Segment> segments = new ArrayList<>(message.getSegmentsCount());
    long length = 0;
    for (var segment : message.getSegmentsList()) {
      U64Segment parsed = SegmentMessages.parse(segment, path);
      segments.add(parsed);
      length += parsed.length();
      if (length > RowAddress.LIMIT) {
        throw new CorruptFileException(
            path, -1, "a row id sequence has more ids than the 2^32 rows that a fragment can have");
      }
    }
    return new RowIdSequence(segments);
  }

  private static dev.lance4j.format.proto.rowids.RowIdSequence message(
      ByteString bytes, String path) {
    try {
      return dev.lance4j.format.proto.rowids.RowIdSequence.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, "not a row id sequence: " + e.getMessage(), e);
    }
  }

  /** The serialised sequence. */
  public ByteString toByteString() {
    var message = dev.lance4j.format.proto.rowids.RowIdSequence.newBuilder();
    for (U64Segment segment : segments) {
      message.addSegments(SegmentMessages.toMessage(segment));
    }
    return message.build().toByteString();
  }

  /** The number of rows, deleted ones included. */
  public long length() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** The stable row id of the row at an offset. */
  public long rowId(long offset) {
    requireRange(offset, 1);
    int segment = segmentAt(offset);
    return segments.get(segment).get(offset - start(segment));
  }

  /** The offset of the first row with a stable row id, or -1. */
  public long offset(long rowId) {
    for (int i = 0; i < ends.length; i++) {
      long position = segments.get(i).position(rowId);
      if (position >= 0) {
        return start(i) + position;
      }
    }
    return -1;
  }

  private long start(int segment) {
    return segment == 0 ? 0 : ends[segment - 1];
  }

  // The segment that has the row; those without rows are passed over.
  private int segmentAt(long offset) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] > offset) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void requireRange(long offset, long length) {
    if (offset < 0 || length < 0 || offset > length() - length) {
      throw new InvalidInputException(
          "rows "
              + offset
              + " to "
              + (offset + length)
              + " are out of bounds for a sequence of "
              + length()
              + " row ids");
    }
  }

  /** Copies the ids of {@code count} rows, from an offset on, to a position of an array. */
  public void copy(long offset, int count, long[] target, int at) {
    requireRange(offset, count);
    int copied = 0;
    for (int i = segmentAt(offset); copied < count; i++) {
      long from = offset + copied - start(i);
      int part = (int) Math.min(count - copied, segments.get(i).length() - from);
      segments.get(i).copy(from, part, target, at + copied);
      copied += part;
    }
  }

  /** All ids; for sequences that are known to be short. */
  public long[] toArray() {
    long[] rowIds = new long[Math.toIntExact(length())];
    copy(0, rowIds.length, rowIds, 0);
    return rowIds;
  }

  /** The ids in the order of the rows, without boxing when asked for by {@code nextLong}. */
  public PrimitiveIterator.OfLong iterator() {
    return new Ids();
  }

  private final class Ids implements PrimitiveIterator.OfLong {
    private final long[] batch = new long[ITERATOR_BATCH];
    private int position;
    private int size;
    private long copied;

    @Override
    public boolean hasNext() {
      return position < size || copied < length();
    }

    @Override
    public long nextLong() {
      if (position == size) {
        if (copied == length()) {
          throw new NoSuchElementException();
        }
        size = (int) Math.min(batch.length, length() - copied);
        copy(copied, size, batch, 0);
        copied += size;
        position = 0;
      }
      return batch[position++];
    }
  }

  /**
   * The ids at some offsets; those beyond the sequence are left out.
   *
   * @param sortedOffsets ascending; an offset may be repeated
   */
  public long[] select(long[] sortedOffsets) {
    long[] rowIds = new long[sortedOffsets.length];
    int n = 0;
    int segment = 0;
    for (int i = 0; i < sortedOffsets.length; i++) {
      long offset = sortedOffsets[i];
      if (offset < 0 || (i > 0 && offset < sortedOffsets[i - 1])) {
        throw new InvalidInputException("row offset " + offset + " is not in ascending order");
      }
      while (segment < ends.length && ends[segment] <= offset) {
        segment++;
      }
      if (segment == ends.length) {
        break;
      }
      rowIds[n++] = segments.get(segment).get(offset - start(segment));
    }
    return Arrays.copyOf(rowIds, n);
  }

  /** The ids at some offsets, in the order of the offsets. */
  public long[] rowIds(long[] offsets) {
    long[] rowIds = new long[offsets.length];
    for (int i = 0; i < offsets.length; i++) {
      rowIds[i] = rowId(offsets[i]);
    }
    return rowIds;
  }

  /** This sequence and then another. */
  public RowIdSequence extend(RowIdSequence that) {
    return builder().append(this).append(that).build();
  }

  /** The ids of a range of rows. */
  public RowIdSequence slice(long offset, long length) {
    requireRange(offset, length);
    SequenceBuilder slice = new SequenceBuilder();
    long end = offset + length;
    for (int i = segmentAt(offset); i < ends.length && start(i) < end; i++) {
      long from = Math.max(offset, start(i));
      long to = Math.min(end, ends[i]);
      if (from < to) {
        slice.extend(segments.get(i).slice(from - start(i), to - from));
      }
    }
    return new RowIdSequence(slice.build());
  }

  /** The sequence without the rows at some offsets, such as those of the deleted rows. */
  public RowIdSequence mask(RoaringBitmap offsets) {
    return without(offsets, false);
  }

  /** The sequence without some ids; those that it does not have are ignored. */
  public RowIdSequence delete(RowIdSet rowIds) {
    return without(offsets(RowMask.allow(rowIds)), true);
  }

  private RowIdSequence without(RoaringBitmap offsets, boolean resort) {
    if (!offsets.isEmpty()) {
      requireRange(Integer.toUnsignedLong(offsets.last()), 1);
    }
    List<U64Segment> kept = new ArrayList<>(segments.size());
    PeekableIntIterator next = offsets.getIntIterator();
    for (int i = 0; i < ends.length; i++) {
      U64Segment segment = segments.get(i);
      long[] positions = new long[(int) offsets.rangeCardinality(start(i), ends[i])];
      for (int j = 0; j < positions.length; j++) {
        positions[j] = Integer.toUnsignedLong(next.next()) - start(i);
      }
      if (positions.length > 0) {
        segment = resort ? segment.delete(positions) : segment.mask(positions);
      }
      if (segment.length() > 0) {
        kept.add(segment);
      }
    }
    return new RowIdSequence(kept);
  }

  /**
   * Cuts the concatenation of sequences into pieces.
   *
   * @param lengths the number of rows of each piece
   * @param allowIncomplete whether there may be fewer ids than the pieces have rows, so that the
   *     last ones are short
   * @throws InvalidInputException if there are more ids than rows, or fewer and that is not allowed
   */
  public static List<RowIdSequence> rechunk(
      List<RowIdSequence> sequences, long[] lengths, boolean allowIncomplete) {
    RowIdSequence all = new RowIdSequence(concatenate(sequences));
    List<RowIdSequence> pieces = new ArrayList<>(lengths.length);
    long offset = 0;
    for (long length : lengths) {
      long available = Math.min(length, all.length() - offset);
      if (length < 0 || (available < length && !allowIncomplete)) {
        throw new InvalidInputException(
            "there are too few row ids: " + all.length() + " for " + rows(lengths) + " rows");
      }
      pieces.add(all.slice(offset, available));
      offset += available;
    }
    if (offset < all.length()) {
      throw new InvalidInputException(
          "there are too many row ids: " + all.length() + " for " + rows(lengths) + " rows");
    }
    return pieces;
  }

  private static List<U64Segment> concatenate(List<RowIdSequence> sequences) {
    List<U64Segment> all = new ArrayList<>();
    for (RowIdSequence sequence : sequences) {
      all.addAll(sequence.segments);
    }
    return all;
  }

  private static long rows(long[] lengths) {
    return Arrays.stream(lengths).sum();
  }

  /**
   * Completes the ids of a new fragment: after those that rows have brought along come fresh ones.
   *
   * @param physicalRows the number of rows in the fragment
   * @param nextRowId the first id that was never given to a row; the fresh ids start with it
   * @throws InvalidInputException if there are more ids than rows, or if one of them was never
   *     given out
   */
  public RowIdSequence fill(long physicalRows, long nextRowId) {
    long given = length();
    if (given > physicalRows) {
      throw new InvalidInputException(
          "a fragment has " + given + " row ids but only " + physicalRows + " physical rows");
    }
    requireGivenOut(nextRowId);
    if (given == physicalRows && given > 0) {
      return this;
    }
    long fresh = physicalRows - given;
    RowIdSequence added = range(nextRowId, nextRowId + fresh);
    if (given == 0) {
      return added;
    }
    long[] rowIds = Arrays.copyOf(toArray(), Math.toIntExact(physicalRows));
    added.copy(0, (int) fresh, rowIds, (int) given);
    return of(rowIds);
  }

  /**
   * Checks that all ids were given to rows before.
   *
   * @param nextRowId the first id that was never given to a row
   * @throws InvalidInputException if one of them was not
   */
  public void requireGivenOut(long nextRowId) {
    for (U64Segment segment : segments) {
      if (segment.length() > 0 && Long.compareUnsigned(segment.max(), nextRowId) >= 0) {
        throw new InvalidInputException(
            "row id "
                + Long.toUnsignedString(segment.max())
                + " was never given to a row: the next row id of the table is "
                + Long.toUnsignedString(nextRowId)
                + ". Leave out the ids of new rows, they are assigned by the commit.");
      }
    }
  }

  /** All ids as a set. */
  public RowIdSet ids() {
    RowIdSet.Builder ids = RowIdSet.builder();
    for (U64Segment segment : segments) {
      SegmentSelection.addAll(segment, ids.words);
    }
    return ids.build();
  }

  /** The ids of the rows that are left when some are deleted. */
  public RowIdSet liveIds(RoaringBitmap deletedOffsets) {
    return mask(deletedOffsets).ids();
  }

  /** The offsets of the rows whose ids a mask selects. */
  public RoaringBitmap offsets(RowMask<RowIdSet> mask) {
    RoaringBitmap offsets = new RoaringBitmap();
    for (int i = 0; i < ends.length; i++) {
      SegmentSelection selection =
          new SegmentSelection(segments.get(i), mask.rows().words(), mask.allows());
      selection.addOffsets(start(i), offsets);
    }
    return offsets;
  }

  /** Bytes of memory. */
  public long memoryBytes() {
    long bytes = OBJECT_BYTES + 8L * ends.length;
    for (U64Segment segment : segments) {
      bytes += Integer.BYTES + segment.memoryBytes();
    }
    return bytes;
  }

  List<U64Segment> segments() {
    return segments;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowIdSequence that && segments.equals(that.segments);
  }

  @Override
  public int hashCode() {
    return segments.hashCode();
  }

  @Override
  public String toString() {
    return "RowIdSequence[" + length() + " ids in " + ends.length + " segments]";
  }
}
