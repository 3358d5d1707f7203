package dev.lance4j.table;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.ObjectInfo;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.internal.RefFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what is recorded about tags and branches, at the root of the main branch. */
final class Refs {
  private static final String TAGS = "/_refs/tags";
  private static final String BRANCHES = "/_refs/branches";
  private static final String SUFFIX = ".json";

  private final Table main;

  Refs(Table main) {
    this.main = main;
  }

  Table main() {
    return main;
  }

  ObjectStore store() {
    return main.store();
  }

  String tagPath(String name) {
    return main.path() + TAGS + "/" + name + SUFFIX;
  }

  String branchPath(String name) {
    return main.path() + BRANCHES + "/" + name.replace("/", "%2F") + SUFFIX;
  }

  Optional<Tag> tag(String name) {
    return RefNames.isTag(name) ? readTag(name, tagPath(name)) : Optional.empty();
  }

  private Optional<Tag> readTag(String name, String path) {
    try {
      return Optional.of(RefFiles.readTag(store(), path, name));
    } catch (ObjectNotFoundException e) {
      return Optional.empty();
    }
  }

  Optional<Branch> branch(String name) {
    return RefNames.isBranch(name) ? readBranch(name, branchPath(name)) : Optional.empty();
  }

  private Optional<Branch> readBranch(String name, String path) {
    try {
      return Optional.of(RefFiles.readBranch(store(), path, name));
    } catch (ObjectNotFoundException e) {
      return Optional.empty();
    }
  }

  List<Tag> tags() {
    List<Tag> tags = new ArrayList<>();
    for (String file : files(TAGS)) {
      readTag(nameOf(file), main.path() + TAGS + "/" + file).ifPresent(tags::add);
    }
    return tags;
  }

  List<Branch> branches() {
    List<Branch> branches = new ArrayList<>();
    for (String file : files(BRANCHES)) {
      readBranch(nameOf(file), main.path() + BRANCHES + "/" + file).ifPresent(branches::add);
    }
    return branches;
  }

  private List<String> files(String directory) {
    List<String> names = new ArrayList<>();
    store()
        .list(
            main.path() + directory,
            name -> {
              if (name.endsWith(SUFFIX)) {
                names.add(name);
              }
              return true;
            });
    return names;
  }

  private static String nameOf(String file) {
    return RefNames.decoded(file.substring(0, file.length() - SUFFIX.length()));
  }

  /** The table of a branch, which must be there. */
  Table table(Optional<String> branch) {
    if (branch.isEmpty()) {
      return main;
    }
    String name = branch.get();
    if (branch(name).isEmpty()) {
      throw new InvalidInputException(
          "The dataset " + main.uri() + " has no branch '" + name + "'");
    }
    return main.branch(name);
  }

  TableVersion open(Ref ref) {
    if (ref instanceof Ref.OfBranch branch) {
      Table table = table(branch.name());
      OptionalLong version = branch.version();
      return version.isPresent() ? table.version(version.getAsLong()) : table.latest();
    }
    String name = ((Ref.OfTag) ref).name();
    return open(
        tag(name)
            .orElseThrow(
                () ->
                    new InvalidInputException(
                        "The dataset " + main.uri() + " has no tag '" + name + "'"))
            .target());
  }

  /** The size of a version's manifest. */
  long manifestBytes(Table table, long version) {
    return table
        .find(version)
        .map(location -> table.store().stat(location.path()))
        .map(ObjectInfo::size)
        .orElseThrow(() -> new VersionNotFoundException(table.uri(), version));
  }
}
