package dev.lance4j.index;

import java.io.Serializable;

/**
 * Which kind of index to build, and how: a {@link ScalarIndexSpec} or a {@link
 * dev.lance4j.index.vector.VectorIndexSpec}. Immutable.
 */
public interface IndexSpec extends Serializable {}
