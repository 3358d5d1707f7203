package dev.lance4j.write.internal.merge;

/** A table of keys that fit 64 bits. */
final class LongKeyTable extends KeyTable {
  private final LongKeys keys;

  LongKeyTable(LongKeys keys, boolean firstOnly) {
    super(keys.size(), firstOnly);
    this.keys = keys;
    for (int row = keys.size() - 1; row >= 0; row--) {
      if (!keys.isNull(row)) {
        put(slot(keys.value(row)), row);
      }
    }
  }

  private int slot(long value) {
    int mask = slots.length - 1;
    int slot = (int) LongKeys.mix(value) & mask;
    while (slots[slot] != NONE && keys.value(slots[slot]) != value) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  @Override
  void find(RowKeys wanted, int[] found) {
    LongKeys values = (LongKeys) wanted;
    for (int i = 0; i < values.size(); i++) {
      found[i] = values.isNull(i) ? NONE : slots[slot(values.value(i))];
    }
  }
}
