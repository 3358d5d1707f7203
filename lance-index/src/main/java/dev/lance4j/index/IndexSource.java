package dev.lance4j.index;

import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Where indices are read and the rows that go into new ones.
 *
 * @param version of the table
 * @param session keeps files and segments open for the next time
 * @param allocator for rows on their way into an index
 */
public record IndexSource(TableVersion version, Session session, BufferAllocator allocator) {}
