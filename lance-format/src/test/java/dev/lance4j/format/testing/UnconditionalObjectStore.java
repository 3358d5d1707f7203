package dev.lance4j.format.testing;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.ConditionalPut;
import dev.lance4j.format.store.ObjectStore;
import java.nio.ByteBuffer;

/** A store without put-if-absent, which says so or does not. Safe for use by many threads. */
public final class UnconditionalObjectStore extends ForwardingObjectStore {
  /** What the store makes of a put-if-absent. */
  public enum Manner {
    /** It says beforehand that there is no such thing. */
    DECLINES,
    /** It says so when it is asked to. */
    DECLINES_LATE,
    /** It replaces what is there and reports success. */
    IGNORES_THE_CONDITION
  }

  private final Manner manner;
  private volatile Runnable afterwards = () -> {};

  public UnconditionalObjectStore(ObjectStore store, Manner manner) {
    super(store);
    this.manner = manner;
  }

  /** Has something done once, right after the next put-if-absent took effect. */
  public void afterNextPutIfAbsent(Runnable other) {
    afterwards = other;
  }

  @Override
  public ConditionalPut conditionalPut() {
    return manner == Manner.DECLINES ? ConditionalPut.UNSUPPORTED : ConditionalPut.UNVERIFIED;
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer content) {
    if (manner != Manner.IGNORES_THE_CONDITION) {
      throw new UnsupportedFormatException("This store has no put-if-absent");
    }
    store.put(path, content);
    Runnable now = afterwards;
    afterwards = () -> {};
    now.run();
    return true;
  }
}
