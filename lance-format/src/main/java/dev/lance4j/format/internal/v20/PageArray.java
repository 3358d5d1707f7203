package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;

/** One array of a page: an encoding and everything below it. Safe for use by many threads. */
interface PageArray {
  /** Starts reading rows; they are numbered within the array and checked to be inside. */
  FieldRead read(RowRanges rows);
}
