package dev.lance4j.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What tags and branches need of the versions of a table or branch.
 *
 * @param tagged the versions that have a tag
 * @param branchPoints the versions that branches started from
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
    Set<Long> points = new HashSet<>();
    List<Table> tables = new ArrayList<>();
    for (Branch branch : refs.branches()) {
      if (branch.parent().equals(own)) {
        points.add(branch.version());
      }
      if (!Optional.of(branch.name()).equals(own)) {
        tables.add(refs.main().branch(branch.name()));
      }
    }
    return new VersionsInUse(tagged, points, tables);
  }
}
