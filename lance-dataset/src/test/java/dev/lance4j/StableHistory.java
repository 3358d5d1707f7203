package dev.lance4j;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.IdRange;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowVersionSequence;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.SequenceLocation;
import dev.lance4j.table.Session;
import dev.lance4j.table.StableRows;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.internal.DataWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.roaringbitmap.RoaringBitmap;

/**
 * A table with stable row ids that goes through a random history, and beside it lists of what its
 * rows must be in each version.
 */
final class StableHistory implements AutoCloseable {
  private static final String PATH = "table";
  private static final Schema SCHEMA =
      new Schema(List.of(Field.nullable("k", new ArrowType.Int(64, true))));

  /** What a row must be. */
  record Row(long rowId, long key, long created, long updated) {}

  /** A row and where it must be. */
  record Place(Row row, long address) {}

  /** The rows of fragments, deleted ones included, and the offsets of the deleted ones. */
  private record State(NavigableMap<Long, List<Row>> rows, Map<Long, Set<Integer>> deleted) {
    State copy() {
      Map<Long, Set<Integer>> sets = new HashMap<>();
      deleted.forEach((id, set) -> sets.put(id, new HashSet<>(set)));
      return new State(new TreeMap<>(rows), sets);
    }
  }

  private final Random random;
  private final BufferAllocator allocator;
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Session session = Session.create();
  private final Table table = Table.at(new StoreLocation(store, PATH, PATH));
  private final Committer committer = new Committer(table, CommitOptions.DEFAULT);
  private final List<State> states = new ArrayList<>();
  private State now = new State(new TreeMap<>(), new HashMap<>());
  private long nextKey;
  private long nextRowId;
  private long maxFragmentId = -1;

  StableHistory(Random random, BufferAllocator allocator) {
    this.random = random;
    this.allocator = allocator;
    int rows = random.nextInt(30);
    try (VectorSchemaRoot root = keys(rows, nextKey)) {
      Dataset.write(PATH)
          .store(store)
          .session(session)
          .allocator(allocator)
          .stableRowIds(true)
          .maxRowsPerFile(12)
          .from(root)
          .close();
    }
    addFresh(rows, 12);
    states.add(now.copy());
  }

  long version() {
    return states.size();
  }

  long nextRowId() {
    return nextRowId;
  }

  Dataset open() {
    return Dataset.open(PATH, options().build());
  }

  private OpenOptions.Builder options() {
    return OpenOptions.builder().store(store).session(session).allocator(allocator);
  }

  /** The live rows that a version must have, in their order. */
  List<Place> places(long version) {
    return places(states.get((int) version - 1));
  }

  private static List<Place> places(State state) {
    List<Place> places = new ArrayList<>();
    state.rows.forEach(
        (id, rows) -> {
          for (int i = 0; i < rows.size(); i++) {
            if (!state.deleted.get(id).contains(i)) {
              places.add(new Place(rows.get(i), RowAddress.pack(id, i)));
            }
          }
        });
    return places;
  }

  /** Makes one more version. */
  void step() {
    TableVersion latest = table.latest();
    boolean empty = places(now).isEmpty();
    switch (empty ? random.nextInt(3) : random.nextInt(11)) {
      case 0 -> append();
      case 1 -> restore(latest);
      case 2 -> overwrite();
      case 3, 4 -> delete(latest);
      case 5, 6, 7 -> update(latest);
      case 8, 9 -> compact();
      default -> rewrite(latest);
    }
    states.add(now.copy());
  }

  private void append() {
    int rows = 1 + random.nextInt(25);
    try (VectorSchemaRoot root = keys(rows, nextKey);
        Dataset dataset = open()) {
      dataset.append(root).close();
    }
    addFresh(rows, Integer.MAX_VALUE);
  }

  private void overwrite() {
    int rows = random.nextInt(25);
    try (VectorSchemaRoot root = keys(rows, nextKey)) {
      Dataset.write(PATH)
          .store(store)
          .session(session)
          .allocator(allocator)
          .mode(WriteMode.OVERWRITE)
          .maxRowsPerFile(12)
          .from(root)
          .close();
    }
    now = new State(new TreeMap<>(), new HashMap<>());
    long highest = maxFragmentId;
    maxFragmentId = -1;
    addFresh(rows, 12);
    maxFragmentId = Math.max(maxFragmentId, highest);
  }

  private void restore(TableVersion latest) {
    int version = 1 + random.nextInt(states.size());
    commit(latest, new Operation.Restore(version));
    now = states.get(version - 1).copy();
  }

