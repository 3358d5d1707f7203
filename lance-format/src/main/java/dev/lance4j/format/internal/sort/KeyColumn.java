package dev.lance4j.format.internal.sort;

/**
 * A column that rows are sorted by.
 *
 * @param index of the column in the batches
 * @param descending whether large values come first
 * @param nullsFirst whether nulls come before all values
 */
public record KeyColumn(int index, boolean descending, boolean nullsFirst) {}
