/**
 * Compaction: rewrites fragments without their deleted rows and many small ones as few large ones.
 * It is planned, its tasks run anywhere, and what they wrote is committed at once.
 */
package dev.lance4j.compaction;
