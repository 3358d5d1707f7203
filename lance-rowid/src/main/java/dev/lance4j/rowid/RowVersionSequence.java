package dev.lance4j.rowid;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.proto.rowids.RowDatasetVersionRun;
import dev.lance4j.format.proto.rowids.RowDatasetVersionSequence;
import dev.lance4j.rowid.internal.SegmentMessages;
import dev.lance4j.rowid.internal.U64Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * A version of the table for each physical row of a fragment, deleted ones included: that in which
 * the row was created, or that in which it was updated last. Neighbours with the same version cost
 * no more than one row. Immutable.
 *
 * <p>Offsets count from 0 and include deleted rows; an offset beyond the sequence is refused with
 * {@link InvalidInputException}.
 */
public final class RowVersionSequence {
  /** The sequence without rows. */
  public static final RowVersionSequence EMPTY = builder().build();

  private static final int OBJECT_BYTES = 56;

  // The offset after the last row of each run, ascending.
  private final long[] ends;
  // Neighbours differ.
  private final long[] versions;

  private RowVersionSequence(long[] ends, long[] versions) {
    this.ends = ends;
    this.versions = versions;
  }

  /** The sequence of a fragment whose rows all have the same version. */
  public static RowVersionSequence uniform(long physicalRows, long version) {
    return builder().append(physicalRows, version).build();
  }

  /** The sequence of these versions. */
  public static RowVersionSequence of(long... versions) {
    Builder builder = builder();
    for (long version : versions) {
      builder.append(1, version);
    }
    return builder.build();
  }

  /** An empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Puts a sequence together. */
  public static final class Builder {
    private long[] ends = new long[4];
    private long[] versions = new long[4];
    private int runs;

    private Builder() {}

    /**
     * Appends rows with the same version.
     *
     * @throws InvalidInputException if there are more rows than a fragment can have
     */
    public Builder append(long rows, long version) {
      long end = (runs == 0 ? 0 : ends[runs - 1]) + rows;
      if (rows < 0 || rows > RowAddress.LIMIT || end > RowAddress.LIMIT) {
        throw new InvalidInputException(
            "a fragment has at most 2^32 rows, but there are versions for " + end);
      }
      if (rows == 0) {
        return this;
      }
      if (runs > 0 && versions[runs - 1] == version) {
        ends[runs - 1] = end;
        return this;
      }
      if (runs == ends.length) {
        ends = Arrays.copyOf(ends, 2 * runs);
        versions = Arrays.copyOf(versions, 2 * runs);
      }
      ends[runs] = end;
      versions[runs] = version;
      runs++;
      return this;
    }

    /** Appends a range of rows of a sequence. */
    public Builder append(RowVersionSequence sequence, long offset, long length) {
      sequence.requireRange(offset, length);
      long end = offset + length;
      for (int run = sequence.runAt(offset); offset < end; run++) {
        long runEnd = Math.min(end, sequence.ends[run]);
        append(runEnd - offset, sequence.versions[run]);
        offset = runEnd;
      }
      return this;
    }

    /** The sequence of what was appended so far. */
    public RowVersionSequence build() {
      return new RowVersionSequence(Arrays.copyOf(ends, runs), Arrays.copyOf(versions, runs));
    }
  }

  /**
   * Parses a serialised sequence.
   *
   * @param path where the bytes are from, for errors
   * @throws CorruptFileException if the bytes are no sequence, or one too long for a fragment
   */
  public static RowVersionSequence parse(ByteString bytes, String path) {
    Builder builder = builder();
    long rows = 0;
    for (RowDatasetVersionRun run : message(bytes, path).getRunsList()) {
      if (!run.hasSpan()) {
        throw new CorruptFileException(
            path, -1, "a run of row versions does not say how long it is");
      }
      long length = SegmentMessages.parse(run.getSpan(), path).length();
      rows += length;
      if (rows > RowAddress.LIMIT) {
        throw new CorruptFileException(
            path, -1, "there are versions for more than the 2^32 rows that a fragment can have");
      }
      builder.append(length, run.getVersion());
    }
    return builder.build();
  }

