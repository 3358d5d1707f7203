package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.CompactionMode;
import dev.lance4j.compaction.CompactionPlan;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.internal.StorageVersion;
import java.util.ArrayList;
import java.util.List;

/** Chooses the fragments to rewrite, from metadata. */
public final class CompactionPlanner {
  private final Scan.Source source;
  private final TableVersion version;
  private final CompactionSettings settings;

  public CompactionPlanner(Scan.Source source, CompactionSettings settings) {
    this.source = source;
    this.version = source.version();
    this.settings = settings;
  }

  /**
   * The plan.
   *
   * @throws InvalidInputException if index remap is to be deferred where rows have stable ids
   * @throws UnsupportedFormatException if what is asked for cannot be done
   */
  public CompactionPlan plan() {
    check();
    List<CompactionTask> tasks = new ArrayList<>();
    long fragments = 0;
    for (List<Candidate> bin : bins()) {
      for (List<Candidate> part : split(bin)) {
        fragments += part.size();
        if (fragments > settings.maxSourceFragments()) {
          return plan(tasks);
        }
        tasks.add(task(part));
      }
    }
    return plan(tasks);
  }

  private CompactionPlan plan(List<CompactionTask> tasks) {
    return new CompactionPlan(version.table().uri(), version.version(), tasks);
  }

  private void check() {
    StorageVersion.requireWritable(version.manifest());
    if (settings.deferIndexRemap() && version.manifest().hasStableRowIds()) {
      throw new InvalidInputException(
          version.table().uri()
              + " has stable row ids, with which indices need no remap; compact it without"
              + " deferIndexRemap");
    }
    if (settings.mode() == CompactionMode.FORCE_BINARY_COPY) {
      throw new UnsupportedFormatException(
          "Pages cannot be copied as they are; compact with the mode reencode");
    }
  }

  /** Candidates that lie next to each other and are covered by the same index segments. */
  private List<List<Candidate>> bins() {
    IndexSets indices = new IndexSets(version);
    List<List<Candidate>> bins = new ArrayList<>();
    List<Candidate> bin = new ArrayList<>();
    List<FragmentMetadata> fragments = FragmentIds.ascending(version);
    for (int i = 0; i < fragments.size(); i++) {
      FragmentMetadata fragment = fragments.get(i);
      Candidate candidate = hasOwnId(fragments, i) ? candidate(fragment) : null;
      boolean ends =
          candidate == null
              || (!bin.isEmpty() && !indices.same(bin.get(0).fragment().id(), fragment.id()));
      if (ends) {
        addWorthwhile(bin, bins);
        bin = new ArrayList<>();
      }
      if (candidate != null) {
        bin.add(candidate);
      }
    }
    addWorthwhile(bin, bins);
    return bins;
  }

  // Early writers gave the same id twice; nobody can tell which of the two a rewrite replaces.
  private static boolean hasOwnId(List<FragmentMetadata> fragments, int index) {
    long id = fragments.get(index).id();
    return (index == 0 || fragments.get(index - 1).id() != id)
        && (index + 1 == fragments.size() || fragments.get(index + 1).id() != id);
  }

  private static void addWorthwhile(List<Candidate> bin, List<List<Candidate>> bins) {
    if (bin.size() > 1 || (bin.size() == 1 && bin.get(0).byItself())) {
      bins.add(bin);
    }
  }

  /** A fragment if there is a reason to rewrite it, and else null. */
  private Candidate candidate(FragmentMetadata fragment) {
    long physical = PhysicalRows.counted(version, fragment, source.session()).physicalRows();
    long deleted = physical - FragmentReader.liveRows(version, fragment, source.session());
    boolean byItself = hasManyDeletions(physical, deleted);
    return byItself || physical < settings.targetRowsPerFragment()
        ? new Candidate(fragment, physical, deleted, byItself)
        : null;
  }

  // In single precision, as the real library compares, so that both choose the same fragments.
  private boolean hasManyDeletions(long physical, long deleted) {
    float threshold = settings.materializeDeletionsThreshold();
    return settings.materializeDeletions()
        && threshold < 1
        && deleted > 0
        && (float) deleted / (float) physical > threshold;
  }

  /** Cuts a bin into parts that have about as many live rows as a fragment shall have. */
  private List<List<Candidate>> split(List<Candidate> bin) {
    long left = 0;
    for (Candidate candidate : bin) {
      left += candidate.liveRows();
    }
    List<List<Candidate>> parts = new ArrayList<>();
    List<Candidate> part = new ArrayList<>();
    long rows = 0;
    for (Candidate candidate : bin) {
      if (!part.isEmpty()
          && rows >= settings.targetRowsPerFragment()
          && left >= settings.targetRowsPerFragment()) {
        parts.add(part);
        part = new ArrayList<>();
        rows = 0;
      }
      part.add(candidate);
      rows += candidate.liveRows();
      left -= candidate.liveRows();
    }
    parts.add(part);
    return parts;
  }

  private CompactionTask task(List<Candidate> part) {
    int small = 0;
    long live = 0;
    long deleted = 0;
    long bytes = 0;
    for (Candidate candidate : part) {
      small += candidate.byItself() ? 0 : 1;
      live += candidate.liveRows();
      deleted += candidate.deletedRows();
      bytes += candidate.liveBytes();
    }
    long target = settings.targetRowsPerFragment();
    return new CompactionTask(
        version.table().uri(),
        version.version(),
        FragmentIds.ranges(part.stream().map(Candidate::fragment).toList()),
        new CompactionTask.Output(
            target == 0 ? InsertOptions.DEFAULT_MAX_ROWS_PER_FILE : target,
            settings.maxBytesPerFile(),
            settings.batchSize()),
        new CompactionTask.Expected(small, part.size() - small, live, deleted, bytes));
  }
}
