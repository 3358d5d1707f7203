package dev.lance4j.index.internal.segment;

/** How a segment names rows. */
public enum RowNumbers {
  /** As the table does: by addresses, or by stable ids where it has them. */
  IDS,
  /** Always by addresses. */
  ADDRESSES
}
