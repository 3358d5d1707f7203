package dev.lance4j.interop.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.interop.IndexUpkeep;
import dev.lance4j.interop.IndexUpkeep.Remap;
import dev.lance4j.interop.IndexUpkeep.Update;
import dev.lance4j.interop.IndexUpkeep.Who;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scalar indices of each kind that one library built, and one compacted or brought up to date, give
 * both libraries the rows of a scan, and are what both look into.
 */
@WithOracle
class CompactedKindsInteropTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;
  private String uri;

  @BeforeEach
  void locate() {
    uri = folder.resolve("table.lance").toString();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /**
   * @param builder who builds the index
   * @param keeper who compacts
   */
  record Compacting(ScalarKind kind, Remap remap, Who builder, Who keeper) {}

  private static List<ScalarKind> kinds() {
    return List.of(
        ScalarKind.BTREE,
        ScalarKind.BITMAP,
        ScalarKind.LABEL_LIST,
        ScalarKind.ZONE_MAP,
        ScalarKind.BLOOM_FILTER);
  }

  static List<Compacting> compactings() {
    List<Compacting> all = new ArrayList<>();
    for (ScalarKind kind : kinds()) {
      for (Remap remap : Remap.values()) {
        for (Who builder : Who.values()) {
          for (Who keeper : Who.values()) {
            all.add(new Compacting(kind, remap, builder, keeper));
          }
        }
      }
    }
    return all;
  }

  private void index(ScalarKind kind, Who builder) {
    if (builder == Who.WE) {
      kind.indexOurs(uri, allocator);
    } else {
      kind.indexTheirs(uri);
    }
  }

  private long fragments() {
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      return dataset.fragments().size();
    }
  }

  @ParameterizedTest
  @MethodSource("compactings")
  void bothUseAnIndexOfACompactedTable(Compacting cell) {
    ScalarKind kind = cell.kind();
    IndexedTables.create(uri, cell.remap() == Remap.STABLE, allocator);
    index(kind, cell.builder());

    IndexUpkeep.compact(uri, cell.remap(), cell.keeper(), allocator);

    assertThat(fragments()).isEqualTo(1);
    boolean moved = cell.remap() == Remap.IMMEDIATE || cell.keeper() == Who.WE;
    // The real library says that zones cover fragments that they know nothing of.
    boolean lost = kind.hasZones() && !moved;
    requireSameRows(lost);
    requireUse(kind, !kind.hasZones(), lost);
    if (cell.remap() == Remap.DEFERRED) {
      try (Dataset dataset = IndexedTables.open(uri, allocator);
          Dataset remapped = dataset.remapIndices()) {
        assertThat(remapped.version() > dataset.version()).isEqualTo(!kind.hasZones());
      }
      requireSameRows(lost);
      requireUse(kind, !kind.hasZones(), lost);
    }
  }

  /**
   * @param builder who builds the index
   * @param keeper who brings it up to date
   */
  record Updating(ScalarKind kind, Update update, boolean stable, Who builder, Who keeper) {}

  static List<Updating> updatings() {
    List<Updating> all = new ArrayList<>();
    for (ScalarKind kind : kinds()) {
      for (Update update : Update.values()) {
        for (boolean stable : new boolean[] {false, true}) {
          all.add(new Updating(kind, update, stable, Who.WE, Who.THEY));
          all.add(new Updating(kind, update, stable, Who.THEY, Who.WE));
          all.add(new Updating(kind, update, stable, Who.WE, Who.WE));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("updatings")
  void bothUseAnIndexThatWasBroughtUpToDate(Updating cell) {
    ScalarKind kind = cell.kind();
    IndexedTables.create(uri, cell.stable(), allocator);
    index(kind, cell.builder());
    for (int turn = 0; turn < 2; turn++) {
      IndexedTables.change(uri, allocator);

      IndexUpkeep.optimize(uri, cell.update(), cell.keeper(), allocator);

      // The real library takes addresses of zones for stable row ids.
      boolean lost = kind.hasZones() && cell.stable();
      requireSameRows(lost);
      requireUse(kind, true, lost);
    }
  }

  private void requireSameRows(boolean lost) {
    for (String condition : ScalarKind.conditions()) {
      List<String> rows = IndexedTables.ours(uri, condition, false, allocator);
      assertThat(IndexedTables.ours(uri, condition, true, allocator))
          .as("ours with index: " + condition)
          .isEqualTo(rows);
      if (!lost) {
        assertThat(IndexedTables.theirs(uri, condition, true, allocator))
            .as("theirs with index: " + condition)
            .isEqualTo(rows);
      }
    }
  }

  /** Whether both look into the index for a condition, or we do not. */
  private void requireUse(ScalarKind kind, boolean used, boolean lost) {
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      String plan = dataset.scan().where(kind.condition()).explain();
      assertThat(plan.contains("Look up")).as(plan).isEqualTo(used);
    }
    if (used && !lost) {
      ObjectNode args = Oracle.args(uri).put("filter", kind.condition()).put("collectStats", true);
      JsonNode stats = oracle.call("scanStats", args);
      assertThat(stats.get("indicesLoaded").asInt()).as("%s", stats).isPositive();
      assertThat(stats.get("indexComparisons").asInt()).as("%s", stats).isPositive();
    }
  }
}
