package dev.lance4j.index.internal.scalar.btree;

/**
 * A value to look for, in the form in which {@link Keys} hold values: a number, or bytes where that
 * is null otherwise.
 */
record SearchKey(long number, byte[] bytes) {}
