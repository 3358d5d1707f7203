package dev.lance4j;

import static dev.lance4j.MergeTables.rows;
import static dev.lance4j.MergeTables.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.write.MergeOptions.Form;
import dev.lance4j.write.WhenMatched;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A merge whose store fails leaves the table, its files and the memory as they were. */
class MergeFaultsTest {
  private static final String PATH = "t";

  private final MemoryObjectStore store = new MemoryObjectStore();

  private Set<String> files() {
    Set<String> files = new TreeSet<>();
    store.walk(PATH, object -> files.add(object.path()));
    return files;
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void noFileOfAMergeThatFailsIsLeft(Form form) {
    FaultyObjectStore faulty = new FaultyObjectStore(store);
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = rows("k,v,s", "1:1:a 2:1:b 3:1:c 4:1:d", allocator);
        VectorSchemaRoot source = rows("k,v", "1:2 3:2 4:2 7:2 8:2", allocator)) {
      Dataset.write(PATH).store(store).allocator(allocator).maxRowsPerFile(2).from(table).close();
      Set<String> before = files();
      OpenOptions options = OpenOptions.builder().store(faulty).allocator(allocator).build();
      int failures = 0;
      for (StoreCall call : new StoreCall[] {StoreCall.READ, StoreCall.PUT}) {
        for (int n = 1; n <= 4; n++) {
          try (Dataset dataset = Dataset.open(PATH, options)) {
            faulty.fail(
                Fault.ERROR_BEFORE,
                call,
                path -> path.contains("/data/") || path.contains("/_deletions/"),
                n,
                1);
            MergeInsertBuilder merge =
                dataset
                    .mergeInsert("k")
                    .whenMatched(WhenMatched.updateAll())
                    .maxRowsPerFile(1)
                    .form(form);
            assertThatThrownBy(() -> merge.execute(source))
                .isInstanceOf(UncheckedIOException.class);
            failures++;
          }
          faulty.heal();
          assertThat(files()).isEqualTo(before);
        }
      }
      assertThat(failures).isEqualTo(8);
      try (Dataset dataset = Dataset.open(PATH, options)) {
        assertThat(text(dataset.scan().open())).hasSize(4).doesNotContain("1:2:a");
      }
    }
  }
}
