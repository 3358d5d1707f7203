package dev.lance4j.table;

import dev.lance4j.format.store.ObjectInfo;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A store whose next put-if-absent goes wrong in a way that stores do go wrong. */
final class FaultyStore implements ObjectStore {
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

  private final ObjectStore inner;
  private Fault fault = Fault.NONE;
  private Runnable somebodyElse = () -> {};

  FaultyStore(ObjectStore inner) {
    this.inner = inner;
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
      case NONE -> inner.putIfAbsent(path, content);
      case APPLIED_BUT_REPORTED_AS_TAKEN -> {
        inner.putIfAbsent(path, content);
        yield false;
      }
      case REPLY_LOST -> {
        inner.putIfAbsent(path, content);
        throw new UncheckedIOException(new IOException("connection reset"));
      }
      case FAILS -> throw new UncheckedIOException(new IOException("no route to host"));
      case SOMEBODY_ELSE_IS_FASTER -> {
        somebodyElse.run();
        yield inner.putIfAbsent(path, content);
      }
    };
  }

  @Override
  public ObjectReader open(String path) {
    return inner.open(path);
  }

  @Override
  public ObjectInfo stat(String path) {
    return inner.stat(path);
  }

  @Override
  public boolean exists(String path) {
    return inner.exists(path);
  }

  @Override
  public ObjectWriter create(String path) {
    return inner.create(path);
  }

  @Override
  public void delete(String path) {
    inner.delete(path);
  }

  @Override
  public void list(String directory, Predicate<String> visitor) {
    inner.list(directory, visitor);
  }

  @Override
  public void walk(String directory, Consumer<ObjectInfo> visitor) {
    inner.walk(directory, visitor);
  }

  @Override
  public boolean listsInOrder() {
    return inner.listsInOrder();
  }
}
