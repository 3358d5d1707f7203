package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;

/** Fixed-size lists: a bitmap for each layer with null items, then the items as they are. */
final class ListChunks implements ValueChunks {
  private final ListBlock block;

  ListChunks(ListBlock block) {
    this.block = block;
  }

  @Override
  public CompressiveEncoding encoding() {
    return Encodings.lists(block);
  }

  @Override
  public int buffers() {
    int buffers = 1;
    for (int i = 0; i < block.layers(); i++) {
      buffers += block.validity(i) == null ? 0 : 1;
    }
    return buffers;
  }

  @Override
  public int count() {
    return block.count();
  }

  @Override
  public int propose(int from) {
    long bits = (long) block.items().bits() * block.itemsPerValue();
    for (int i = 0; i < block.layers(); i++) {
      if (block.validity(i) != null) {
        bits += (long) Bits.bytes(block.itemsPerValue(i)) * Byte.SIZE;
      }
    }
    return Math.min(block.count() - from, FlatChunks.valuesPerChunk(bits));
  }

  @Override
  public long maxBytes(int from, int count) {
    long items = (long) count * block.itemsPerValue();
    long bytes = ValueChunks.padded((items * block.items().bits() + 7) >> 3);
    for (int i = 0; i < block.layers(); i++) {
      if (block.validity(i) != null) {
        bytes += ValueChunks.padded(Bits.bytes((long) count * block.itemsPerValue(i)));
      }
    }
    return bytes;
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    for (int i = 0; i < block.layers(); i++) {
      if (block.validity(i) != null) {
        int per = block.itemsPerValue(i);
        FlatChunks.bits(block.validity(i), from * per, count * per, out);
      }
    }
    int per = block.itemsPerValue();
    FlatChunks items = new FlatChunks(block.items());
    items.write(from * per, count * per, out);
  }
}
