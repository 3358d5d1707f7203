package dev.lance4j;

import dev.lance4j.compaction.Recommendation;
import java.util.List;

/**
 * What maintenance did.
 *
 * @param dataset the newest version known, to be closed by the caller
 * @param done what was recommended and is done, in order
 */
public record MaintenanceResult(Dataset dataset, List<Recommendation> done) {
  public MaintenanceResult {
    done = List.copyOf(done);
  }
}
