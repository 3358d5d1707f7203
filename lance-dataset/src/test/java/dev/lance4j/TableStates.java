package dev.lance4j;

import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.Branch;
import dev.lance4j.table.Ref;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Tag;
import dev.lance4j.table.VersionSummary;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** All that users see of tables in a store, to be compared. */
final class TableStates {
  private final ObjectStore store;
  private final Map<String, String> states = new TreeMap<>();

  private TableStates(ObjectStore store) {
    this.store = store;
  }

  /** Every version, tag and branch of the tables at some paths; nothing of those that are not. */
  static Map<String, String> of(ObjectStore store, BufferAllocator allocator, String... paths)
      throws Exception {
    TableStates states = new TableStates(store);
    for (String path : paths) {
      if (table(store, path).findLatest().isPresent()) {
        try (Dataset newest = open(store, path, allocator)) {
          states.add(path, newest);
        }
      }
    }
    return states.states;
  }

  /** What the newest version consists of, whatever its number and those of its fragments. */
  static String newest(ObjectStore store, String path, BufferAllocator allocator) throws Exception {
    StringBuilder text = new StringBuilder();
    try (Dataset newest = open(store, path, allocator);
        ArrowReader reader = newest.scan().open()) {
      text.append(newest.schema()).append(newest.config()).append(newest.tableMetadata());
      newest.fragments().forEach(f -> text.append(f.physicalRows()).append(' '));
      while (reader.loadNextBatch()) {
        text.append(reader.getVectorSchemaRoot().contentToTSVString());
      }
    }
    return text.toString();
  }

  static Dataset open(ObjectStore store, String path, BufferAllocator allocator) {
    return Dataset.open(path, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  static Table table(ObjectStore store, String path) {
    return Table.at(new StoreLocation(store, path, path));
  }

  /** Another store with the same objects below a directory. */
  static ObjectStore copy(ObjectStore store, String directory) {
    ObjectStore copy = new MemoryObjectStore();
    store.walk(
        directory,
        object -> {
          try (ObjectReader reader = store.open(object.path())) {
            copy.put(object.path(), reader.read(0, (int) object.size()).duplicate());
          }
        });
    return copy;
  }

  private void add(String path, Dataset newest) throws Exception {
    addVersions(path, newest);
    for (Tag tag : newest.tags().list()) {
      states.put(
          path + " tag " + tag.name(),
          tag.branch().orElse("") + ":" + tag.version() + tag.metadata());
    }
    for (Branch branch : newest.branches().list()) {
      states.put(
          path + " branch " + branch.name(),
          branch.parent().orElse("") + ":" + branch.version() + branch.metadata());
      try (Dataset on = newest.checkout(Ref.branch(branch.name()))) {
        addVersions(path + " on " + branch.name(), on);
      }
    }
  }

  private void addVersions(String path, Dataset newest) throws Exception {
    for (VersionSummary version : newest.versions()) {
      try (Dataset dataset = newest.checkout(version.id())) {
        states.put(path + " version " + version.id(), state(dataset));
      }
    }
  }

  private String state(Dataset dataset) throws Exception {
    StringBuilder text = new StringBuilder();
    text.append(dataset.schema()).append(dataset.config()).append(dataset.tableMetadata());
    TableVersion inside = table(store, dataset.uri()).version(dataset.version());
    inside.indices().forEach(index -> text.append(index.name()));
    text.append(inside.manifest().highestFragmentId()).append(inside.manifest().basePaths());
    try (ArrowReader reader = dataset.scan().open()) {
      while (reader.loadNextBatch()) {
        text.append(reader.getVectorSchemaRoot().contentToTSVString());
      }
    }
    return text.toString();
  }
}