  private static RowDatasetVersionSequence message(ByteString bytes, String path) {
    try {
      return RowDatasetVersionSequence.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, "not a row version sequence: " + e.getMessage(), e);
    }
  }

  /** The serialised sequence. */
  public ByteString toByteString() {
    RowDatasetVersionSequence.Builder message = RowDatasetVersionSequence.newBuilder();
    for (int i = 0; i < ends.length; i++) {
      U64Segment span = U64Segment.range(start(i), ends[i]);
      message.addRuns(
          RowDatasetVersionRun.newBuilder()
              .setSpan(SegmentMessages.toMessage(span))
              .setVersion(versions[i]));
    }
    return message.build().toByteString();
  }

  /** The number of rows, deleted ones included. */
  public long length() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** The version of the row at an offset. */
  public long version(long offset) {
    requireRange(offset, 1);
    return versions[runAt(offset)];
  }

  private long start(int run) {
    return run == 0 ? 0 : ends[run - 1];
  }

  private int runAt(long offset) {
    int index = Arrays.binarySearch(ends, offset + 1);
    return index < 0 ? -index - 1 : index;
  }

  private void requireRange(long offset, long length) {
    if (offset < 0 || length < 0 || offset > length() - length) {
      throw new InvalidInputException(
          "rows "
              + offset
              + " to "
              + (offset + length)
              + " are out of bounds for the versions of "
              + length()
              + " rows");
    }
  }

  /** Copies the versions of {@code count} rows, from an offset on, to a position of an array. */
  public void copy(long offset, int count, long[] target, int at) {
    requireRange(offset, count);
    int copied = 0;
    for (int run = runAt(offset); copied < count; run++) {
      int part = (int) Math.min(count - copied, ends[run] - offset - copied);
      Arrays.fill(target, at + copied, at + copied + part, versions[run]);
      copied += part;
    }
  }

  /**
   * The offsets of the rows whose version lies in a range.
   *
   * @param after the version before the first of the range
   * @param last the last of the range
   */
  public RoaringBitmap offsets(long after, long last) {
    RoaringBitmap offsets = new RoaringBitmap();
    for (int i = 0; i < ends.length; i++) {
      if (Long.compareUnsigned(versions[i], after) > 0
          && Long.compareUnsigned(versions[i], last) <= 0) {
        offsets.add(start(i), ends[i]);
      }
    }
    return offsets;
  }

  /** This sequence and then another. */
  public RowVersionSequence extend(RowVersionSequence that) {
    return builder().append(this, 0, length()).append(that, 0, that.length()).build();
  }

  /** The versions of a range of rows. */
  public RowVersionSequence slice(long offset, long length) {
    return builder().append(this, offset, length).build();
  }

  /** The versions without those of the rows at some offsets, such as those of the deleted rows. */
  public RowVersionSequence mask(RoaringBitmap offsets) {
    requireContains(offsets);
    Builder kept = builder();
    for (int i = 0; i < ends.length; i++) {
      long dropped = offsets.rangeCardinality(start(i), ends[i]);
      kept.append(ends[i] - start(i) - dropped, versions[i]);
    }
    return kept.build();
  }

  /** The versions with those of the rows at some offsets set anew. */
  public RowVersionSequence withVersion(RoaringBitmap offsets, long version) {
    requireContains(offsets);
    Builder changed = builder();
    long offset = 0;
    while (offset < length()) {
      long next = following(offsets.nextValue((int) offset));
      changed.append(this, offset, next - offset);
      if (next == length()) {
        break;
      }
      offset = following(offsets.nextAbsentValue((int) next));
      changed.append(offset - next, version);
    }
    return changed.build();
  }

  // What a bitmap says about the next offset, where a negative number stands for none.
  private long following(long offset) {
    return offset < 0 ? length() : Math.min(offset, length());
  }

  private void requireContains(RoaringBitmap offsets) {
    if (!offsets.isEmpty()) {
      requireRange(Integer.toUnsignedLong(offsets.last()), 1);
    }
  }

  /**
   * Cuts the concatenation of sequences into pieces.
   *
   * @param lengths the number of rows of each piece
   * @throws InvalidInputException if there are more or fewer versions than the pieces have rows
   */
  public static List<RowVersionSequence> rechunk(
      List<RowVersionSequence> sequences, long[] lengths) {
    long available = sequences.stream().mapToLong(RowVersionSequence::length).sum();
    long wanted = Arrays.stream(lengths).sum();
    if (available != wanted) {
      throw new InvalidInputException(
          "there are versions for " + available + " rows, but " + wanted + " rows");
    }
    List<RowVersionSequence> pieces = new ArrayList<>(lengths.length);
    int sequence = 0;
    long offset = 0;
    for (long length : lengths) {
      Builder piece = builder();
      for (long left = length; left > 0; ) {
        long part = Math.min(left, sequences.get(sequence).length() - offset);
        piece.append(sequences.get(sequence), offset, part);
        left -= part;
        offset += part;
        if (offset == sequences.get(sequence).length()) {
          sequence++;
          offset = 0;
        }
      }
      pieces.add(piece.build());
    }
    return pieces;
  }

  /** Bytes of memory. */
  public long memoryBytes() {
    return OBJECT_BYTES + 16L * ends.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowVersionSequence that
        && Arrays.equals(ends, that.ends)
        && Arrays.equals(versions, that.versions);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ends) * 31 + Arrays.hashCode(versions);
  }

  @Override
  public String toString() {
    return "RowVersionSequence[" + length() + " rows in " + ends.length + " runs]";
  }
}
