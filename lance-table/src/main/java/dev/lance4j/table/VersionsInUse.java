package dev.lance4j.table;

import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.internal.RefJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What tags and branches need of the versions of a table or branch.
 *
 * @param tagged the versions that have a tag
 * @param branchPoints the versions that branches started from
 * @param branches the tables of all other branches, whose files may be here
 */
record VersionsInUse(Set<Long> tagged, Set<Long> branchPoints, List<Table> branches) {
  static VersionsInUse of(TableVersion handle) {
    Table table = handle.table();
    Optional<String> own = handle.manifest().branch();
    String suffix = own.map(name -> "/tree/" + name).orElse("");
    String main = table.path().substring(0, table.path().length() - suffix.length());
    Set<Long> tagged = new HashSet<>();
    visit(
        table,
        main + "/_refs/tags",
        (name, json) -> {
          RefJson.Tag tag = RefJson.tag(json, name);
          if (tag.branch().equals(own)) {
            tagged.add(tag.version());
          }
        });
    List<RefJson.Branch> all = new ArrayList<>();
    visit(table, main + "/_refs/branches", (name, json) -> all.add(RefJson.branch(json, name)));
    Set<Long> points = new HashSet<>();
    List<Table> tables = new ArrayList<>();
    for (RefJson.Branch branch : all) {
      if (branch.parent().equals(own)) {
        points.add(branch.parentVersion());
      }
      if (!Optional.of(branch.name()).equals(own)) {
        String path = main + "/tree/" + branch.name();
        tables.add(Table.at(new StoreLocation(table.store(), path, path)));
      }
    }
    return new VersionsInUse(tagged, points, tables);
  }

  private static void visit(Table table, String directory, BiConsumer<String, String> visitor) {
    table
        .store()
        .list(
            directory,
            name -> {
              if (name.endsWith(".json")) {
                try (ObjectReader reader = table.store().open(directory + "/" + name)) {
                  visitor.accept(
                      name.substring(0, name.length() - ".json".length()),
                      StandardCharsets.UTF_8
                          .decode(reader.read(0, Math.toIntExact(reader.size())))
                          .toString());
                }
              }
              return true;
            });
  }
}
