package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SessionTest {
  /** A value that knows whether it was closed. */
  private static final class Value implements AutoCloseable {
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private static Session.Lease<Value> acquire(Session session, String key, Value value) {
    return session.acquire(key, () -> value, v -> 10);
  }

  @Test
  void loadsAValueOnceWhileItIsKept() {
    Value value = new Value();
    try (Session session = Session.create(10)) {
      acquire(session, "a", value).close();
      try (Session.Lease<Value> again = acquire(session, "a", new Value())) {
        assertThat(again.value()).isSameAs(value);
      }
      assertThat(session.usedBytes()).isEqualTo(10);
      assertThat(value.closed).hasValue(0);
    }
    assertThat(value.closed).hasValue(1);
  }

  @Test
  void forgetsWhatWasNotUsedForLongest() {
    Value first = new Value();
    Value second = new Value();
    Value third = new Value();
    try (Session session = Session.create(20)) {
      acquire(session, "1", first).close();
      acquire(session, "2", second).close();
      acquire(session, "1", first).close();
      acquire(session, "3", third).close();
      assertThat(second.closed).hasValue(1);
      assertThat(first.closed).hasValue(0);
      assertThat(third.closed).hasValue(0);
    }
  }

  @Test
  void neverClosesWhatIsInUse() {
    Value value = new Value();
    Session session = Session.create(0);
    Session.Lease<Value> lease = acquire(session, "a", value);
    acquire(session, "b", new Value()).close();
    assertThat(value.closed).hasValue(0);
    session.close();
    assertThat(value.closed).hasValue(0);
    lease.close();
    lease.close();
    assertThat(value.closed).hasValue(1);
    assertThatThrownBy(() -> acquire(session, "a", value))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void triesAgainAfterLoadingFailed() {
    try (Session session = Session.create(10)) {
      assertThatThrownBy(
              () ->
                  session.acquire(
                      "a",
                      () -> {
                        throw new IllegalArgumentException("no");
                      },
                      v -> 1))
          .isInstanceOf(IllegalArgumentException.class);
      Value value = new Value();
      try (Session.Lease<Value> lease = acquire(session, "a", value)) {
        assertThat(lease.value()).isSameAs(value);
      }
    }
  }

  @Test
  void loadsAValueOnceForManyThreads() throws Exception {
    AtomicInteger loads = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try (Session session = Session.create(1_000)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String key = "key " + i % 10;
        tasks.add(
            () -> {
              try (Session.Lease<Integer> lease =
                  session.acquire(key, loads::incrementAndGet, v -> 1)) {
                assertThat(lease.value()).isPositive();
              }
              return null;
            });
      }
      for (Future<Void> done : executor.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(loads).hasValue(10);
  }
}
