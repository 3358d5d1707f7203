package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** LIKE and ILIKE on texts. */
public final class LikeNode extends Node {
  private final Node operand;
  private final Node pattern;
  private final boolean ignoreCase;

  public LikeNode(Node operand, Node pattern, boolean ignoreCase) {
    super(Type.BOOLEAN, List.of(operand, pattern));
    this.operand = operand;
    this.pattern = pattern;
    this.ignoreCase = ignoreCase;
  }

  /** Whether upper and lower case are the same. */
  public boolean ignoresCase() {
    return ignoreCase;
  }

  @Override
  public boolean isNullable() {
    return anyChildIsNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    BytesValues texts = (BytesValues) operand.evaluate(batch);
    if (pattern instanceof Constant constant) {
      return constant.isNull()
          ? Values.nulls(Type.BOOLEAN, batch.size())
          : match(texts, ((BytesValues) constant.value()).string(0));
    }
    BytesValues patterns = (BytesValues) pattern.evaluate(batch);
    long[] bits = new long[Bits.words(texts.size())];
    long[] valid = Bits.and(texts.valid(), patterns.valid());
    for (int row = 0; row < texts.size(); row++) {
      if (!texts.isNull(row)
          && !patterns.isNull(row)
          && new LikePattern(patterns.string(row), ignoreCase)
              .matches(texts.bytes(), texts.starts()[row], texts.ends()[row])) {
        Bits.set(bits, row);
      }
    }
    return new BoolValues(texts.size(), bits, valid);
  }

  private Values match(BytesValues texts, String text) {
    LikePattern compiled = new LikePattern(text, ignoreCase);
    byte[] bytes = texts.bytes();
    int[] starts = texts.starts();
    int[] ends = texts.ends();
    long[] bits = new long[Bits.words(starts.length)];
    for (int row = 0; row < starts.length; row++) {
      if (compiled.matches(bytes, starts[row], ends[row])) {
        Bits.set(bits, row);
      }
    }
    return new BoolValues(starts.length, bits, texts.valid());
  }
}
