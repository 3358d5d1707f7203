package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Ref;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tags, branches, clones, detached versions and settings as an application sees them. */
class VersionsTest {
  private static final String URI = "tables/songs.lance";

  private final BufferAllocator allocator = new RootAllocator();
  private final ObjectStore store = new MemoryObjectStore();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset create(int rows) {
    try (VectorSchemaRoot root = Songs.rows(0, rows, allocator)) {
      return Dataset.write(URI).store(store).allocator(allocator).maxRowsPerFile(3).from(root);
    }
  }

  private Dataset append(Dataset dataset, int from, int to) {
    try (VectorSchemaRoot root = Songs.rows(from, to, allocator)) {
      return dataset.append(root);
    }
  }

  private OpenOptions.Builder options() {
    return OpenOptions.builder().store(store).allocator(allocator);
  }

  @Test
  void aNameLeadsToATagOrABranch() {
    try (Dataset first = create(4);
        Dataset second = append(first, 4, 6)) {
      second.tags().create("release-1", 1);
      second.branches().create("dev");

      try (Dataset tagged = second.checkout("release-1");
          Dataset dev = tagged.checkout("dev");
          Dataset more = append(dev, 6, 7);
          Dataset main = more.checkout("main");
          Dataset newest = dev.latest()) {
        assertThat(tagged.version()).isEqualTo(1);
        assertThat(tagged.countRows()).isEqualTo(4);
        assertThat(dev.branch()).contains("dev");
        assertThat(more.version()).isEqualTo(3);
        assertThat(newest.countRows("k >= 5")).isEqualTo(2);
        assertThat(main.branch()).isEmpty();
        assertThat(main.countRows()).isEqualTo(6);
      }
    }
  }

  @Test
  void aNameThatIsNoneOrBothIsRefused() {
    try (Dataset dataset = create(1)) {
      dataset.tags().create("both", 1);
      dataset.branches().create("both");

      assertThatThrownBy(() -> dataset.checkout("none"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'none'");
      assertThatThrownBy(() -> dataset.checkout("both"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("Ref");
      try (Dataset branch = dataset.checkout(Ref.branch("both"));
          Dataset tag = dataset.checkout(Ref.tag("both"))) {
        assertThat(branch.branch()).contains("both");
        assertThat(tag.branch()).isEmpty();
      }
      assertThatThrownBy(() -> dataset.checkout(9)).isInstanceOf(VersionNotFoundException.class);
    }
  }

  @Test
  void aTagOrBranchIsOpenedAtOnce() {
    try (Dataset first = create(4);
        Dataset second = append(first, 4, 6)) {
      second.branches().create("a/b", 1);
      second.tags().create("t", 2);
    }

    try (Dataset tag = Dataset.open(URI, options().ref(Ref.tag("t")).build());
        Dataset branch = Dataset.open(URI, options().ref(Ref.branch("a/b", 1)).build());
        Dataset byPath = Dataset.open(URI + "/tree/a/b", options().build())) {
      assertThat(tag.countRows()).isEqualTo(6);
      assertThat(branch.countRows()).isEqualTo(4);
      assertThat(byPath.branch()).contains("a/b");
      assertThat(byPath.tags().list()).hasSize(1);
    }
    assertThatThrownBy(() -> Dataset.open(URI, options().ref(Ref.tag("t")).version(1).build()))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aCloneIsReadThroughItsBaseAndWrittenAtItsOwnPlace() {
    try (Dataset source = create(7);
        Dataset clone = source.shallowClone("tables/clone.lance");
        Dataset more = append(clone, 7, 9);
        Dataset less = more.delete("k = 0 OR k = 8").dataset()) {
      assertThat(less.countRows()).isEqualTo(7);
      assertThat(less.countRows("k > 0 AND k < 8")).isEqualTo(7);
      assertThat(source.countRows()).isEqualTo(7);
      assertThat(source.versions()).hasSize(1);
      store.walk("tables/clone.lance/_deletions", object -> assertThat(object.size()).isPositive());
      assertThatThrownBy(() -> source.shallowClone("tables/clone.lance"))
          .isInstanceOf(DatasetExistsException.class);
    }
  }

  @Test
  void aDetachedVersionIsFoundByItsNumberOnly() {
    try (Dataset first = create(7);
        Dataset detached =
            first.commitDetached(new Operation.Delete(List.of(), List.of(0L), "k < 3"));
        Dataset found = first.checkout(detached.version());
        Dataset newest = first.latest()) {
      assertThat(detached.version()).isNegative();
      assertThat(found.countRows()).isEqualTo(4);
      assertThat(newest.version()).isEqualTo(1);
      assertThatThrownBy(() -> append(detached, 7, 8)).isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> detached.shallowClone("tables/clone.lance"))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> detached.tags().create("t", detached.version() + 1))
          .isInstanceOf(VersionNotFoundException.class);
    }
  }

  @Test
  void settingsAreSetAndRemovedOneByOne() {
    Map<String, String> change = new HashMap<>();
    change.put("a", null);
    change.put("c", "3");
    try (Dataset first = create(1);
        Dataset second = first.updateConfig(Map.of("a", "1", "b", "2"));
        Dataset third = second.updateConfig(change);
        Dataset fourth = third.updateConfig(MapUpdate.replaceAll(Map.of("d", "4")));
        Dataset fifth = fourth.updateTableMetadata(MapUpdate.set(Map.of("owner", "me")));
        Dataset sixth = fifth.updateFieldMetadata("s", MapUpdate.set(Map.of("unit", "m")));
        Dataset seventh = sixth.updateSchemaMetadata(MapUpdate.set(Map.of("x", "y")))) {
      assertThat(first.config()).isEmpty();
      assertThat(second.config()).isEqualTo(Map.of("a", "1", "b", "2"));
      assertThat(third.config()).isEqualTo(Map.of("b", "2", "c", "3"));
      assertThat(fourth.config()).isEqualTo(Map.of("d", "4"));
      assertThat(seventh.config()).isEqualTo(Map.of("d", "4"));
      assertThat(seventh.tableMetadata()).isEqualTo(Map.of("owner", "me"));
      assertThat(seventh.schema().findField("s").getMetadata()).isEqualTo(Map.of("unit", "m"));
      assertThat(seventh.schema().getCustomMetadata()).isEqualTo(Map.of("x", "y"));
      assertThatThrownBy(
              () -> seventh.updateFieldMetadata("s.t", MapUpdate.set(Map.of("unit", "m"))))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> first.updateConfig(Map.of("a", "other")))
          .isInstanceOf(CommitConflictException.class);
    }
  }
}
