package dev.lance4j.table.internal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The fragments of a manifest and the bytes that its message has of them. Most commits leave most
 * fragments alone; their bytes go to the next manifest as they are.
 */
final class EncodedFragments {
  /** No fragments. */
  static final EncodedFragments NONE =
      new EncodedFragments(List.of(), ByteBuffer.allocate(0), new int[] {0});

  private static final int TAG =
      TableProto.Manifest.FRAGMENTS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final List<FragmentMetadata> fragments;
  private final ByteBuffer message;
  // Where the bytes of each fragment start, its tag included, and then where those of the last end.
  private final int[] starts;

  private EncodedFragments(List<FragmentMetadata> fragments, ByteBuffer message, int[] starts) {
    this.fragments = fragments;
    this.message = message;
    this.starts = starts;
  }

  /**
   * Finds the bytes of fragments.
   *
   * @param fragments those that the message was read as, or made of
   * @param message the message of the manifest
   * @return none if other fields lie between the fragments, as no known writer has it
   */
  static EncodedFragments of(List<FragmentMetadata> fragments, ByteBuffer message) {
    int[] starts = new int[fragments.size() + 1];
    int count = 0;
    try {
      CodedInputStream in = CodedInputStream.newInstance(message.duplicate());
      int start = 0;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == TAG) {
          boolean contiguous = count == 0 || starts[count] == start;
          if (count == fragments.size() || !contiguous) {
            return NONE;
          }
          starts[count++] = start;
        }
        in.skipField(tag);
        start = in.getTotalBytesRead();
        if (tag == TAG) {
          starts[count] = start;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return count == fragments.size() ? new EncodedFragments(fragments, message, starts) : NONE;
  }

  /** The bytes that the message of a manifest with some fragments has of them, in parts. */
  List<ByteBuffer> encode(List<FragmentMetadata> next) {
    List<ByteBuffer> parts = new ArrayList<>();
    int known = 0;
    int runStart = 0;
    int runEnd = 0;
    for (FragmentMetadata fragment : next) {
      known = advance(known, fragment);
      boolean same = known < fragments.size() && fragments.get(known).equals(fragment);
      if (!same || known != runEnd) {
        addRun(parts, runStart, runEnd);
        runStart = known;
        runEnd = known;
      }
      if (same) {
        runEnd = ++known;
      } else {
        parts.add(encode(fragment));
      }
    }
    addRun(parts, runStart, runEnd);
    return parts;
  }

  /** The next one, from one on, that may be a fragment; both are mostly in the order of ids. */
  private int advance(int from, FragmentMetadata fragment) {
    int at = from;
    while (at < fragments.size() && isBefore(fragments.get(at), fragment)) {
      at++;
    }
    return at;
  }

  private static boolean isBefore(FragmentMetadata old, FragmentMetadata fragment) {
    return old.id() < fragment.id() || (old.id() == fragment.id() && !old.equals(fragment));
  }

  private void addRun(List<ByteBuffer> parts, int start, int end) {
    if (end > start) {
      parts.add(message.slice(starts[start], starts[end] - starts[start]));
    }
  }

  private static ByteBuffer encode(FragmentMetadata fragment) {
    byte[] bytes = ManifestFile.toBytes(FragmentMessages.toMessage(fragment));
    ByteBuffer part =
        ByteBuffer.allocate(
            CodedOutputStream.computeUInt32SizeNoTag(TAG)
                + CodedOutputStream.computeUInt32SizeNoTag(bytes.length)
                + bytes.length);
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(part);
      out.writeUInt32NoTag(TAG);
      out.writeByteArrayNoTag(bytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return part.flip();
  }
}
