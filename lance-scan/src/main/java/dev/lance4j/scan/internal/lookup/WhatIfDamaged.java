package dev.lance4j.scan.internal.lookup;

/** What a scan does when an index that would help it is damaged. */
public enum WhatIfDamaged {
  /** It fails, and says how to repair the index. */
  FAIL,
  /** It goes on without the index. */
  GO_ON
}
