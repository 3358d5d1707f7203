/** Indices that hold the set of rows of each value, or of each item of lists. */
package dev.lance4j.index.internal.scalar.bitmap;
