package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.scan.internal.nearest.NearestQuery;

/**
 * How an index is searched for the rows of a query.
 *
 * @param isRefined whether the rows are measured exactly afterwards
 * @param isDoubtful whether the index may know rows by vectors that they do not have any more
 */
record SearchSettings(
    NearestQuery query,
    VectorIndexType type,
    Metric metric,
    boolean isRefined,
    boolean isDoubtful) {
  /** Indices that keep vectors in a rounded form estimate this many times the cosine's distance. */
  private static final float COSINE_SCALE = 2;

  /** Room for so many times as many rows, where others may take their places. */
  private static final int DOUBTFUL = 4;

  /**
   * The settings.
   *
   * @param rows that there are at most
   * @throws InvalidInputException if {@code ef} is less than the number of candidates
   */
  VectorSearch of(long rows) {
    VectorQuery asked = query.asked();
    int k = (int) Math.max(1, Math.min(asked.k(), rows));
    long most = Math.max(1, rows / k + 1);
    int factor = isDoubtful ? DOUBTFUL : 1;
    long refine = Math.min(asked.refine().orElse(1), most) * factor;
    VectorSearch search = VectorSearch.of(k).refine((int) Math.min(refine, Integer.MAX_VALUE / k));
    search =
        asked.maxProbes().isPresent()
            ? search.probes(asked.minProbes(), asked.maxProbes().getAsInt())
            : search.minProbes(asked.minProbes());
    if (asked.ef().isPresent() && type.hasGraph()) {
      search =
          withEf(search, (int) Math.min((long) asked.ef().getAsInt() * factor, Integer.MAX_VALUE));
    }
    return withRange(search, rows);
  }

  private VectorSearch withEf(VectorSearch search, int ef) {
    try {
      return search.ef(ef);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(
          "Nearest rows by column '" + query.column().name() + "': " + e.getMessage(), e);
    }
  }

  /**
   * Exact distances are compared with the range later on: until then rows are left out only that
   * are too near, so that they do not take the places of others, and none if there is room for all.
   */
  private VectorSearch withRange(VectorSearch search, long rows) {
    float lower = query.asked().lower();
    if (query.column().vectors().isMulti() || (isRefined && search.candidates() >= rows)) {
      return search;
    }
    if (!isRefined) {
      return search.distanceRange(lower, query.asked().upper());
    }
    boolean isScaled =
        metric == Metric.COSINE && type.quantization() != VectorIndexType.Quantization.FLAT;
    return search.distanceRange(isScaled ? lower * COSINE_SCALE : lower, Float.POSITIVE_INFINITY);
  }
}
