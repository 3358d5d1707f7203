package dev.lance4j.scan;

/** A version of a table that is open, so that it can be read. */
public interface Snapshot {
  /** The version with what it takes to read it, which is there as long as this is open. */
  Scan.Source source();
}
