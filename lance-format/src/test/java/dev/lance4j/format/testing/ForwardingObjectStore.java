package dev.lance4j.format.testing;

import dev.lance4j.format.store.ConditionalPut;
import dev.lance4j.format.store.ObjectInfo;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectWriter;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Hands every call on to another store. */
public abstract class ForwardingObjectStore implements ObjectStore {
  final ObjectStore store;

  protected ForwardingObjectStore(ObjectStore store) {
    this.store = store;
  }

  @Override
  public ObjectReader open(String path) {
    return store.open(path);
  }

  @Override
  public ObjectReader open(String path, long size) {
    return store.open(path, size);
  }

  @Override
  public ObjectInfo stat(String path) {
    return store.stat(path);
  }

  @Override
  public boolean exists(String path) {
    return store.exists(path);
  }

  @Override
  public ObjectWriter create(String path) {
    return store.create(path);
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer content) {
    return store.putIfAbsent(path, content);
  }

  @Override
  public ConditionalPut conditionalPut() {
    return store.conditionalPut();
  }

  @Override
  public void delete(String path) {
    store.delete(path);
  }

  @Override
  public void list(String directory, Predicate<String> visitor) {
    store.list(directory, visitor);
  }

  @Override
  public void walk(String directory, Consumer<ObjectInfo> visitor) {
    store.walk(directory, visitor);
  }

  @Override
  public boolean listsInOrder() {
    return store.listsInOrder();
  }

  @Override
  public void close() {
    store.close();
  }
}
