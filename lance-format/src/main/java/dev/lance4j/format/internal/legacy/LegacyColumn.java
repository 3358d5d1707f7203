package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.page.FieldRead;
import java.util.List;

/** The pages of one field of a 0.1 file. Safe for use by many threads. */
interface LegacyColumn {
  /** Starts reading values of some batches, given in order. */
  FieldRead read(List<BatchRange> parts);
}
