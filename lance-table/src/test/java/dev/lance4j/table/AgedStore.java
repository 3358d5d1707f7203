package dev.lance4j.table;

import dev.lance4j.format.store.ObjectInfo;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.ForwardingObjectStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A store whose objects can be made older than they are. */
final class AgedStore extends ForwardingObjectStore {
  private final Map<String, Duration> ages = new ConcurrentHashMap<>();

  AgedStore(ObjectStore store) {
    super(store);
  }

  void age(String path, Duration by) {
    ages.put(path, by);
  }

  @Override
  public ObjectInfo stat(String path) {
    return aged(super.stat(path));
  }

  @Override
  public void walk(String directory, Consumer<ObjectInfo> visitor) {
    super.walk(directory, object -> visitor.accept(aged(object)));
  }

  private ObjectInfo aged(ObjectInfo object) {
    Duration age = ages.getOrDefault(object.path(), Duration.ZERO);
    return new ObjectInfo(
        object.path(), object.size(), object.lastModified().minus(age), object.eTag());
  }
}
