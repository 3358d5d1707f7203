/** How compactions are planned, carried out and committed. */
package dev.lance4j.compaction.internal;
