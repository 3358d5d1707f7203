/**
 * How rows are named. A row's <em>address</em> says where it is: fragment and offset. Its
 * <em>stable row id</em> is given once and kept while the row moves. Both are 64 bits wide and
 * their values overlap, so they never share a type: at the edges they are {@link
 * dev.lance4j.rowid.RowAddress} and {@link dev.lance4j.rowid.StableRowId}, sets of them are {@link
 * dev.lance4j.rowid.RowAddressSet} and {@link dev.lance4j.rowid.RowIdSet}, and where a loop needs
 * primitives the method says which of the two it takes. All 64 bits of an id count: ids are
 * compared as unsigned numbers.
 */
package dev.lance4j.rowid;
