/**
 * Vector indices: the seven kinds that a table can have, how a segment of one is built, and how it
 * is searched. Distances are floats, the less the nearer; see {@link
 * dev.lance4j.index.vector.Metric}.
 */
package dev.lance4j.index.vector;
