package dev.lance4j.index.vector.internal.build;

/**
 * Vectors that can be indexed, with the ids of their rows.
 *
 * @param count the number of vectors
 * @param rowIds of each
 * @param floats their components, one vector after the other; null for vectors of bits
 * @param doubles the same where vectors have double precision; null elsewhere
 * @param bits vectors of bits; null for others
 */
record VectorBatch(int count, long[] rowIds, float[] floats, double[] doubles, byte[] bits) {}
