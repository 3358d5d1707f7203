package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.ArrowBuf;

/** Items without values: nulls and empty structs. */
final class CountSink extends ItemSink {
  private final boolean struct;

  CountSink(boolean struct) {
    this.struct = struct;
  }

  @Override
  void add(Block block, int from, int to) {
    throw misfit(block, "no values");
  }

  @Override
  void addEmpty(int n) {}

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    if (struct) {
      return new ArrayData(count(), nulls, new ArrowBuf[] {validity});
    }
    if (validity != null) {
      validity.close();
    }
    return new ArrayData(count(), count(), new ArrowBuf[0]);
  }

  @Override
  public void close() {}
}
