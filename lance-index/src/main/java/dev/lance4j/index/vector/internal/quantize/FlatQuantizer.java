package dev.lance4j.index.vector.internal.quantize;

import dev.lance4j.index.vector.VectorElement;

/**
 * Vectors as they are.
 *
 * @param element what they are stored as
 */
public record FlatQuantizer(int dimension, VectorElement element) implements Quantizer {
  @Override
  public boolean sameAs(Quantizer that) {
    return equals(that);
  }

  @Override
  public int codeBytes() {
    return dimension * element.bytes();
  }
}
