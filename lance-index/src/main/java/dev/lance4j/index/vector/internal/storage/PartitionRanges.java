package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.index.IndexProto.IVF;

/**
 * Which rows of a file are those of each partition.
 *
 * @param offsets the first row of each
 * @param lengths the number of rows of each
 */
public record PartitionRanges(long[] offsets, int[] lengths) {
  /** The ranges of partitions that follow each other from row 0 on. */
  public static PartitionRanges ofLengths(int[] lengths) {
    long[] offsets = new long[lengths.length];
    for (int p = 1; p < lengths.length; p++) {
      offsets[p] = offsets[p - 1] + lengths[p - 1];
    }
    return new PartitionRanges(offsets, lengths);
  }

  /**
   * Reads ranges, which must lie inside a file.
   *
   * @param rows of the file
   */
  static PartitionRanges read(IVF message, long rows, String path) {
    int count = message.getLengthsCount();
    int[] lengths = new int[count];
    for (int p = 0; p < count; p++) {
      lengths[p] = message.getLengths(p);
      if (lengths[p] < 0) {
        throw new CorruptFileException(path, -1, "partition " + p + " claims more than 2^31 rows");
      }
    }
    if (message.getOffsetsCount() != 0 && message.getOffsetsCount() != count) {
      throw new CorruptFileException(
          path, -1, count + " partitions have " + message.getOffsetsCount() + " offsets");
    }
    PartitionRanges ranges = ofLengths(lengths);
    for (int p = 0; p < message.getOffsetsCount(); p++) {
      ranges.offsets[p] = message.getOffsets(p);
    }
    for (int p = 0; p < count; p++) {
      long offset = ranges.offsets[p];
      if (offset < 0 || offset > rows || lengths[p] > rows - offset) {
        throw new CorruptFileException(
            path,
            -1,
            String.format(
                "partition %d has rows %d to %d, but the file has %d",
                p, offset, offset + lengths[p], rows));
      }
    }
    return ranges;
  }

  /** The number of partitions. */
  public int count() {
    return lengths.length;
  }

  /** The number of rows of all partitions. */
  public long rows() {
    long rows = 0;
    for (int length : lengths) {
      rows += length;
    }
    return rows;
  }

  /** Starts the message of them. */
  public IVF.Builder message() {
    IVF.Builder message = IVF.newBuilder();
    for (int p = 0; p < lengths.length; p++) {
      message.addOffsets(offsets[p]).addLengths(lengths[p]);
    }
    return message;
  }
}
