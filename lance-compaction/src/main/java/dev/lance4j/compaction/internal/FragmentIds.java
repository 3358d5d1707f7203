package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.IdRange;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.List;

/** Between fragments and ranges of their ids. */
final class FragmentIds {
  private FragmentIds() {}

  /** The ids of fragments in ascending order. */
  static List<IdRange> ranges(List<FragmentMetadata> fragments) {
    List<IdRange> ranges = new ArrayList<>();
    for (FragmentMetadata fragment : fragments) {
      int last = ranges.size() - 1;
      if (last >= 0 && ranges.get(last).last() + 1 == fragment.id()) {
        ranges.set(last, new IdRange(ranges.get(last).first(), fragment.id()));
      } else {
        ranges.add(new IdRange(fragment.id(), fragment.id()));
      }
    }
    return ranges;
  }

  /**
   * The fragments of a version that have the ids, ascending.
   *
   * @throws InvalidInputException if there is not one for each
   */
  static List<FragmentMetadata> select(TableVersion version, List<IdRange> ranges) {
    List<FragmentMetadata> selected = new ArrayList<>();
    long count = 0;
    int range = 0;
    for (FragmentMetadata fragment : ascending(version)) {
      while (range < ranges.size() && ranges.get(range).last() < fragment.id()) {
        range++;
      }
      if (range < ranges.size() && ranges.get(range).first() <= fragment.id()) {
        selected.add(fragment);
      }
    }
    for (IdRange ids : ranges) {
      count += ids.count();
    }
    if (selected.size() != count) {
      throw new InvalidInputException(
          version + " has " + selected.size() + " of the " + count + " fragments " + ranges);
    }
    return selected;
  }

  /** All fragments of a version in the order of their ids. */
  static List<FragmentMetadata> ascending(TableVersion version) {
    List<FragmentMetadata> fragments = version.manifest().fragments();
    for (int i = 1; i < fragments.size(); i++) {
      if (fragments.get(i).id() < fragments.get(i - 1).id()) {
        return fragments.stream().sorted((a, b) -> Long.compare(a.id(), b.id())).toList();
      }
    }
    return fragments;
  }
}
