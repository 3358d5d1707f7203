package dev.lance4j.table;

import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.ForwardingObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A store whose next put-if-absent goes wrong in a way that stores do go wrong. */
final class FaultyStore extends ForwardingObjectStore {
  /** What happens to a put-if-absent. */
  enum Fault {
    NONE,
    /** It is applied, but its client is told that the name was taken. */
    APPLIED_BUT_REPORTED_AS_TAKEN,
    /** It is applied, but the reply is lost. */
    REPLY_LOST,
    /** It fails without effect. */
    FAILS,
    /** Somebody else is faster. */
    SOMEBODY_ELSE_IS_FASTER
  }

  private Fault fault = Fault.NONE;
  private Runnable somebodyElse = () -> {};

  FaultyStore(ObjectStore inner) {
    super(inner);
  }

  void failNext(Fault next) {
    fault = next;
  }

  void interfereNext(Runnable other) {
    fault = Fault.SOMEBODY_ELSE_IS_FASTER;
    somebodyElse = other;
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer content) {
    Fault now = fault;
    fault = Fault.NONE;
    return switch (now) {
      case NONE -> super.putIfAbsent(path, content);
      case APPLIED_BUT_REPORTED_AS_TAKEN -> {
        super.putIfAbsent(path, content);
        yield false;
      }
      case REPLY_LOST -> {
        super.putIfAbsent(path, content);
        throw new UncheckedIOException(new IOException("connection reset"));
      }
      case FAILS -> throw new UncheckedIOException(new IOException("no route to host"));
      case SOMEBODY_ELSE_IS_FASTER -> {
        somebodyElse.run();
        yield super.putIfAbsent(path, content);
      }
    };
  }
}
