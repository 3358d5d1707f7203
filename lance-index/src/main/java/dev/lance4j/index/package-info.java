/**
 * Indices: immutable segments of files beside a table that find rows without reading its data.
 *
 * <p>An index is a name over one or more segments, each of which answers for some fragments. {@link
 * dev.lance4j.index.CreateIndex} makes one, {@link dev.lance4j.index.Indices} tells which there
 * are.
 */
package dev.lance4j.index;
