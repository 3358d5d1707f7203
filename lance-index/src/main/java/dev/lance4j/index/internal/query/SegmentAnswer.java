package dev.lance4j.index.internal.query;

import dev.lance4j.rowid.RowSet;

/**
 * What a segment says, in the rows as it stores them.
 *
 * @param guarantee what the rows are; the nulls are always exact unless it is {@link
 *     Guarantee#AT_MOST}, when they are not known
 * @param rows for which the query is true, or may be; nulls may be among them
 * @param nulls for which the query is neither true nor false
 */
public record SegmentAnswer<S extends RowSet<S>>(Guarantee guarantee, S rows, S nulls) {}
