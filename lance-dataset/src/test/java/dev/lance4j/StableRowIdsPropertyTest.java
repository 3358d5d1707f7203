package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.StableHistory.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Rows keep their identity through random histories, in every version. */
class StableRowIdsPropertyTest {
  private static final int STEPS = 14;

  @Property(tries = 40)
  void rowsAreWhatTheirHistoryMadeThem(@ForAll Random random) throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        StableHistory history = new StableHistory(random, allocator)) {
      for (int i = 0; i < STEPS; i++) {
        history.step();
        assertThat(history.storedNextRowId()).isEqualTo(history.nextRowId());
        try (Dataset dataset = history.open()) {
          check(dataset, history, random);
          try (Dataset earlier = dataset.checkout(history.randomVersion().getAsLong())) {
            check(earlier, history, random);
          }
        }
      }
    }
  }

  private static void check(Dataset dataset, StableHistory history, Random random)
      throws Exception {
    List<Place> places = history.places(dataset.version());
    List<List<Long>> expected = new ArrayList<>();
    for (Place place : places) {
      expected.add(values(place, expected.size()));
    }
    assertThat(rows(dataset.scan().select(COLUMNS).batchSize(7).open())).isEqualTo(expected);
    checkTakes(dataset, history, expected, random);
    if (!expected.isEmpty()) {
      checkFilters(dataset, expected.get(random.nextInt(expected.size())));
    }
    long to = 1L + random.nextInt((int) dataset.version());
    checkDelta(dataset, random.nextInt((int) to + 1), to, places);
  }

  private static final String[] COLUMNS = {
    "_rowid",
    "k",
    "_row_created_at_version",
    "_row_last_updated_at_version",
    "_rowaddr",
    "_rowoffset"
  };

  private static List<Long> values(Place place, long position) {
    return List.of(
        place.row().rowId(),
        place.row().key(),
        place.row().created(),
        place.row().updated(),
        place.address(),
        position);
  }

  private static void checkTakes(
      Dataset dataset, StableHistory history, List<List<Long>> rows, Random random)
      throws Exception {
    Map<Long, List<Long>> byId = new HashMap<>();
    rows.forEach(row -> byId.put(row.get(0), row));
    assertThat(byId).as("distinct ids").hasSize(rows.size());
    // Once with so few ids that they are found without an index, once with enough for one.
    for (int count : new int[] {3, 300}) {
      long[] ids = random.longs(count, 0, history.nextRowId() + 3).toArray();
      List<List<Long>> expected = new ArrayList<>();
      for (long id : ids) {
        if (byId.containsKey(id)) {
          expected.add(byId.get(id));
        }
      }
      assertThat(rows(dataset.takeRows(ids, COLUMNS))).isEqualTo(expected);
    }
    if (!rows.isEmpty()) {
      long[] positions = random.longs(5, 0, rows.size()).toArray();
      List<List<Long>> expected = new ArrayList<>();
      for (long position : positions) {
        expected.add(rows.get((int) position));
      }
      assertThat(rows(dataset.take(positions, COLUMNS))).isEqualTo(expected);
    }
  }

  /** The real library takes addresses and offsets for ids here (F12). */
  private static void checkFilters(Dataset dataset, List<Long> row) throws Exception {
    for (String column : List.of("_rowid", "_rowaddr", "_rowoffset")) {
      long value = row.get(List.of(COLUMNS).indexOf(column));
      String filter = column + " = " + value;
      assertThat(rows(dataset.scan().select(COLUMNS).where(filter).open()))
          .as(filter)
          .containsExactly(row);
    }
  }

  private static void checkDelta(Dataset dataset, long from, long to, List<Place> places)
      throws Exception {
    assertThat(ids(dataset.delta(from, to).inserted()))
        .isEqualTo(ids(places, row -> row.created() > from && row.created() <= to));
    assertThat(ids(dataset.delta(from, to).updated()))
        .isEqualTo(
            ids(
                places,
                row -> row.created() <= from && row.updated() > from && row.updated() <= to));
    String inserted = "_row_created_at_version > " + from + " AND _row_created_at_version <= " + to;
    assertThat(ids(dataset.scan().withRowId().where(inserted).open()))
        .isEqualTo(ids(dataset.delta(from, to).inserted()));
  }

  private static List<Long> ids(List<Place> places, Predicate<StableHistory.Row> chosen) {
    return places.stream()
        .map(Place::row)
        .filter(chosen)
        .map(StableHistory.Row::rowId)
        .collect(Collectors.toList());
  }

  private static List<Long> ids(ArrowReader reader) throws Exception {
    List<Long> ids = new ArrayList<>();
    Songs.column(reader, "_rowid").forEach(id -> ids.add((Long) id));
    return ids;
  }

  private static List<List<Long>> rows(ArrowReader reader) throws Exception {
    List<List<Long>> rows = new ArrayList<>();
    try (reader) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int i = 0; i < root.getRowCount(); i++) {
          List<Long> row = new ArrayList<>();
          for (String column : COLUMNS) {
            row.add(
                root.getVector(column) instanceof UInt8Vector numbers
                    ? numbers.get(i)
                    : ((BigIntVector) root.getVector(column)).get(i));
          }
          rows.add(row);
        }
      }
    }
    return rows;
  }
}
