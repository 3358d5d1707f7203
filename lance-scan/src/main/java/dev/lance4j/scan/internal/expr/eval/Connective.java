package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/**
 * AND and OR of many operands in three-valued logic. A costly operand is evaluated only for rows
 * that the operands before it leave open.
 */
public final class Connective extends Node {
  private static final int FEW = 4;

  private final boolean and;

  public Connective(boolean and, List<Node> operands) {
    super(Type.BOOLEAN, operands);
    this.and = and;
  }

  /** Whether all operands must be true, and not just one. */
  public boolean isAnd() {
    return and;
  }

  @Override
  public boolean isNullable() {
    return anyChildIsNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    // Rows that no operand decided yet, and those of them for which all operands were neutral.
    long[] open = Bits.ones(batch.size());
    long[] neutral = open.clone();
    for (Node operand : children()) {
      if (isEmpty(open)) {
        break;
      }
      int[] rows = worthSelecting(operand, open, batch.size());
      if (rows == null) {
        combine((BoolValues) operand.evaluate(batch), open, neutral);
      } else {
        combine((BoolValues) operand.evaluate(batch.select(rows)), rows, open, neutral);
      }
    }
    return and
        ? conjunction(open, neutral, batch.size())
        : disjunction(open, neutral, batch.size());
  }

  private static boolean isEmpty(long[] bits) {
    long any = 0;
    for (long word : bits) {
      any |= word;
    }
    return any == 0;
  }

  /** The open rows, if the operand is better evaluated for these alone. */
  private static int[] worthSelecting(Node operand, long[] open, int size) {
    if (!operand.isCostly()) {
      return null;
    }
    int count = Bits.count(open);
    return count < size ? Bits.rows(open) : null;
  }

  private void combine(BoolValues values, long[] open, long[] neutral) {
    long[] bits = values.bits();
    long[] valid = values.valid();
    for (int i = 0; i < open.length; i++) {
      long known = valid == null ? -1L : valid[i];
      long isTrue = bits[i];
      long isFalse = known & ~bits[i];
      open[i] &= and ? ~isFalse : ~isTrue;
      neutral[i] &= and ? isTrue : isFalse;
    }
  }

  private void combine(BoolValues values, int[] rows, long[] open, long[] neutral) {
    for (int i = 0; i < rows.length; i++) {
      boolean known = !values.isNull(i);
      boolean value = values.get(i);
      if (known && value != and) {
        Bits.clear(open, rows[i]);
      }
      if (!known || value != and) {
        Bits.clear(neutral, rows[i]);
      }
    }
  }

  /** True where all were true, false where one was false. */
  private static Values conjunction(long[] open, long[] allTrue, int size) {
    long[] valid = new long[open.length];
    for (int i = 0; i < valid.length; i++) {
      valid[i] = allTrue[i] | ~open[i];
    }
    Bits.trim(valid, size);
    return new BoolValues(size, allTrue, valid);
  }

  /** False where all were false, true where one was true. */
  private static Values disjunction(long[] open, long[] allFalse, int size) {
    long[] bits = CompareKernels.not(open, size);
    long[] valid = new long[open.length];
    for (int i = 0; i < valid.length; i++) {
      valid[i] = bits[i] | (allFalse[i] & open[i]);
    }
    return new BoolValues(size, bits, valid);
  }

  /** Like {@link #evaluate}, but a row is settled as soon as it cannot be true any more. */
  @Override
  public long[] truth(Batch batch) {
    int size = batch.size();
    // AND: rows that were true so far. OR: rows that were not true so far.
    long[] open = Bits.ones(size);
    for (Node operand : children()) {
      if (isEmpty(open)) {
        break;
      }
      int[] rows = fewOrCostly(operand, open, size);
      long[] truth =
          rows == null
              ? operand.truth(batch)
              : spread(operand.truth(batch.select(rows)), rows, size);
      for (int i = 0; i < open.length; i++) {
        open[i] &= and ? truth[i] : ~truth[i];
      }
    }
    return and ? open : CompareKernels.not(open, size);
  }

  private static int[] fewOrCostly(Node operand, long[] open, int size) {
    int[] rows = worthSelecting(operand, open, size);
    return rows != null || size < 64 || Bits.count(open) > size >> FEW ? rows : Bits.rows(open);
  }

  private static long[] spread(long[] bits, int[] rows, int size) {
    long[] result = new long[Bits.words(size)];
    for (int i = 0; i < rows.length; i++) {
      if (Bits.get(bits, i)) {
        Bits.set(result, rows[i]);
      }
    }
    return result;
  }
}
