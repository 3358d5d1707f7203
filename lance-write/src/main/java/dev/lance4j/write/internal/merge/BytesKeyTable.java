package dev.lance4j.write.internal.merge;

/** A table of keys that are written as bytes. */
final class BytesKeyTable extends KeyTable {
  private final BytesKeys keys;

  /** Parts of the hashes of the rows, so that most unequal keys need not be compared. */
  private final int[] hashes;

  BytesKeyTable(BytesKeys keys, boolean firstOnly) {
    super(keys.size(), firstOnly);
    this.keys = keys;
    this.hashes = new int[keys.size()];
    for (int row = keys.size() - 1; row >= 0; row--) {
      if (!keys.isNull(row)) {
        hashes[row] = (int) keys.hash(row);
        put(slot(keys, row, hashes[row]), row);
      }
    }
  }

  private int slot(BytesKeys wanted, int row, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != NONE && !isAt(slots[slot], wanted, row, hash)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isAt(int head, BytesKeys wanted, int row, int hash) {
    return hashes[head] == hash && keys.equal(head, wanted, row);
  }

  @Override
  void find(RowKeys wanted, int[] found) {
    BytesKeys bytes = (BytesKeys) wanted;
    for (int i = 0; i < bytes.size(); i++) {
      found[i] = bytes.isNull(i) ? NONE : slots[slot(bytes, i, (int) bytes.hash(i))];
    }
  }
}
