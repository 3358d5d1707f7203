package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Gathers keys into one dictionary; a page has one only. */
final class DictionaryBuffer implements BlockBuffer {
  private final FixedBuffer keys;
  private final BlockBuffer dictionary;
  private boolean empty = true;

  DictionaryBuffer(int keyBits, BlockBuffer dictionary, BufferAllocator allocator) {
    this.keys = new FixedBuffer(keyBits, allocator);
    this.dictionary = dictionary;
  }

  /** Whether the dictionary of the block begins with the one gathered, or the other way round. */
  @Override
  public boolean accepts(LeafBlock block) {
    return empty || samePrefix(dictionary.view(), ((DictionaryBlock) block).dictionary());
  }

  private static boolean samePrefix(LeafBlock left, LeafBlock right) {
    int count = Math.min(left.count(), right.count());
    if (left instanceof VariableBlock a && right instanceof VariableBlock b) {
      return sameStrings(a, b, count);
    }
    return left.slice(0, count).equals(right.slice(0, count));
  }

  private static boolean sameStrings(VariableBlock a, VariableBlock b, int count) {
    for (int i = 0; i < count; i++) {
      if (a.length(i) != b.length(i)) {
        return false;
      }
    }
    return bytes(a, count).equals(bytes(b, count));
  }

  private static ByteBuffer bytes(VariableBlock block, int count) {
    return Buffers.slice(block.values(), block.start(0), block.dataBytes(0, count));
  }

  @Override
  public void append(LeafBlock block) {
    DictionaryBlock added = (DictionaryBlock) block;
    keys.append(added.keys());
    int known = empty ? 0 : dictionary.view().count();
    if (added.dictionary().count() > known) {
      dictionary.append(added.dictionary().slice(known, added.dictionary().count() - known));
    }
    empty = false;
  }

  @Override
  public DictionaryBlock view() {
    return new DictionaryBlock(keys.view(), dictionary.view());
  }

  @Override
  public void clear() {
    keys.clear();
    dictionary.clear();
    empty = true;
  }

  @Override
  public void close() {
    keys.close();
    dictionary.close();
  }
}
