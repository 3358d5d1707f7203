package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.VectorIndexSpec;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * When the store fails before anything can be committed, what was written so far is of no use to
 * anybody, and is removed.
 */
class FailedMaintenanceTest {
  private static final String PATH = "table";
  private static final CompactionOptions DEFERRED =
      CompactionOptions.builder().deferIndexRemap(true).build();

  private final BufferAllocator allocator = new RootAllocator();
  private final Random random = new Random(7);

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** What is done to a table whose indices do not know all rows. */
  enum Work {
    COMPACT {
      @Override
      Dataset on(Dataset dataset) {
        return dataset.compact().dataset();
      }
    },
    APPEND_TO_INDICES {
      @Override
      Dataset on(Dataset dataset) {
        return dataset.optimizeIndices(OptimizeOptions.append());
      }
    },
    OPTIMIZE_INDICES {
      @Override
      Dataset on(Dataset dataset) {
        return dataset.optimizeIndices(OptimizeOptions.defaults());
      }
    },
    RETRAIN_INDICES {
      @Override
      Dataset on(Dataset dataset) {
        return dataset.optimizeIndices(OptimizeOptions.retrain());
      }
    },
    REMAP_INDICES {
      @Override
      Dataset on(Dataset dataset) {
        return dataset.remapIndices();
      }
    };

    abstract Dataset on(Dataset dataset);
  }

  private static Dataset open(ObjectStore store, BufferAllocator allocator) {
    return TableStates.open(store, PATH, allocator);
  }

  private VectorSchemaRoot rows(int from, int to) {
    List<MaintainedRow> rows = new ArrayList<>();
    for (int k = from; k < to; k++) {
      rows.add(MaintainedRow.random(k, random));
    }
    return MaintainedRow.batch(rows, allocator);
  }

  /** Three fragments, of which the indices know two, which may have become one since. */
  private ObjectStore table(boolean moved) {
    ObjectStore store = new MemoryObjectStore();
    try (VectorSchemaRoot rows = rows(0, 60);
        VectorSchemaRoot more = rows(60, 75);
        Dataset plain =
            Dataset.write(PATH).store(store).allocator(allocator).maxRowsPerFile(30).from(rows);
        Dataset byKey = plain.createIndex("k", ScalarIndexSpec.btree());
        Dataset byList = byKey.createIndex("l", ScalarIndexSpec.labelList());
        Dataset byVector = byList.createIndex("p", VectorIndexSpec.ivfFlat().partitions(2));
        Dataset appended = byVector.append(more)) {
      if (moved) {
        appended.compact(DEFERRED).dataset().close();
      }
    }
    return store;
  }

  private static Set<String> files(ObjectStore store) {
    Set<String> files = new TreeSet<>();
    store.walk(PATH + "/_indices", object -> files.add(object.path()));
    store.walk(PATH + "/data", object -> files.add(object.path()));
    return files;
  }

  @ParameterizedTest
  @EnumSource
  void nothingStaysOfWorkThatTheStoreCutShort(Work work) {
    ObjectStore base = table(work == Work.REMAP_INDICES);
    Set<String> before = files(base);
    int writes = writes(base, work);
    assertThat(writes).isGreaterThanOrEqualTo(3);
    for (int write = 1; write <= writes; write++) {
      ObjectStore store = TableStates.copy(base, PATH);
      FaultyObjectStore faulty = new FaultyObjectStore(store);
      faulty.fail(
          Fault.ERROR_BEFORE,
          StoreCall.PUT,
          path -> path.contains("/_indices/") || path.contains("/data/"),
          write,
          1);
      try (Dataset dataset = open(faulty, allocator)) {
        assertThatThrownBy(() -> work.on(dataset)).isInstanceOf(UncheckedIOException.class);
      }
      assertThat(files(store)).as("after write %d of %d", write, writes).isEqualTo(before);
    }
  }

  /** How many files of data and indices are written when nothing fails. */
  private int writes(ObjectStore base, Work work) {
    ObjectStore store = TableStates.copy(base, PATH);
    try (Dataset dataset = open(store, allocator)) {
      work.on(dataset).close();
    }
    return files(store).size() - files(base).size();
  }
}
