package dev.lance4j.format.internal.v21;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What the nodes of a field share while one read is decoded.
 *
 * @param leaves the reads of the field's columns, by the number of the leaf
 */
record ReadContext(List<LeafRead> leaves, BufferAllocator allocator) {}
