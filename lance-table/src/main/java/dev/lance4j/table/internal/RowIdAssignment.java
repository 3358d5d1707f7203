package dev.lance4j.table.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.SequenceLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Gives the rows of new fragments stable ids and versions. */
final class RowIdAssignment {
  private static final int MAX_MESSAGE = 64;
  private static final int SEGMENTS = 1;
  private static final int RANGE = 1;
  private static final int START = 1;
  private static final int END = 2;
  private static final int RUNS = 1;
  private static final int SPAN = 1;
  private static final int VERSION = 2;

  private final long version;
  private long nextRowId;

  /**
   * @param nextRowId the first id that is free
   * @param version the version that is being built
   */
  RowIdAssignment(long nextRowId, long version) {
    this.nextRowId = nextRowId;
    this.version = version;
  }

  /** The first id that is still free. */
  long nextRowId() {
    return nextRowId;
  }

  /** The fragments with consecutive ids for their rows, which all appear in this version. */
  List<FragmentMetadata> assign(List<FragmentMetadata> fragments) {
    List<FragmentMetadata> assigned = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      if (fragment.rowIds().isPresent()) {
        throw new InvalidInputException(
            "A new fragment has row ids already; leave them out, the commit assigns them");
      }
      long rows = fragment.physicalRows();
      SequenceLocation versions = inline(versions(rows, version));
      assigned.add(
          fragment
              .withRowIds(inline(ids(nextRowId, nextRowId + rows)))
              .withRowVersions(versions, versions));
      nextRowId += rows;
    }
    return assigned;
  }

  private static SequenceLocation inline(ByteString bytes) {
    return new SequenceLocation.Inline(bytes);
  }

  /** The {@code RowIdSequence} with one range. */
  private static ByteString ids(long start, long end) {
    return nested(SEGMENTS, range(start, end));
  }

  /** The {@code RowDatasetVersionSequence} with one run. */
  private static ByteString versions(long rows, long version) {
    ByteString span = nested(SPAN, range(0, rows));
    return nested(RUNS, span.concat(number(VERSION, version)));
  }

  /** The {@code U64Segment} that is a range. */
  private static ByteString range(long start, long end) {
    return nested(RANGE, number(START, start).concat(number(END, end)));
  }

  private static ByteString number(int field, long value) {
    return value == 0 ? ByteString.EMPTY : message(out -> out.writeUInt64(field, value));
  }

  private static ByteString nested(int field, ByteString bytes) {
    return message(out -> out.writeBytes(field, bytes));
  }

  private static ByteString message(Writer writer) {
    ByteString.Output bytes = ByteString.newOutput(MAX_MESSAGE);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      writer.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteString();
  }

  @FunctionalInterface
  private interface Writer {
    void write(CodedOutputStream out) throws IOException;
  }
}
