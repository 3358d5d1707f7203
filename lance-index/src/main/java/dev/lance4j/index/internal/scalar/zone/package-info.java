/** Indices that know something of the values of each zone: a stretch of rows of a fragment. */
package dev.lance4j.index.internal.scalar.zone;
