package dev.lance4j.index;

import java.io.Serializable;

/** Which kind of index to build, and how. Immutable. */
public sealed interface IndexSpec extends Serializable permits ScalarIndexSpec {}
