package dev.lance4j.format.testing;

/** The kinds of calls to an object store. */
public enum StoreCall {
  OPEN,
  STAT,
  EXISTS,
  /** One range, or many ranges asked for at once. */
  READ,
  /** The completion of an object; what is written before is no call of its own. */
  PUT,
  PUT_IF_ABSENT,
  DELETE,
  LIST,
  WALK
}
