package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.MaintenanceReport;
import dev.lance4j.compaction.MaintenanceReport.FragmentState;
import dev.lance4j.compaction.MaintenanceReport.IndexState;
import dev.lance4j.compaction.MaintenanceReport.SegmentState;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.Indices;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the state of a version of a table. */
public final class MaintenanceState {
  private final Scan.Source source;
  private final TableVersion version;

  public MaintenanceState(Scan.Source source) {
    this.source = source;
    this.version = source.version();
  }

  /**
   * The state.
   *
   * @param targetRows with fewer rows a fragment is small
   */
  public MaintenanceReport report(long targetRows) {
    List<FragmentState> fragments = new ArrayList<>();
    Map<Long, Long> liveRows = new HashMap<>();
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      FragmentState state = state(fragment, targetRows);
      fragments.add(state);
      liveRows.put(state.id(), state.liveRows());
    }
    IndexSource indices = new IndexSource(version, source.session(), source.allocator());
    List<IndexState> states =
        new Indices(indices).describe().stream().map(index -> state(index, liveRows)).toList();
    FragmentReuse reuse = FragmentReuse.of(version).orElse(new FragmentReuse(List.of()));
    return new MaintenanceReport(
        version.version(), fragments, states, reuse.versions().size(), movedRows(reuse));
  }

  private static long movedRows(FragmentReuse reuse) {
    long rows = 0;
    for (FragmentReuse.Version rewrite : reuse.versions()) {
      for (FragmentReuse.Group group : rewrite.groups()) {
        rows += group.newFragments().stream().mapToLong(FragmentReuse.Digest::physicalRows).sum();
      }
    }
    return rows;
  }

  private FragmentState state(FragmentMetadata fragment, long targetRows) {
    long live = FragmentReader.liveRows(version, fragment, source.session());
    long physical = Math.max(live, fragment.physicalRows());
    long bytes = fragment.files().stream().mapToLong(DataFile::sizeBytes).sum();
    return new FragmentState(fragment.id(), live, physical - live, bytes, physical < targetRows);
  }

  private static IndexState state(IndexDescription index, Map<Long, Long> liveRows) {
    long all = liveRows.values().stream().mapToLong(Long::longValue).sum();
    List<SegmentState> segments = new ArrayList<>();
    for (IndexSegment segment : index.segments()) {
      long rows = 0;
      for (long id : segment.fragmentIds()) {
        rows += liveRows.getOrDefault(id, 0L);
      }
      segments.add(new SegmentState(segment.uuid(), rows, segment.sizeBytes()));
    }
    return new IndexState(
        index.name(), index.type(), index.rowsIndexed(), all - index.rowsIndexed(), segments);
  }
}
