package dev.lance4j.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.internal.ManifestFile;
import dev.lance4j.table.internal.TransactionMessages;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A table with a random history of versions and failed writes, and a record, kept beside it, of
 * which files each version consists of and how old each file is.
 */
final class CleanupHistory {
  private static final Duration OLD = CleanupPolicy.SAFETY_PERIOD.plusMinutes(1);

  final AgedStore store = new AgedStore(new MemoryObjectStore());
  final Table table = Tables.in(store);

  /** The files of each version, below the table's root. */
  final TreeMap<Long, Set<String>> versions = new TreeMap<>();

  final Map<Long, Instant> committed = new HashMap<>();
  final Set<String> old = new HashSet<>();

  /** Files that no writer of tables makes, or that are for ever. */
  final Set<String> foreign = new HashSet<>();

  final Set<Long> tagged = new TreeSet<>();

  /** The files of detached versions, by the path of their manifest. */
  final Map<String, Set<String>> detached = new HashMap<>();

  private final Random random;
  private final Map<Long, Set<String>> contents = new HashMap<>();
  private Set<String> content = new HashSet<>();
  private TableVersion latest;
  private int names;

  CleanupHistory(Random random) {
    this.random = random;
    FragmentMetadata first = newFragment();
    latest =
        new Committer(table, CommitOptions.DEFAULT)
            .create(Transaction.of(0, Operation.overwrite(List.of(first), Tables.SCHEMA)));
    record();
  }

  TableVersion latest() {
    return latest;
  }

  void step() {
    switch (random.nextInt(10)) {
      case 0, 1 -> append();
      case 2 -> delete();
      case 3 -> overwrite();
      case 4 -> createIndex();
      case 5 -> restore();
      case 6 -> tag();
      case 7 -> failedWrite();
      case 8 -> detachedVersion();
      default -> foreignFile();
    }
  }

  private String write(String path) {
    store.put(table.path() + "/" + path, ByteBuffer.wrap(path.getBytes(UTF_8)));
    if (random.nextBoolean()) {
      old.add(path);
      store.age(table.path() + "/" + path, OLD);
    }
    return path;
  }

  private FragmentMetadata newFragment() {
    String name = "f" + names++ + ".lance";
    content.add(write("data/" + name));
    content.add(write(blob(name)));
    return Tables.fragment(name, 10);
  }

  /** The file of large values that a data file refers to. */
  private static String blob(String dataFile) {
    return "data/" + dataFile.replace(".lance", "") + "/" + "0".repeat(31) + "1.blob";
  }

  private void commit(Operation operation) {
    latest =
        new Committer(table, CommitOptions.DEFAULT)
            .commit(latest, Transaction.of(latest.version(), operation));
    record();
  }

  private void record() {
    Set<String> files = new HashSet<>(content);
    String transaction = "_transactions/" + latest.manifest().transactionFile();
    if (random.nextBoolean()) {
      old.add(transaction);
      store.age(table.path() + "/" + transaction, OLD);
    }
    files.add(transaction);
    versions.put(latest.version(), files);
    contents.put(latest.version(), Set.copyOf(content));
    committed.put(latest.version(), latest.manifest().timestamp());
  }

  private void append() {
    commit(Operation.append(List.of(newFragment())));
  }

  private void delete() {
    List<FragmentMetadata> fragments = latest.manifest().fragments();
    if (fragments.isEmpty()) {
      return;
    }
    FragmentMetadata fragment = fragments.get(random.nextInt(fragments.size()));
    fragment
        .deletionFile()
        .ifPresent(before -> content.remove("_deletions/" + before.name(fragment.id())));
    if (random.nextInt(3) == 0) {
      for (DataFile file : fragment.files()) {
        content.remove("data/" + file.path());
        content.remove(blob(file.path()));
      }
      commit(new Operation.Delete(List.of(), List.of(fragment.id()), ""));
      return;
    }
    DeletionFile file =
        new DeletionFile(
            random.nextBoolean() ? DeletionFile.Form.BITMAP : DeletionFile.Form.ARROW_ARRAY,
            latest.version(),
            random.nextLong(),
            1,
            OptionalInt.empty());
    content.add(write("_deletions/" + file.name(fragment.id())));
    commit(
        new Operation.Delete(List.of(fragment.withDeletionFile(Optional.of(file))), List.of(), ""));
  }

