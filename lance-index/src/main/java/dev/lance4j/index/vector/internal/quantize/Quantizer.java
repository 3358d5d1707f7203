package dev.lance4j.index.vector.internal.quantize;

/** How vectors become the codes that an index keeps of them. Immutable. */
public sealed interface Quantizer
    permits FlatQuantizer, ScalarQuantizer, ProductQuantizer, RabitQuantizer {
  /** The dimension of the vectors. */
  int dimension();

  /** The bytes of a code. */
  int codeBytes();
}
