package dev.lance4j.write.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.RetryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConflictRetriesTest {
  private final Table table =
      Table.at(new StoreLocation(new MemoryObjectStore(), "t", "memory://t"));
  private final Session session = Session.create();
  private final BufferAllocator allocator = new RootAllocator();
  private final TableVersion first = create();
  private final List<Long> versionsRead = new ArrayList<>();

  @AfterEach
  void close() {
    session.close();
    allocator.close();
  }

  private TableVersion create() {
    LanceSchema schema =
        LanceSchema.fromArrow(
            new Schema(List.of(Field.nullable("k", new ArrowType.Int(64, true)))));
    return new Committer(table, CommitOptions.DEFAULT)
        .create(Transaction.of(0, new Operation.Overwrite(List.of(), schema)));
  }

  private void commitSomething() {
    TableVersion latest = table.latest();
    new Committer(table, CommitOptions.DEFAULT)
        .commit(latest, Transaction.of(latest.version(), new Operation.ReserveFragments(1)));
  }

  private static CommitConflictException conflict(boolean retryable) {
    return new CommitConflictException("somebody was faster", 2, retryable);
  }

  /** Fails with a conflict until it has run some times, while others commit. */
  private ConflictRetries.Job<Integer> conflicting(int conflicts) {
    return attempt -> {
      versionsRead.add(attempt.source().version().version());
      if (attempt.number() <= conflicts) {
        commitSomething();
        throw conflict(true);
      }
      return attempt.number();
    };
  }

  private <R> R run(RetryOptions options, ConflictRetries.Job<R> job) {
    return ConflictRetries.run(new Scan.Source(first, session, allocator), options, job);
  }

  @Test
  void eachRunReadsTheNewestVersion() {
    assertThat((int) run(RetryOptions.DEFAULT, conflicting(3))).isEqualTo(4);
    assertThat(versionsRead).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void asManyRetriesAreMadeAsAreAllowed() {
    RetryOptions two = RetryOptions.DEFAULT.withMaxRetries(2);

    assertThat((int) run(two, conflicting(2))).isEqualTo(3);
    assertThatThrownBy(() -> run(two, conflicting(3)))
        .isInstanceOfSatisfying(
            TooMuchContentionException.class, e -> assertThat(e.attempts()).isEqualTo(3))
        .hasMessageContaining("Attempted 2 retries")
        .hasCauseInstanceOf(CommitConflictException.class);
    assertThatThrownBy(() -> run(two.withMaxRetries(0), conflicting(1)))
        .isInstanceOf(TooMuchContentionException.class)
        .hasMessageContaining("Attempted 0 retries");
  }

  @Test
  void otherErrorsAreNotRetried() {
    for (LanceException error : List.of(conflict(false), new InvalidInputException("no"))) {
      versionsRead.clear();

      assertThatThrownBy(
              () ->
                  run(
                      RetryOptions.DEFAULT,
                      attempt -> {
                        versionsRead.add(attempt.source().version().version());
                        throw error;
                      }))
          .isSameAs(error);
      assertThat(versionsRead).hasSize(1);
    }
  }

  @Test
  void theFirstRunIsAllowedToTakeLongerThanTheTimeout() {
    RetryOptions none = RetryOptions.DEFAULT.withTimeout(Duration.ZERO);

    int number =
        run(
            none,
            attempt -> {
              attempt.checkTime();
              return attempt.number();
            });
    assertThat(number).isEqualTo(1);
    assertThatThrownBy(() -> run(none, conflicting(1)))
        .isInstanceOf(TooMuchContentionException.class)
        .hasMessageContaining("Attempted 1 times, but failed on a timeout of 0.000 seconds");
  }

  @Test
  void aLaterRunIsCutOffWhenTheTimeIsUp() {
    assertThatThrownBy(
            () ->
                run(
                    RetryOptions.DEFAULT.withTimeout(Duration.ofMillis(20)),
                    attempt -> {
                      if (attempt.number() == 1) {
                        throw conflict(true);
                      }
                      while (true) {
                        attempt.checkTime();
                      }
                    }))
        .isInstanceOfSatisfying(
            TooMuchContentionException.class, e -> assertThat(e.attempts()).isEqualTo(2));
  }

  @Test
  void anInterruptedThreadStopsAndStaysInterrupted() {
    assertThatThrownBy(
            () ->
                run(
                    RetryOptions.DEFAULT,
                    attempt -> {
                      versionsRead.add(attempt.source().version().version());
                      Thread.currentThread().interrupt();
                      throw conflict(true);
                    }))
        .isInstanceOf(LanceException.class)
        .hasMessageContaining("nterrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(versionsRead).hasSize(1);
  }

  @Test
  void optionsMakeSense() {
    assertThatThrownBy(() -> RetryOptions.DEFAULT.withMaxRetries(-1))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> RetryOptions.DEFAULT.withTimeout(Duration.ofMillis(-1)))
        .isInstanceOf(InvalidInputException.class);
    assertThat(RetryOptions.DEFAULT).isEqualTo(new RetryOptions(10, Duration.ofSeconds(30)));
  }
}
