package dev.lance4j.rowid.internal;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.rowids.U64Segment.Range;
import dev.lance4j.format.proto.rowids.U64Segment.RangeWithBitmap;
import dev.lance4j.format.proto.rowids.U64Segment.RangeWithHoles;
import dev.lance4j.rowid.RowAddress;

/** Segments as messages. */
public final class SegmentMessages {
  private final String path;

  private SegmentMessages(String path) {
    this.path = path;
  }

  /**
   * Parses a segment.
   *
   * @param path where the message is from, for errors
   * @throws CorruptFileException if the message has no form or contradicts itself
   */
  public static U64Segment parse(dev.lance4j.format.proto.rowids.U64Segment message, String path) {
    SegmentMessages messages = new SegmentMessages(path);
    return switch (message.getSegmentCase()) {
      case RANGE -> messages.range(message.getRange());
      case RANGE_WITH_HOLES -> messages.rangeWithHoles(message.getRangeWithHoles());
      case RANGE_WITH_BITMAP -> messages.rangeWithBitmap(message.getRangeWithBitmap());
      case SORTED_ARRAY -> messages.sortedArray(message.getSortedArray());
      case ARRAY -> new ArraySegment(EncodedU64Array.parse(message.getArray(), path));
      case SEGMENT_NOT_SET ->
          throw messages.corrupt("a segment of row ids has no form: the segment type is missing");
    };
  }

  private U64Segment range(Range message) {
    slots(message.getStart(), message.getEnd(), 0);
    return new RangeSegment(message.getStart(), message.getEnd());
  }

  private U64Segment rangeWithHoles(RangeWithHoles message) {
    if (!message.hasHoles()) {
      throw corrupt("a range of row ids with holes has no holes");
    }
    long start = message.getStart();
    long end = message.getEnd();
    EncodedU64Array holes = EncodedU64Array.parse(message.getHoles(), path);
    slots(start, end, holes.length());
    if (!holes.ascends()) {
      throw corrupt("the holes of a range of row ids do not ascend");
    }
    if (holes.length() > 0
        && (Long.compareUnsigned(holes.get(0), start) < 0
            || Long.compareUnsigned(holes.get(holes.length() - 1), end) >= 0)) {
      throw corrupt("a hole is outside of its range of row ids, " + range(start, end));
    }
    return new RangeWithHolesSegment(start, end, holes);
  }

  private U64Segment rangeWithBitmap(RangeWithBitmap message) {
    ByteString bitmap = message.getBitmap();
    long slots = message.getEnd() - message.getStart();
    boolean fits =
        Long.compareUnsigned(message.getStart(), message.getEnd()) <= 0
            && Long.compareUnsigned(slots, bitmap.size() * 8L) <= 0
            && (slots + 7) / 8 == bitmap.size();
    if (!fits) {
      throw corrupt(
          "a bitmap of "
              + bitmap.size()
              + " bytes does not fit its range of row ids, "
              + range(message.getStart(), message.getEnd()));
    }
    return new RangeWithBitmapSegment(message.getStart(), RankedBits.parse(bitmap, slots));
  }

  private U64Segment sortedArray(dev.lance4j.format.proto.rowids.EncodedU64Array message) {
    EncodedU64Array values = EncodedU64Array.parse(message, path);
    if (!values.ascends()) {
      throw corrupt("a sorted array of row ids does not ascend");
    }
    return new SortedArraySegment(values);
  }

  private void slots(long start, long end, int holes) {
    long slots = end - start;
    if (Long.compareUnsigned(start, end) > 0
        || Long.compareUnsigned(slots, RowAddress.LIMIT + holes) > 0) {
      throw corrupt(
          "a fragment has at most 2^32 rows, but a segment has the range " + range(start, end));
    }
  }

  private static String range(long start, long end) {
    return Long.toUnsignedString(start) + " to " + Long.toUnsignedString(end);
  }

  private CorruptFileException corrupt(String message) {
    return new CorruptFileException(path, -1, message);
  }

  /** The message of a segment. */
  public static dev.lance4j.format.proto.rowids.U64Segment toMessage(U64Segment segment) {
    var message = dev.lance4j.format.proto.rowids.U64Segment.newBuilder();
    if (segment instanceof RangeSegment range) {
      message.setRange(Range.newBuilder().setStart(range.start()).setEnd(range.end()));
    } else if (segment instanceof RangeWithHolesSegment range) {
      message.setRangeWithHoles(
          RangeWithHoles.newBuilder()
              .setStart(range.start())
              .setEnd(range.end())
              .setHoles(range.holes().toMessage()));
    } else if (segment instanceof RangeWithBitmapSegment range) {
      message.setRangeWithBitmap(
          RangeWithBitmap.newBuilder()
              .setStart(range.start())
              .setEnd(range.start() + range.bits().size())
              .setBitmap(range.bits().toByteString()));
    } else if (segment instanceof SortedArraySegment array) {
      message.setSortedArray(array.values().toMessage());
    } else {
      ArraySegment array = (ArraySegment) segment;
      message.setArray(array.values().toMessage());
    }
    return message.build();
  }
}