  private void overwrite() {
    content = new HashSet<>();
    commit(Operation.overwrite(List.of(newFragment()), Tables.SCHEMA));
  }

  private void createIndex() {
    UUID uuid = new UUID(random.nextLong(), random.nextLong());
    content.add(write("_indices/" + uuid + "/page_data.lance"));
    content.add(write("_indices/" + uuid + "/parts/0.lance"));
    IndexMetadata index =
        new IndexMetadata(
            uuid,
            List.of(0),
            "i" + names++,
            latest.version(),
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.of(0),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance());
    commit(new Operation.CreateIndex(List.of(index), List.of()));
  }

  private void restore() {
    List<Long> all = new ArrayList<>(versions.keySet());
    long version = all.get(random.nextInt(all.size()));
    content = new HashSet<>(contents.get(version));
    commit(new Operation.Restore(version));
  }

  private void tag() {
    List<Long> all = new ArrayList<>(versions.keySet());
    long version = all.get(random.nextInt(all.size()));
    tagged.add(version);
    String json = "{\"branch\": null, \"version\": " + version + ", \"manifestSize\": 1}";
    String path = "_refs/tags/t" + names++ + ".json";
    store.put(table.path() + "/" + path, ByteBuffer.wrap(json.getBytes(UTF_8)));
    foreign.add(path);
  }

  private void detachedVersion() {
    Set<String> files = new HashSet<>(content);
    String name = "f" + names++ + ".lance";
    files.add(write("data/" + name));
    List<FragmentMetadata> fragments = new ArrayList<>(latest.manifest().fragments());
    fragments.add(Tables.fragment(name, 10).withId(1_000_000));
    boolean isOld = random.nextBoolean();
    Manifest manifest =
        latest.manifest().toBuilder()
            .version(random.nextLong() | Long.MIN_VALUE)
            .fragments(fragments)
            .transactionFile("")
            .timestamp(isOld ? Instant.now().minus(OLD) : Instant.now())
            .build();
    String path = "_versions/" + ManifestNaming.DETACHED.fileName(manifest.version());
    byte[] transaction =
        TransactionMessages.toBytes(Transaction.of(latest.version(), Operation.append(fragments)));
    store.put(
        table.path() + "/" + path, ManifestFile.write(manifest, latest.indices(), transaction));
    detached.put(path, files);
    if (isOld) {
      old.add(path);
    }
  }

  private void failedWrite() {
    switch (random.nextInt(5)) {
      case 0 -> write("data/lost" + names++ + ".lance");
      case 1 -> write("_deletions/0-1-" + names++ + ".bin");
      case 2 -> write("_transactions/1-" + UUID.randomUUID() + ".txn");
      case 3 -> write("_indices/" + UUID.randomUUID() + "/lost.lance");
      default -> write((random.nextBoolean() ? "data" : "_versions") + "/.tmp" + names++);
    }
  }

  private void foreignFile() {
    String path =
        switch (random.nextInt(6)) {
          case 0 -> "data/readme.txt";
          case 1 -> "_versions/1.manifest#1";
          case 2 -> "_indices/mine/x.lance";
          case 3 -> "_deletions/notes.json";
          case 4 -> "photos/cover.lance";
          default -> "_latest.manifest";
        };
    foreign.add(write(path));
  }

  /** All files below the root, manifests too. */
  static Set<String> files(Table table) {
    Set<String> files = new TreeSet<>();
    ObjectStore store = table.store();
    int root = table.path().length() + 1;
    store.walk(table.path(), object -> files.add(object.path().substring(root)));
    return files;
  }
}
