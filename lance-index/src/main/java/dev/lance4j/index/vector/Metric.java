package dev.lance4j.index.vector;

import dev.lance4j.format.InvalidInputException;
import java.util.Locale;

/** How far apart two vectors are. The less, the nearer. */
public enum Metric {
  /** The squared Euclidean distance. */
  L2("l2"),
  /** 1 less the cosine of the angle. */
  COSINE("cosine"),
  /** 1 less the dot product. */
  DOT("dot"),
  /** The number of bits that differ; only of vectors of bits. */
  HAMMING("hamming");

  private final String text;

  Metric(String text) {
    this.text = text;
  }

  /**
   * The metric of this name, in any case; {@code euclidean} is {@link #L2}.
   *
   * @throws InvalidInputException if there is none
   */
  public static Metric parse(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("euclidean")) {
      return L2;
    }
    for (Metric metric : values()) {
      if (metric.text.equals(lower)) {
        return metric;
      }
    }
    throw new InvalidInputException(
        "There is no metric '" + name + "': use l2, cosine, dot or hamming");
  }

  /** The name in the files of an index. */
  @Override
  public String toString() {
    return text;
  }
}
