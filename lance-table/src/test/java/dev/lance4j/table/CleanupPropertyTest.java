package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.StoreCall;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Which files go, against a naive twin, over random histories. */
class CleanupPropertyTest {
  /** A random policy, and the twin's understanding of it. */
  private static final class Choice {
    final CleanupPolicy.Builder policy = CleanupPolicy.builder();
    final long handle;
    final boolean unverified;
    private final Set<Long> old = new TreeSet<>();

    Choice(CleanupHistory history, Random random) {
      List<Long> all = new ArrayList<>(history.versions.keySet());
      handle = random.nextInt(4) == 0 ? pick(all, random) : history.latest().version();
      old.addAll(all);
      old.removeIf(version -> version >= handle);
      if (random.nextBoolean()) {
        Instant bound = history.committed.get(pick(all, random));
        policy.before(bound);
        old.removeIf(version -> !history.committed.get(version).isBefore(bound));
      }
      if (random.nextInt(3) == 0) {
        long bound = pick(all, random);
        policy.beforeVersion(bound);
        old.removeIf(version -> version >= bound);
      }
      if (random.nextInt(3) == 0) {
        int count = 1 + random.nextInt(all.size() + 2);
        policy.keepLast(count);
        Set<Long> newest = new HashSet<>(all.subList(Math.max(0, all.size() - count), all.size()));
        old.removeAll(newest);
      }
      unverified = random.nextBoolean();
      policy.deleteUnverified(unverified);
    }

    private static long pick(List<Long> versions, Random random) {
      return versions.get(random.nextInt(versions.size()));
    }

    Set<Long> taggedOld(CleanupHistory history) {
      Set<Long> tagged = new TreeSet<>(old);
      tagged.retainAll(history.tagged);
      return tagged;
    }

    Set<Long> kept(CleanupHistory history) {
      return kept(history, unverified);
    }

    Set<Long> kept(CleanupHistory history, boolean nobodyWrites) {
      Set<Long> kept = new TreeSet<>(history.versions.keySet());
      kept.removeAll(old);
      kept.addAll(taggedOld(history));
      for (long version : old) {
        if (!nobodyWrites && kept.contains(version - 1)) {
          kept.add(version);
        }
      }
      return kept;
    }
  }

  private static Set<String> expected(CleanupHistory history, Choice choice) {
    Set<String> needed = new HashSet<>();
    Set<String> committed = new HashSet<>();
    Set<Long> kept = choice.kept(history);
    history.versions.forEach(
        (version, files) -> (kept.contains(version) ? needed : committed).addAll(files));
    history.detached.forEach(
        (manifest, files) -> {
          if (!choice.unverified && !history.old.contains(manifest)) {
            needed.add(manifest);
            needed.addAll(files);
          }
        });
    Set<String> expected = new TreeSet<>();
    for (String file : CleanupHistory.files(history.table)) {
      boolean stays;
      if (history.detached.containsKey(file)) {
        stays = needed.contains(file);
      } else if (file.startsWith("_versions/") && file.endsWith(".manifest")) {
        long version = ManifestNaming.classify(file.substring(10)).orElseThrow().version();
        stays = kept.contains(version);
      } else if (needed.contains(file) || history.foreign.contains(file)) {
        stays = true;
      } else {
        boolean provenGarbage =
            choice.unverified || history.old.contains(file) || committed.contains(file);
        stays = !provenGarbage;
      }
      if (stays) {
        expected.add(file);
      }
    }
    return expected;
  }

  private static CleanupHistory history(Random random) {
    CleanupHistory history = new CleanupHistory(random);
    for (int i = random.nextInt(25); i >= 0; i--) {
      history.step();
    }
    return history;
  }

  @Property(tries = 300)
  void whatNoVersionNeedsGoesAndNothingElse(@ForAll Random random) {
    CleanupHistory history = history(random);
    Choice choice = new Choice(history, random);
    Set<String> before = CleanupHistory.files(history.table);
    Set<String> expected = expected(history, choice);
    TableVersion handle = history.table.version(choice.handle);
    if (!choice.taggedOld(history).isEmpty()) {
      assertThatThrownBy(() -> new Cleanup(choice.policy.build()).run(handle))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(choice.taggedOld(history).toString());
      assertThat(CleanupHistory.files(history.table)).isEqualTo(before);
      choice.policy.errorIfTaggedOldVersions(false);
    }

    CleanupResult foreseen = new Cleanup(choice.policy.dryRun(true).build()).run(handle);
    assertThat(CleanupHistory.files(history.table)).isEqualTo(before);
    CleanupResult result = new Cleanup(choice.policy.dryRun(false).build()).run(handle);

    assertThat(CleanupHistory.files(history.table)).isEqualTo(expected);
    assertThat(foreseen).isEqualTo(result);
    before.removeAll(expected);
    assertThat(result.oldVersions())
        .isEqualTo(history.versions.size() - choice.kept(history).size());
    assertThat(result.dataFilesRemoved()).isEqualTo(count(before, "data/", ".lance"));
    assertThat(result.deletionFilesRemoved()).isEqualTo(count(before, "_deletions/", ""));
    assertThat(result.transactionFilesRemoved()).isEqualTo(count(before, "_transactions/", ""));
    assertThat(result.indexFilesRemoved()).isEqualTo(count(before, "_indices/", ""));
    CleanupResult again = new Cleanup(choice.policy.build()).run(handle);
    assertThat(again).isEqualTo(new CleanupResult(0, 0, 0, 0, 0, 0));
  }

  private static long count(Set<String> files, String prefix, String suffix) {
    return files.stream().filter(f -> f.startsWith(prefix) && f.endsWith(suffix)).count();
  }

  @Property(tries = 60)
  void aCleanUpThatIsInterruptedHarmsNoVersionThatStays(@ForAll Random random) {
    CleanupHistory history = history(random);
    Choice choice = new Choice(history, random);
    Set<String> expected = expected(history, choice);
    choice.policy.errorIfTaggedOldVersions(false);
    FaultyObjectStore faulty = new FaultyObjectStore(history.store);
    Table table = Tables.in(faulty);
    Fault fault = random.nextBoolean() ? Fault.ERROR_BEFORE : Fault.ERROR_AFTER;
    faulty.failNth(fault, StoreCall.DELETE, 1 + random.nextInt(10));
    try {
      new Cleanup(choice.policy.build()).run(table.version(choice.handle));
    } catch (UncheckedIOException e) {
      assertThat(e).hasMessageContaining("Injected");
    }

    Set<String> files = CleanupHistory.files(history.table);
    assertThat(files).containsAll(expected);
    for (long version : choice.kept(history)) {
      assertThat(history.table.version(version).manifest().version()).isEqualTo(version);
      assertThat(files).containsAll(history.versions.get(version));
    }
    for (ManifestLocation location : history.table.findAll()) {
      assertThat(files).containsAll(history.versions.get(location.version()));
    }
    faulty.heal();
    choice.policy.deleteUnverified(true);
    new Cleanup(choice.policy.build()).run(table.version(choice.handle));
    Set<String> needed = new HashSet<>(history.foreign);
    choice.kept(history, true).forEach(version -> needed.addAll(history.versions.get(version)));
    Set<String> left = CleanupHistory.files(history.table);
    left.removeIf(file -> file.startsWith("_versions/") && file.endsWith(".manifest"));
    assertThat(left).isEqualTo(needed);
  }
}
