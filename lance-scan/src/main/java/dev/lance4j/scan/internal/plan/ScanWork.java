package dev.lance4j.scan.internal.plan;

import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.internal.read.ChosenRows;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What a scan does with the rows of its fragments.
 *
 * @param fragments in order
 * @param all what is done with the rows of fragments of which nothing is known
 * @param keepsAll whether all rows come out of that
 * @param found what is done with the rows that indices find; absent if none are asked
 * @param notes what else whoever reads the plan should know
 */
record ScanWork(
    List<FragmentMetadata> fragments,
    ProjectNode all,
    boolean keepsAll,
    Optional<Found> found,
    List<NoteNode> notes) {

  /**
   * Work on rows that indices find.
   *
   * @param keepsAll whether all of them come out of it
   */
  record Found(LookUpNode rows, ProjectNode work, boolean keepsAll) {}

  Schema schema() {
    return all.schema();
  }

  List<PlanNode> inputs() {
    List<PlanNode> inputs = new ArrayList<>();
    found.ifPresent(each -> inputs.add(each.work()));
    if (found.isEmpty() || found.get().rows().leavesFragments()) {
      inputs.add(all);
    }
    inputs.addAll(notes);
    return inputs;
  }

  /** Asks the indices, and says what to do with each fragment. */
  List<FragmentWork> start() {
    Optional<RowMask<RowAddressSet>> rows = found.flatMap(each -> each.rows().search());
    List<FragmentWork> works = new ArrayList<>();
    for (FragmentMetadata fragment : fragments) {
      if (rows.isEmpty() || !found.get().rows().lookUp().covers(fragment)) {
        works.add(new FragmentWork(fragment, Optional.empty(), all, keepsAll));
      } else if (ChosenRows.mayBeIn(fragment.id(), rows.get())) {
        works.add(new FragmentWork(fragment, rows, found.get().work(), found.get().keepsAll()));
      }
    }
    return works;
  }
}
