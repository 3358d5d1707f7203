package dev.lance4j.index.vector.internal.quantize;

/** How vectors become the codes that an index keeps of them. Immutable. */
public sealed interface Quantizer
    permits FlatQuantizer, ScalarQuantizer, ProductQuantizer, RabitQuantizer {
  /** The dimension of the vectors. */
  int dimension();

  /** Whether another one makes the same codes, bit for bit. */
  boolean sameAs(Quantizer that);

  /** The bytes of a code. */
  int codeBytes();
}
