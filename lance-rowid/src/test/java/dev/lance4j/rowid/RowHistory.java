package dev.lance4j.rowid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * A table of rows without columns that goes through a random history. Which row is where is kept
 * twice: as the fragments of a table are, and in a map.
 */
final class RowHistory {
  private final Random random;
  private final Map<Long, RowIdSequence> sequences = new TreeMap<>();
  private final Map<Long, RoaringBitmap> deleted = new TreeMap<>();
  private final NavigableMap<Long, Long> addressById = new TreeMap<>();
  private long nextRowId;
  private long nextFragmentId;

  RowHistory(Random random) {
    this.random = random;
  }

  /** Appends, deletes, moves or compacts some rows. */
  void step() {
    switch (random.nextInt(5)) {
      case 0 -> append();
      case 1 -> deleteSome();
      case 2 -> moveSome(false);
      case 3 -> moveSome(true);
      default -> compact();
    }
  }

  void append() {
    int rows = 1 + random.nextInt(80);
    add(RowIdSequence.EMPTY.fill(rows, nextRowId));
    nextRowId += rows;
  }

  private void add(RowIdSequence sequence) {
    long fragment = nextFragmentId++;
    sequences.put(fragment, sequence);
    deleted.put(fragment, new RoaringBitmap());
    for (int offset = 0; offset < sequence.length(); offset++) {
      addressById.put(sequence.rowId(offset), RowAddress.pack(fragment, offset));
    }
  }

  private List<Long> someIds() {
    double share = random.nextBoolean() ? 0.05 : random.nextDouble();
    return new ArrayList<>(
        addressById.keySet().stream().filter(id -> random.nextDouble() < share).toList());
  }

  private void deleteSome() {
    for (long id : someIds()) {
      RowAddress address = new RowAddress(addressById.remove(id));
      deleted.get(address.fragmentId()).add((int) address.offset());
    }
    sequences.keySet().removeIf(this::isAllDeleted);
    deleted.keySet().retainAll(sequences.keySet());
  }

  private boolean isAllDeleted(long fragment) {
    return deleted.get(fragment).getLongCardinality() == sequences.get(fragment).length();
  }

  private void moveSome(boolean shuffled) {
    List<Long> ids = someIds();
    if (shuffled) {
      Collections.shuffle(ids, random);
    }
    RowIdSequence.Builder moved = RowIdSequence.builder();
    for (int from = 0; from < ids.size(); ) {
      int to = from + 1 + random.nextInt(ids.size() - from);
      long[] batch = ids.subList(from, to).stream().mapToLong(Long::longValue).toArray();
      moved.append(batch, 0, batch.length);
      from = to;
    }
    for (long id : ids) {
      RowAddress address = new RowAddress(addressById.get(id));
      deleted.get(address.fragmentId()).add((int) address.offset());
    }
    if (!ids.isEmpty()) {
      add(moved.build());
    }
  }

  private void compact() {
    List<Long> fragments = sequences.keySet().stream().filter(id -> random.nextBoolean()).toList();
    List<RowIdSequence> live = new ArrayList<>();
    long rows = 0;
    for (long fragment : fragments) {
      RowIdSequence kept = sequences.remove(fragment).mask(deleted.remove(fragment));
      live.add(kept);
      rows += kept.length();
    }
    long[] lengths = {rows / 3, rows - rows / 3};
    RowIdSequence.rechunk(live, lengths, false).stream()
        .filter(sequence -> sequence.length() > 0)
        .forEach(this::add);
  }

  /** The fragments as an index is given them. */
  List<FragmentRowIds> fragments() {
    List<FragmentRowIds> fragments = new ArrayList<>();
    sequences.forEach(
        (id, sequence) -> {
          RoaringBitmap dead = deleted.get(id);
          fragments.add(new FragmentRowIds(id, sequence, dead.isEmpty() ? null : dead));
        });
    Collections.shuffle(fragments, random);
    return fragments;
  }

  /** Every id ever given out and two that were not. */
  long[] everyId() {
    long[] ids = new long[(int) nextRowId + 2];
    Arrays.setAll(ids, i -> i);
    return ids;
  }

  /** Where these rows are. */
  long[] addresses(long[] ids) {
    return Arrays.stream(ids).map(id -> addressById.getOrDefault(id, RowAddress.NONE)).toArray();
  }

  int liveRows() {
    return addressById.size();
  }
}
