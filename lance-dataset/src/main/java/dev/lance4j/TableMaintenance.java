package dev.lance4j;

import dev.lance4j.compaction.Maintenance;
import dev.lance4j.compaction.MaintenancePolicy;
import dev.lance4j.compaction.MaintenanceReport;
import dev.lance4j.compaction.Recommendation;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.scan.Scan;
import java.util.List;

/** Tells what a table needs to stay fast, and does it. Nothing runs by itself. Immutable. */
public final class TableMaintenance {
  private final Environment environment;
  private final Maintenance maintenance;

  TableMaintenance(Environment environment, Scan.Source source) {
    this.environment = environment;
    this.maintenance = new Maintenance(source);
  }

  /** The state of the table: its fragments and indices. Reads no rows. */
  public MaintenanceReport report() {
    return maintenance.report();
  }

  /** What a policy says is to be done, the most pressing first. Reads no rows. */
  public List<Recommendation> recommend(MaintenancePolicy policy) {
    return maintenance.recommend(policy);
  }

  /**
   * Does what a policy recommends.
   *
   * @return the newest version, which is the one that was looked at when there was nothing to do
   * @throws CommitConflictException if others changed the same fragments or indices meanwhile; what
   *     was committed before that stays
   */
  public MaintenanceResult run(MaintenancePolicy policy) {
    Maintenance.Result result = maintenance.run(policy);
    return new MaintenanceResult(new Dataset(environment, result.version()), result.done());
  }
}
