package dev.lance4j.format.store;

/** How far a store is to be trusted with {@link ObjectStore#putIfAbsent}. */
public enum ConditionalPut {
  /** Of many who write one object at once exactly one succeeds, and is told so. */
  ATOMIC,
  /**
   * It is said to be so, but nobody has made sure for this kind of store. Some services that speak
   * a protocol with conditions ignore them and replace what is there.
   */
  UNVERIFIED,
  /** The store has nothing of the kind. */
  UNSUPPORTED
}
