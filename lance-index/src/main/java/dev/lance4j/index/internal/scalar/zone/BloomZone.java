package dev.lance4j.index.internal.scalar.zone;

/**
 * What is known of the values of a zone.
 *
 * @param zone where it is
 * @param hasNull whether one of them is null
 * @param filter of the others
 */
record BloomZone(ZoneRange zone, boolean hasNull, SplitBlockFilter filter) {}
