package dev.lance4j.format.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.store.ByteRange;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreWrappersTest {
  private static ByteBuffer bytes(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(values.length);
    for (int value : values) {
      buffer.put((byte) value);
    }
    return buffer.flip();
  }

  @Test
  void callsAndBytesAreCountedByKind() {
    CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());
    store.put("a/x", bytes(1, 2, 3));
    store.putIfAbsent("a/y", bytes(4, 5));
    try (ObjectReader reader = store.open("a/x")) {
      reader.read(1, 2);
      reader.read(List.of(new ByteRange(0, 1), new ByteRange(2, 1)));
    }
    store.list("a", name -> true);
    assertThat(store.calls(StoreCall.PUT)).isEqualTo(1);
    assertThat(store.bytes(StoreCall.PUT)).isEqualTo(3);
    assertThat(store.bytes(StoreCall.PUT_IF_ABSENT)).isEqualTo(2);
    assertThat(store.calls(StoreCall.OPEN)).isEqualTo(1);
    assertThat(store.calls(StoreCall.READ)).isEqualTo(2);
    assertThat(store.bytes(StoreCall.READ)).isEqualTo(4);
    assertThat(store.calls()).isEqualTo(6);
    store.reset();
    assertThat(store.calls()).isZero();
  }

  @Test
  void anErrorBeforeTheEffectLeavesTheStoreAlone() {
    FaultyObjectStore store = new FaultyObjectStore(new MemoryObjectStore());
    store.failNth(Fault.ERROR_BEFORE, StoreCall.PUT, 2);
    store.put("a", bytes(1));
    assertThatThrownBy(() -> store.put("b", bytes(2)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("PUT of b");
    assertThat(store.exists("b")).isFalse();
    store.put("b", bytes(2));
    assertThat(store.exists("b")).isTrue();
  }

  @Test
  void anErrorAfterTheEffectHidesThatItHappened() {
    FaultyObjectStore store = new FaultyObjectStore(new MemoryObjectStore());
    store.failNth(Fault.ERROR_AFTER, StoreCall.PUT_IF_ABSENT, 1);
    assertThatThrownBy(() -> store.putIfAbsent("a", bytes(1)))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(store.putIfAbsent("a", bytes(1))).isFalse();
  }

  @Test
  void aTruncatedReadDamagesTheAnswerAndNotTheObject() {
    FaultyObjectStore store = new FaultyObjectStore(new MemoryObjectStore());
    store.put("a", bytes(1, 2, 3, 4));
    store.failNth(Fault.TRUNCATED, StoreCall.READ, 1);
    try (ObjectReader reader = store.open("a")) {
      assertThat(reader.read(0, 4)).isEqualTo(bytes(1, 2, 0, 0));
      assertThat(reader.read(0, 4)).isEqualTo(bytes(1, 2, 3, 4));
    }
  }

  @Test
  void onlyThePathsChosenFailUntilHealed() {
    FaultyObjectStore store = new FaultyObjectStore(new MemoryObjectStore());
    store.fail(Fault.ERROR_BEFORE, StoreCall.DELETE, path -> path.equals("a"), 1, Long.MAX_VALUE);
    store.delete("b");
    List<String> failed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> store.delete("a")).isInstanceOf(UncheckedIOException.class);
      failed.add("a");
    }
    assertThat(failed).hasSize(3);
    store.heal();
    store.delete("a");
  }

  @Test
  void aSlowStoreTakesItsTime() {
    FaultyObjectStore store = new FaultyObjectStore(new MemoryObjectStore());
    store.slow(Duration.ofMillis(30));
    long start = System.nanoTime();
    store.exists("a");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(29));
  }
}