  private void addFresh(int rows, int fragmentRows) {
    List<Row> fresh = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      fresh.add(freshRow());
    }
    addFragments(fresh, fragmentRows);
  }

  private Row freshRow() {
    long version = states.size() + 1L;
    return new Row(nextRowId++, nextKey++, version, version);
  }

  private void addFragments(List<Row> rows, int fragmentRows) {
    for (int from = 0; from < rows.size(); ) {
      int to = (int) Math.min((long) from + fragmentRows, rows.size());
      long id = ++maxFragmentId;
      now.rows.put(id, List.copyOf(rows.subList(from, to)));
      now.deleted.put(id, new HashSet<>());
      from = to;
    }
  }

  private List<Place> some() {
    double share = random.nextInt(6) == 0 ? 1 : random.nextDouble() * 0.6;
    List<Place> some = new ArrayList<>();
    for (Place place : places(now)) {
      if (random.nextDouble() < share) {
        some.add(place);
      }
    }
    return some;
  }

  private void delete(TableVersion latest) {
    List<Place> some = some();
    if (some.isEmpty() || random.nextBoolean()) {
      Removal removal = remove(latest, some);
      commit(latest, new Operation.Delete(removal.updated, removal.removed, "some"));
      return;
    }
    String keys =
        some.stream().map(place -> Long.toString(place.row.key)).collect(Collectors.joining(", "));
    try (Dataset dataset = open()) {
      dataset.delete("k IN (" + keys + ")").dataset().close();
    }
    forget(some);
  }

  private void forget(List<Place> places) {
    for (Place place : places) {
      RowAddress address = new RowAddress(place.address);
      now.deleted.get(address.fragmentId()).add((int) address.offset());
    }
    now.rows.entrySet().removeIf(e -> now.deleted.get(e.getKey()).size() == e.getValue().size());
    now.deleted.keySet().retainAll(now.rows.keySet());
  }

  private record Removal(List<FragmentMetadata> updated, List<Long> removed) {}

  private Removal remove(TableVersion latest, List<Place> places) {
    Map<Long, RoaringBitmap> byFragment = new TreeMap<>();
    for (Place place : places) {
      RowAddress address = new RowAddress(place.address);
      byFragment
          .computeIfAbsent(address.fragmentId(), id -> new RoaringBitmap())
          .add((int) address.offset());
    }
    forget(places);
    List<FragmentMetadata> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    byFragment.forEach(
        (id, offsets) -> {
          FragmentMetadata fragment = latest.manifest().fragment(id).orElseThrow();
          DeletionVector vector = DeletionFiles.read(latest, fragment).plus(offsets);
          if (vector.cardinality() == fragment.physicalRows()) {
            removed.add(id);
          } else {
            updated.add(
                fragment.withDeletionFile(
                    Optional.of(DeletionFiles.write(table, fragment, latest.version(), vector))));
          }
        });
    return new Removal(updated, removed);
  }

  private void update(TableVersion latest) {
    List<Place> moved = some();
    if (random.nextBoolean()) {
      Collections.shuffle(moved, random);
    }
    int inserted = random.nextInt(8);
    int fragmentRows = 1 + random.nextInt(20);
    List<FragmentMetadata> written = write(moved.size() + inserted, nextKey, fragmentRows);
    long[] rowIds = moved.stream().mapToLong(place -> place.row.rowId).toArray();
    long[] lengths = written.stream().mapToLong(FragmentMetadata::physicalRows).toArray();
    List<RowIdSequence> pieces =
        RowIdSequence.rechunk(List.of(RowIdSequence.of(rowIds)), lengths, true);
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      fragments.add(written.get(i).withRowIds(inline(pieces.get(i))));
    }
    List<Row> rows = new ArrayList<>();
    for (Place place : moved) {
      rows.add(new Row(place.row.rowId, nextKey++, place.row.created, states.size() + 1L));
    }
    for (int i = 0; i < inserted; i++) {
      rows.add(freshRow());
    }
    Removal removal = remove(latest, moved);
    commit(
        latest,
        new Operation.Update(
            removal.removed,
            removal.updated,
            fragments,
            List.of(),
            List.of(),
            List.of(0),
            Operation.UpdateMode.REWRITE_ROWS,
            Optional.empty()));
    addFragments(rows, fragmentRows);
  }

  private void compact() {
    CompactionOptions options =
        CompactionOptions.builder().targetRowsPerFragment(1 + random.nextInt(30)).build();
    try (Dataset dataset = open()) {
      List<CompactionTask> tasks = dataset.planCompaction(options).tasks();
      if (tasks.isEmpty()) {
        append();
        return;
      }
      dataset.compact(options).dataset().close();
      // The version in which the ids of the new fragments were set aside.
      states.add(now.copy());
      for (CompactionTask task : tasks) {
        List<Row> rows = new ArrayList<>();
        for (Place place : places(now)) {
          long id = RowAddress.fragmentId(place.address);
          if (task.fragments().stream().anyMatch(ids -> ids.first() <= id && id <= ids.last())) {
            rows.add(place.row);
          }
        }
        for (IdRange ids : task.fragments()) {
          now.rows.subMap(ids.first(), true, ids.last(), true).clear();
        }
        now.deleted.keySet().retainAll(now.rows.keySet());
        addFragments(rows, (int) task.output().maxRowsPerFile());
      }
    }
  }

  private void rewrite(TableVersion latest) {
    List<Row> rows = places(now).stream().map(Place::row).toList();
    int fragmentRows = 1 + random.nextInt(40);
    long[] keys = rows.stream().mapToLong(Row::key).toArray();
    List<FragmentMetadata> written = write(root(keys), fragmentRows);
    long[] lengths = written.stream().mapToLong(FragmentMetadata::physicalRows).toArray();
    StableRows stable = new StableRows(latest, session);
    List<RowIdSequence> ids = new ArrayList<>();
    List<RowVersionSequence> created = new ArrayList<>();
    List<RowVersionSequence> updated = new ArrayList<>();
    for (FragmentMetadata old : latest.manifest().fragments()) {
      RoaringBitmap deleted = DeletionFiles.read(latest, old).offsets();
      ids.add(stable.rowIds(old).mask(deleted));
      created.add(stable.createdVersions(old).mask(deleted));
      updated.add(stable.lastUpdatedVersions(old).mask(deleted));
    }
    ids = RowIdSequence.rechunk(ids, lengths, false);
    created = RowVersionSequence.rechunk(created, lengths);
    updated = RowVersionSequence.rechunk(updated, lengths);
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      fragments.add(
          written
              .get(i)
              .withRowIds(inline(ids.get(i)))
              .withRowVersions(inline(updated.get(i)), inline(created.get(i))));
    }
    Operation.RewriteGroup group =
        new Operation.RewriteGroup(latest.manifest().fragments(), fragments);
    commit(latest, new Operation.Rewrite(List.of(group), List.of()));
    now = new State(new TreeMap<>(), new HashMap<>());
    addFragments(rows, fragmentRows);
  }

  private static SequenceLocation inline(RowIdSequence rowIds) {
    return new SequenceLocation.Inline(rowIds.toByteString());
  }

  private static SequenceLocation inline(RowVersionSequence versions) {
    return new SequenceLocation.Inline(versions.toByteString());
  }

  private void commit(TableVersion latest, Operation operation) {
    committer.commit(latest, Transaction.of(latest.version(), operation));
  }

  private List<FragmentMetadata> write(int rows, long firstKey, int fragmentRows) {
    return write(keys(rows, firstKey), fragmentRows);
  }

  private List<FragmentMetadata> write(VectorSchemaRoot rows, int fragmentRows) {
    InsertOptions options =
        new InsertOptions(allocator, Optional.empty(), fragmentRows, Long.MAX_VALUE, false);
    try (rows;
        DataWriter writer =
            new DataWriter(table, table.latest().manifest().schema(), FileVersion.V2_1, options)) {
      writer.writeAll(BatchSource.of(rows, null));
      return writer.finish();
    }
  }

  private VectorSchemaRoot keys(int rows, long first) {
    long[] keys = new long[rows];
    for (int i = 0; i < rows; i++) {
      keys[i] = first + i;
    }
    return root(keys);
  }

  private VectorSchemaRoot root(long[] keys) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    for (int i = 0; i < keys.length; i++) {
      ((BigIntVector) root.getVector("k")).setSafe(i, keys[i]);
    }
    root.setRowCount(keys.length);
    return root;
  }

  OptionalLong randomVersion() {
    return OptionalLong.of(1L + random.nextInt(states.size()));
  }

  long storedNextRowId() {
    return table.latest().manifest().nextRowId();
  }

  @Override
  public void close() {
    session.close();
  }
}
