package dev.lance4j.compaction;

import dev.lance4j.compaction.MaintenanceReport.IndexState;
import dev.lance4j.compaction.Recommendation.Action;
import dev.lance4j.compaction.internal.MaintenanceState;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.index.IndexSource;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tells what a table needs to stay fast, and does it: observe, act, verify. Nothing runs by itself.
 * Immutable.
 */
public final class Maintenance {
  private final Scan.Source source;

  /**
   * What was done.
   *
   * @param version the newest version known
   * @param done what was recommended and is done
   */
  public record Result(TableVersion version, List<Recommendation> done) {}

  /**
   * @param source the version to look at
   */
  public Maintenance(Scan.Source source) {
    this.source = source;
  }

  /** The state of the table, for fragments as the table's own settings and the defaults have it. */
  public MaintenanceReport report() {
    return report(MaintenancePolicy.DEFAULT);
  }

  private MaintenanceReport report(MaintenancePolicy policy) {
    return new MaintenanceState(source).report(targetRows(policy));
  }

  private long targetRows(MaintenancePolicy policy) {
    return policy
        .compaction()
        .resolve(source.version().manifest().config())
        .targetRowsPerFragment();
  }

  /** What a policy says is to be done, the most pressing first; reads no rows. */
  public List<Recommendation> recommend(MaintenancePolicy policy) {
    MaintenanceReport report = report(policy);
    List<Recommendation> all = new ArrayList<>();
    recommendCompaction(policy, report, all);
    for (IndexState index : report.indices()) {
      recommendFor(index, policy, all);
    }
    recommendRemap(policy, report, all);
    return all;
  }

  private void recommendCompaction(
      MaintenancePolicy policy, MaintenanceReport report, List<Recommendation> all) {
    CompactionPlan plan = new Compaction(source).plan(policy.compaction());
    long fragments = plan.tasks().stream().mapToLong(CompactionTask::fragmentCount).sum();
    if (fragments < policy.minFragmentsToCompact()) {
      return;
    }
    long small = plan.tasks().stream().mapToLong(t -> t.expected().smallFragments()).sum();
    long deletions =
        plan.tasks().stream().mapToLong(t -> t.expected().fragmentsWithDeletions()).sum();
    long rows = plan.tasks().stream().mapToLong(t -> t.expected().liveRows()).sum();
    long deleted = plan.tasks().stream().mapToLong(t -> t.expected().deletedRows()).sum();
    all.add(
        new Recommendation(
            Action.COMPACT,
            source.version().table().uri(),
            text(
                "%,d of %,d fragments are small and %,d have many deleted rows (a compaction of"
                    + " %,d fragments or more is wanted)",
                small, report.fragments().size(), deletions, policy.minFragmentsToCompact()),
            text(
                "%,d fragments become fewer, %,d rows are written, %,d deleted rows are no longer"
                    + " read",
                fragments, rows, deleted)));
  }

  private static void recommendFor(
      IndexState index, MaintenancePolicy policy, List<Recommendation> all) {
    Double recall = policy.recall().get(index.name());
    if (recall != null && recall < policy.minRecall()) {
      all.add(
          new Recommendation(
              Action.RETRAIN,
              index.name(),
              text("the measured recall is %.3f, less than %.3f", recall, policy.minRecall()),
              text(
                  "the index is trained to the %,d rows that there are now",
                  index.indexedRows() + index.unindexedRows())));
      return;
    }
    boolean isBehind =
        index.unindexedRows() > 0 && index.unindexedRatio() > policy.maxUnindexedRatio();
    int segments = index.segments().size() + (isBehind ? 1 : 0);
    if (segments > policy.maxSegments()) {
      all.add(
          new Recommendation(
              Action.MERGE_SEGMENTS,
              index.name(),
              text(
                  "%,d segments%s, more than %,d",
                  segments,
                  isBehind ? " with one for the rows that are not indexed" : "",
                  policy.maxSegments()),
              text("each search looks into 1 segment instead of %,d", segments)));
    } else if (isBehind) {
      all.add(
          new Recommendation(
              Action.APPEND_DELTA,
              index.name(),
              text(
                  "%,d rows (%.1f %%) are not indexed, more than %.1f %%",
                  index.unindexedRows(),
                  100 * index.unindexedRatio(),
                  100 * policy.maxUnindexedRatio()),
              text("each search scans %,d rows less", index.unindexedRows())));
    }
  }

  // Last, since segments that are written anew for other reasons catch up on the way.
  private void recommendRemap(
      MaintenancePolicy policy, MaintenanceReport report, List<Recommendation> all) {
    if (report.remapBacklog() > policy.maxRemapBacklog()) {
      all.add(
          new Recommendation(
              Action.REMAP,
              source.version().table().uri(),
              text(
                  "%,d compactions left indices as they were, more than %,d",
                  report.remapBacklog(), policy.maxRemapBacklog()),
              text(
                  "indices are read without translating %,d addresses",
                  report.remapBacklogRows())));
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /**
   * Does what a policy recommends: compacts first, then brings indices up to date on what that led
   * to, and at last forgets where rows went before.
   *
   * @throws CommitConflictException if others changed the same fragments or indices meanwhile; what
   *     was committed before that stays
   */
  public Result run(MaintenancePolicy policy) {
    List<Recommendation> recommended = recommend(policy);
    List<Recommendation> done = new ArrayList<>();
    Scan.Source current = source;
    for (Recommendation each : recommended) {
      TableVersion next = carryOut(each, current, policy);
      // Segments of kinds that are not known cannot catch up.
      if (next.version() != current.version().version()) {
        done.add(each);
      }
      current = new Scan.Source(next, current.session(), current.allocator());
    }
    return new Result(current.version(), done);
  }

  private static TableVersion carryOut(
      Recommendation each, Scan.Source current, MaintenancePolicy policy) {
    return switch (each.action()) {
      case COMPACT ->
          new Compaction(current).run(policy.compaction(), CompactionListener.NONE).version();
      case APPEND_DELTA -> optimize(OptimizeOptions.append(), each, current, policy);
      case MERGE_SEGMENTS ->
          optimize(OptimizeOptions.merge(Integer.MAX_VALUE), each, current, policy);
      case RETRAIN -> optimize(OptimizeOptions.retrain(), each, current, policy);
      case REMAP -> {
        TableVersion remapped = new RemapIndices(indices(current)).remap(List.of());
        Scan.Source next = new Scan.Source(remapped, current.session(), current.allocator());
        yield new RemapIndices(indices(next)).trim();
      }
    };
  }

  private static TableVersion optimize(
      OptimizeOptions options, Recommendation each, Scan.Source current, MaintenancePolicy policy) {
    OptimizeOptions only = options.only(each.target()).build(policy.build());
    return new OptimizeIndices(indices(current), only).execute();
  }

  private static IndexSource indices(Scan.Source source) {
    return new IndexSource(source.version(), source.session(), source.allocator());
  }
}
