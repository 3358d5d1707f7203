package dev.lance4j.format.store;

class MemoryObjectStoreTest extends ObjectStoreContract {
  private final MemoryObjectStore store = new MemoryObjectStore();

  @Override
  ObjectStore store() {
    return store;
  }

  @Override
  String root() {
    return "bucket/table";
  }
}
