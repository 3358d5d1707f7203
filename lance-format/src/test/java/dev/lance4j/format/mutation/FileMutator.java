package dev.lance4j.format.mutation;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.lance4j.format.proto.file.FileDescriptor;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Damages a file: anywhere, or where it hurts most. */
final class FileMutator {
  private static final int FOOTER = 40;
  private static final int ENTRY = 16;

  private final byte[] file;
  private final SplittableRandom random;
  private final ByteBuffer bytes;
  private final boolean container;

  FileMutator(byte[] file, SplittableRandom random) {
    this.file = file;
    this.random = random;
    this.bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    // Files of version 0.1 have another footer.
    this.container = bytes.getShort(file.length - 8) != 0 || bytes.getShort(file.length - 6) != 2;
  }

  /** A damaged copy. */
  byte[] mutate() {
    return switch (random.nextInt(4)) {
      case 0 -> damage(0, file.length);
      case 1 -> damage(file.length - FOOTER, file.length);
      case 2 -> container ? damagePages() : damage(0, file.length);
      default -> container ? changeMessage() : damage(0, file.length);
    };
  }

  private byte[] damagePages() {
    int end = Math.toIntExact(bytes.getLong(file.length - FOOTER));
    return damage(0, Math.max(1, end));
  }

  private byte[] damage(int start, int end) {
    int at = random.nextInt(start, end);
    int length = 1 + random.nextInt(Math.min(64, end - at));
    byte[] copy = file.clone();
    switch (random.nextInt(6)) {
      case 0 -> {
        for (int i = random.nextInt(4); i >= 0; i--) {
          copy[random.nextInt(start, end)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 1 -> copy[at] = (byte) random.nextInt(256);
      case 2 -> Arrays.fill(copy, at, at + length, (byte) 0);
      case 3 -> Arrays.fill(copy, at, at + length, (byte) 0xff);
      case 4 -> copy = Arrays.copyOf(copy, at);
      default -> {
        copy = new byte[file.length - length];
        System.arraycopy(file, 0, copy, 0, at);
        System.arraycopy(file, at + length, copy, at, copy.length - at);
      }
    }
    return copy;
  }

  /**
   * Changes a value in the metadata of a column or in the schema. The metadata are written anew
   * after the old end of the file, since their sizes may change.
   */
  private byte[] changeMessage() {
    int columns = bytes.getInt(file.length - FOOTER + 28);
    int buffers = bytes.getInt(file.length - FOOTER + 24);
    ByteBuffer[] metadata = table(bytes.getLong(file.length - FOOTER + 8), columns);
    ByteBuffer[] globals = table(bytes.getLong(file.length - FOOTER + 16), buffers);
    int changed = random.nextInt(-1, columns);
    if (changed < 0) {
      globals[0] = mutated(FileDescriptor.getDefaultInstance(), globals[0]);
    } else {
      metadata[changed] = mutated(ColumnMetadata.getDefaultInstance(), metadata[changed]);
    }
    int more = FOOTER + ENTRY * (columns + buffers) + size(metadata) + size(globals);
    ByteBuffer out = ByteBuffer.allocate(file.length + more).order(ByteOrder.LITTLE_ENDIAN);
    out.put(file);
    long[] globalPositions = append(out, globals);
    long metadataStart = out.position();
    long[] metadataPositions = append(out, metadata);
    long columnTable = out.position();
    appendTable(out, metadataPositions, metadata);
    long globalTable = out.position();
    appendTable(out, globalPositions, globals);
    out.putLong(metadataStart).putLong(columnTable).putLong(globalTable);
    out.put(file, file.length - 16, 16);
    return out.array();
  }

  private ByteBuffer[] table(long position, int count) {
    ByteBuffer[] parts = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      int entry = Math.toIntExact(position) + ENTRY * i;
      parts[i] =
          bytes.slice(
              Math.toIntExact(bytes.getLong(entry)), Math.toIntExact(bytes.getLong(entry + 8)));
    }
    return parts;
  }

  private ByteBuffer mutated(Message type, ByteBuffer part) {
    try {
      Message message = type.getParserForType().parseFrom(part.duplicate());
      MessageMutator mutator = new MessageMutator(random);
      for (int i = random.nextInt(3); i >= 0; i--) {
        message = mutator.mutate(message);
      }
      return message.toByteString().asReadOnlyByteBuffer();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int size(ByteBuffer[] parts) {
    int size = 0;
    for (ByteBuffer part : parts) {
      size += part.remaining();
    }
    return size;
  }

  private static long[] append(ByteBuffer out, ByteBuffer[] parts) {
    long[] positions = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      positions[i] = out.position();
      out.put(parts[i].duplicate());
    }
    return positions;
  }

  private static void appendTable(ByteBuffer out, long[] positions, ByteBuffer[] parts) {
    for (int i = 0; i < parts.length; i++) {
      out.putLong(positions[i]).putLong(parts[i].remaining());
    }
  }
}
