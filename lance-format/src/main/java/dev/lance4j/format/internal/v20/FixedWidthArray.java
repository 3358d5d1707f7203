package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.page.RowRanges;

/** Values of a fixed number of bits in a page, all valid. */
interface FixedWidthArray {
  /** Starts reading rows of the array; they are checked to be inside. */
  FixedWidthRead read(RowRanges rows);
}
