package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.ForwardingObjectStore;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.table.internal.ManifestFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commits and opening a table ask of the store, whatever the table's age and size. */
class CommitCostTest {
  private static final int MANY_VERSIONS = 2_000;

  /** Counts the names that listings give, and lists in order or in reverse. */
  private static final class Listed extends ForwardingObjectStore {
    private final MemoryObjectStore objects;
    private final boolean inOrder;
    private long names;

    Listed(MemoryObjectStore objects, boolean inOrder) {
      super(objects);
      this.objects = objects;
      this.inOrder = inOrder;
    }

    @Override
    public void list(String directory, Predicate<String> visitor) {
      List<String> all = new ArrayList<>();
      objects.list(directory, all::add);
      for (int i = 0; i < all.size(); i++) {
        names++;
        if (!visitor.test(all.get(inOrder ? i : all.size() - 1 - i))) {
          return;
        }
      }
    }

    @Override
    public boolean listsInOrder() {
      return inOrder;
    }
  }

  private static TableVersion create(Table table, int fragments) {
    List<FragmentMetadata> all = new ArrayList<>();
    for (int i = 0; i < fragments; i++) {
      all.add(Tables.fragment("f" + i + ".lance", 1));
    }
    return new Committer(table, CommitOptions.DEFAULT)
        .create(Transaction.of(0, new Operation.Overwrite(all, Tables.SCHEMA)));
  }

  private static TableVersion append(TableVersion handle) {
    return new Committer(handle.table(), CommitOptions.DEFAULT)
        .commit(
            handle,
            Transaction.of(
                handle.version(), new Operation.Append(List.of(Tables.fragment("x.lance", 1)))));
  }

  private static TableVersion grow(TableVersion handle, int versions) {
    TableVersion newest = handle;
    while (newest.version() < versions) {
      newest =
          new Committer(handle.table(), CommitOptions.DEFAULT)
              .commit(
                  newest,
                  Transaction.of(newest.version(), new Operation.Delete(List.of(), List.of(), "")));
    }
    return newest;
  }

  private static Map<StoreCall, Long> calls(CountingObjectStore store) {
    Map<StoreCall, Long> calls = new EnumMap<>(StoreCall.class);
    for (StoreCall call : StoreCall.values()) {
      calls.put(call, store.calls(call));
    }
    return calls;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitAsksForTheSameAtEveryAge(boolean inOrder) {
    CountingObjectStore store =
        new CountingObjectStore(new Listed(new MemoryObjectStore(), inOrder));
    TableVersion young = append(create(Tables.in(store), 1));
    store.reset();
    young = append(young);
    Map<StoreCall, Long> expected = calls(store);

    TableVersion old = grow(young, MANY_VERSIONS);
    store.reset();
    append(old);

    assertThat(calls(store)).isEqualTo(expected);
    assertThat(expected)
        .containsEntry(StoreCall.PUT_IF_ABSENT, 1L)
        .containsEntry(StoreCall.LIST, 1L)
        .containsEntry(StoreCall.READ, 0L)
        .containsEntry(StoreCall.STAT, 0L)
        .containsEntry(StoreCall.EXISTS, 1L)
        .containsEntry(StoreCall.PUT, inOrder ? 1L : 2L);
  }

  @Test
  void aCommitAsksForTheSameAtEverySize() {
    CountingObjectStore small = new CountingObjectStore(new MemoryObjectStore());
    TableVersion few = append(create(Tables.in(small), 1));
    small.reset();
    append(few);
    CountingObjectStore large = new CountingObjectStore(new MemoryObjectStore());
    TableVersion many = append(create(Tables.in(large), 10_000));
    large.reset();
    append(many);

    assertThat(calls(large)).isEqualTo(calls(small));
    assertThat(large.bytes(StoreCall.PUT)).isLessThan(1_000);
  }

  @Test
  void anOrderedListingIsLeftAtTheNewestVersion() {
    Listed store = new Listed(new MemoryObjectStore(), true);
    TableVersion newest = grow(create(Tables.in(store), 1), MANY_VERSIONS);
    store.names = 0;

    assertThat(newest.table().latest().version()).isEqualTo(MANY_VERSIONS);
    assertThat(store.names).isEqualTo(1);
    append(newest);
    assertThat(store.names).isEqualTo(2);
    append(newest);
    assertThat(store.names).isEqualTo(4);
  }

  /** Only the names of newest-first manifests in an ordered listing say at once which is newest. */
  @ParameterizedTest
  @CsvSource({"V1, false, 10000", "V1, true, 10000", "V2, false, 10000", "V2, true, 1"})
  void theNewestOfTenThousandVersionsIsFoundByOneListingAndRead(
      ManifestNaming naming, boolean inOrder, long names) {
    Listed listed = new Listed(new MemoryObjectStore(), inOrder);
    CountingObjectStore store = new CountingObjectStore(listed);
    Table table = Tables.in(store);
    int versions = 10_000;
    for (int version = 1; version < versions; version++) {
      Tables.put(table, naming.fileName(version), ByteBuffer.allocate(1));
    }
    Manifest newest = Manifest.builder(versions, Tables.SCHEMA).build();
    Tables.put(
        table, naming.fileName(versions), ManifestFile.write(newest, List.of(), new byte[0]));
    store.reset();
    listed.names = 0;

    assertThat(table.latest().version()).isEqualTo(versions);

    assertThat(listed.names).isEqualTo(names);
    assertThat(store.calls(StoreCall.LIST)).isEqualTo(1);
    assertThat(store.calls(StoreCall.OPEN)).isEqualTo(1);
    assertThat(store.calls(StoreCall.READ)).isEqualTo(1);
    assertThat(store.calls()).isEqualTo(3);
  }

  @Test
  void aListingInAnyOrderIsReadOnce() {
    Listed store = new Listed(new MemoryObjectStore(), false);
    TableVersion newest = grow(create(Tables.in(store), 1), 100);
    long objects = 101;
    store.names = 0;

    assertThat(newest.table().latest().version()).isEqualTo(100);
    assertThat(store.names).isEqualTo(objects);
  }

  @Test
  void theHintFollowsTheNewestVersionWhereListingsAreInNoOrder() {
    Listed store = new Listed(new MemoryObjectStore(), false);
    TableVersion newest = grow(create(Tables.in(store), 1), 12);

    assertThat(hint(store, newest)).isEqualTo("{\"version\":12}");
    new Committer(newest.table(), CommitOptions.DEFAULT)
        .commitDetached(newest, Transaction.of(12, new Operation.Delete(List.of(), List.of(), "")));
    assertThat(hint(store, newest)).isEqualTo("{\"version\":12}");
    assertThat(hintIsThere(new Listed(new MemoryObjectStore(), true))).isFalse();
  }

  private static String hint(ObjectStore store, TableVersion version) {
    String path = version.table().path() + "/_versions/latest_version_hint.json";
    int size = (int) store.stat(path).size();
    return java.nio.charset.StandardCharsets.US_ASCII
        .decode(store.open(path).read(0, size))
        .toString();
  }

  private static boolean hintIsThere(Listed store) {
    TableVersion created = create(Tables.in(store), 1);
    return store.exists(created.table().path() + "/_versions/latest_version_hint.json");
  }
}
