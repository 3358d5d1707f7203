package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.ArrayList;
import java.util.List;

/** {@code operand IN (constants)}: true on a hit, else null if the operand or a constant is. */
public final class Membership extends Node {
  private final Node operand;
  private final List<Values> members = new ArrayList<>();
  private final boolean nullMember;
  private LongSet longs;
  private BytesSet bytes;

  /** All constants have the operand's type. */
  public Membership(Node operand, List<Constant> constants) {
    super(Type.BOOLEAN, List.of(operand));
    this.operand = operand;
    boolean sawNull = false;
    for (Constant constant : constants) {
      sawNull |= constant.isNull();
      if (!constant.isNull()) {
        members.add(constant.value());
      }
    }
    nullMember = sawNull;
    hash();
  }

  private void hash() {
    if (members.isEmpty()) {
      return;
    }
    Values first = members.get(0);
    if (first instanceof LongValues) {
      longs = new LongSet(members.stream().mapToLong(v -> ((LongValues) v).get(0)).toArray());
    } else if (first instanceof DoubleValues) {
      longs =
          new LongSet(
              members.stream()
                  .mapToLong(v -> DoubleValues.orderKey(((DoubleValues) v).get(0)))
                  .toArray());
    } else if (first instanceof BytesValues) {
      bytes =
          new BytesSet(members.stream().map(v -> ((BytesValues) v).copy(0)).toArray(byte[][]::new));
    }
  }

  /** The constants that are not null, each a value of one row. */
  public List<Values> members() {
    return members;
  }

  /** Whether one of the constants is null. */
  public boolean hasNullMember() {
    return nullMember;
  }

  @Override
  public boolean isNullable() {
    return nullMember || anyChildIsNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    Values values = operand.evaluate(batch);
    int size = values.size();
    long[] hits = new long[Bits.words(size)];
    if (values instanceof LongValues v && longs != null) {
      longHits(v.values(), hits);
    } else if (values instanceof DoubleValues v && longs != null) {
      doubleHits(v.values(), hits);
    } else if (values instanceof BytesValues v && bytes != null) {
      for (int row = 0; row < size; row++) {
        if (bytes.contains(v, row)) {
          Bits.set(hits, row);
        }
      }
    } else {
      for (int row = 0; row < size; row++) {
        if (!values.isNull(row) && isMember(values, row)) {
          Bits.set(hits, row);
        }
      }
    }
    long[] valid = nullMember ? Bits.and(hits, values.valid()) : values.valid();
    return new BoolValues(size, hits, valid == hits ? hits.clone() : valid);
  }

  private void longHits(long[] values, long[] hits) {
    LongSet set = longs;
    for (int row = 0; row < values.length; row++) {
      if (set.contains(values[row])) {
        Bits.set(hits, row);
      }
    }
  }

  private void doubleHits(double[] values, long[] hits) {
    LongSet set = longs;
    for (int row = 0; row < values.length; row++) {
      if (set.contains(DoubleValues.orderKey(values[row]))) {
        Bits.set(hits, row);
      }
    }
  }

  private boolean isMember(Values values, int row) {
    for (Values member : members) {
      if (values.compare(row, member, 0) == 0) {
        return true;
      }
    }
    return false;
  }
}
