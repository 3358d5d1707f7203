package dev.lance4j.format.internal.v21.write;

import com.google.protobuf.ByteString;
import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.Fsst;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Strings of a page coded with FSST.
 *
 * @param coded the coded strings
 * @param encoding the symbol table
 */
record FsstBlock(VariableBlock coded, CompressiveEncoding encoding) {
  /** Fewer bytes than this do not pay for the table. */
  static final int MIN_BYTES = 16 * 1024;

  private static final int MIN_LONGEST = 5;
  private static final int SLACK = 7;

  /** Whether strings are many and long enough. */
  static boolean promises(VariableBlock block) {
    return block.dataBytes(0, block.count()) >= MIN_BYTES && block.maxValueBytes() >= MIN_LONGEST;
  }

  /** Codes a block; null if the codes and the table are not smaller than the strings. */
  static FsstBlock of(VariableBlock block) {
    int count = block.count();
    int size = block.dataBytes(0, count);
    byte[] bytes = new byte[size];
    block.values().get(block.start(0), bytes);
    int[] offsets = new int[count + 1];
    for (int i = 0; i <= count; i++) {
      offsets[i] = block.start(i) - block.start(0);
    }
    FsstTable table = FsstTable.train(bytes, offsets, count);
    byte[] coded = new byte[size];
    int[] codedOffsets = new int[count + 1];
    int at = 0;
    for (int i = 0; i < count; i++) {
      int length = offsets[i + 1] - offsets[i];
      int room = at + 2 * length + SLACK;
      if (room > coded.length) {
        coded = Arrays.copyOf(coded, room + room / 2);
      }
      at += table.encode(bytes, offsets[i], length, coded, at);
      codedOffsets[i + 1] = at;
    }
    if (at + FsstTable.SERIALIZED_BYTES >= size) {
      return null;
    }
    ByteBuffer values = ByteBuffer.wrap(coded).order(ByteOrder.LITTLE_ENDIAN);
    CompressiveEncoding encoding =
        CompressiveEncoding.newBuilder()
            .setFsst(
                Fsst.newBuilder()
                    .setSymbolTable(ByteString.copyFrom(table.serialize()))
                    .setValues(Encodings.variable(block.offsetBits())))
            .build();
    return new FsstBlock(
        new VariableBlock(block.offsetBits(), count, codedOffsets, 0, values), encoding);
  }
}
