package dev.lance4j.format.internal.v21.write;

/**
 * Keys into a dictionary.
 *
 * @param keys 0 where the slot is null
 * @param dictionary the values, none of them null in use
 */
record DictionaryBlock(FixedBlock keys, LeafBlock dictionary) implements LeafBlock {
  @Override
  public int count() {
    return keys.count();
  }

  @Override
  public long bytes() {
    return keys.bytes();
  }

  @Override
  public int maxValueBytes() {
    return keys.maxValueBytes();
  }

  @Override
  public DictionaryBlock slice(int from, int length) {
    return new DictionaryBlock(keys.slice(from, length), dictionary);
  }
}
