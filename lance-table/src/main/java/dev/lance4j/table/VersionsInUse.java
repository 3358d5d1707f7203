package dev.lance4j.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What tags and branches need of the versions of a table or branch.
 *
 * @param tagged the versions that have a tag
 * @param branchPoints the versions that branches, also deleted ones that have branches, started
 *     from
 * @param branches the tables of all other branches, whose files may be here
 */
record VersionsInUse(Set<Long> tagged, Set<Long> branchPoints, List<Table> branches) {
  static VersionsInUse of(TableVersion handle) {
    Optional<String> own = handle.branch();
    Refs refs = new Refs(handle.mainTable());
    Set<Long> tagged = new HashSet<>();
    for (Tag tag : refs.tags()) {
      if (tag.branch().equals(own)) {
        tagged.add(tag.version());
      }
    }
    List<Branch> all = refs.branches();
    List<Branch.Point> lineage = lineage(own, all);
    Set<Long> points = new HashSet<>();
    List<Table> tables = new ArrayList<>();
    for (Branch branch : all) {
      List<Branch.Point> other = branch.lineage();
      if (branch.parent().equals(own)) {
        points.add(branch.version());
      }
      if (startsWith(other, lineage)) {
        points.add(other.get(lineage.size()).version());
      }
      if (!own.equals(Optional.of(branch.name()))) {
        tables.add(refs.main().branch(branch.name()));
      }
    }
    return new VersionsInUse(tagged, points, tables);
  }

  /**
   * The newest versions of the branches that started from the table or branch of a version, or from
   * such a branch: none comes before one that started from it.
   */
  static List<TableVersion> descendants(TableVersion handle) {
    Refs refs = new Refs(handle.mainTable());
    List<Branch> all = refs.branches();
    List<Branch.Point> lineage = lineage(handle.branch(), all);
    boolean ofMain = handle.branch().isEmpty();
    return all.stream()
        .filter(branch -> !handle.branch().equals(Optional.of(branch.name())))
        .filter(branch -> ofMain || startsWith(branch.lineage(), lineage))
        .sorted(Comparator.comparingInt((Branch branch) -> branch.lineage().size()).reversed())
        .map(branch -> refs.main().branch(branch.name()).latest())
        .toList();
  }

  private static boolean startsWith(List<Branch.Point> longer, List<Branch.Point> lineage) {
    return longer.size() > lineage.size() && longer.subList(0, lineage.size()).equals(lineage);
  }

  private static List<Branch.Point> lineage(Optional<String> own, List<Branch> all) {
    for (Branch branch : all) {
      if (own.equals(Optional.of(branch.name()))) {
        return branch.lineage();
      }
    }
    return List.of();
  }
}
