package dev.lance4j.table;

import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.internal.RefFiles;
import dev.lance4j.table.internal.WholeObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The branches of a table, but for the main one. They are no part of its versions: what is changed
 * here is changed for all. Safe for use by many threads.
 */
public final class Branches {
  private final Refs refs;
  private final TableVersion current;

  Branches(Table main, TableVersion current) {
    this.refs = new Refs(main);
    this.current = current;
  }

  /** All branches in the order of their names. */
  public List<Branch> list() {
    List<Branch> branches = refs.branches();
    branches.sort(Comparator.comparing(Branch::name));
    return branches;
  }

  /** The branch of a name, if there is one. */
  public Optional<Branch> find(String name) {
    return refs.branch(name);
  }

  /**
   * Starts a branch from the version that the dataset is.
   *
   * @param name letters and digits of ASCII, dots, hyphens and underscores, in parts that are
   *     separated by slashes
   * @throws InvalidInputException if the name cannot be one, or there is such a branch
   */
  public Branch create(String name) {
    return create(name, current);
  }

  /**
   * Starts a branch from a version of the branch that the dataset is of; errors as above.
   *
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public Branch create(String name, long version) {
    return create(name, Ref.branch(current.branch().orElse(Ref.MAIN), version));
  }

  /** Starts a branch from what a tag or another branch stands for; errors as above. */
  public Branch create(String name, Ref start) {
    RefNames.checkNewBranch(name);
    return create(name, refs.open(start));
  }

  private Branch create(String name, TableVersion start) {
    RefNames.checkNewBranch(name);
    if (refs.branch(name).isPresent()) {
      throw exists(name);
    }
    List<Branch.Point> lineage = new ArrayList<>(lineage(start.branch()));
    String id = UUID.randomUUID().toString().replace("-", "");
    lineage.add(new Branch.Point(start.version(), id));
    Branch branch =
        new Branch(
            name,
            start.branch(),
            start.version(),
            lineage,
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            refs.manifestBytes(start.table(), start.version()),
            Map.of());
    try {
      new Committer(refs.main().branch(name), CommitOptions.DEFAULT)
          .createClone(start, Optional.of(name));
    } catch (DatasetExistsException e) {
      throw new InvalidInputException(
          "There is a branch '"
              + name
              + "' of "
              + refs.main().uri()
              + " that is being created or was not completed; in the latter case delete it first",
          e);
    }
    if (!WholeObject.writeNew(refs.store(), refs.branchPath(name), RefFiles.write(branch))) {
      throw exists(name);
    }
    return branch;
  }

  private InvalidInputException exists(String name) {
    return new InvalidInputException(
        "The dataset " + refs.main().uri() + " has a branch '" + name + "' already");
  }

  private List<Branch.Point> lineage(Optional<String> branch) {
    if (branch.isEmpty()) {
      return List.of();
    }
    return existing(branch.get()).lineage();
  }

  private Branch existing(String name) {
    return refs.branch(name).orElseThrow(() -> missing(name));
  }

  private InvalidInputException missing(String name) {
    return new InvalidInputException(
        "The dataset " + refs.main().uri() + " has no branch '" + name + "'");
  }

  /**
   * Gives a branch other metadata.
   *
   * @throws InvalidInputException if there is no such branch
   */
  public Branch replaceMetadata(String name, Map<String, String> metadata) {
    Branch old = existing(name);
    Branch changed =
        new Branch(
            name,
            old.parent(),
            old.version(),
            old.lineage(),
            old.createdAt(),
            old.manifestBytes(),
            metadata);
    refs.store().put(refs.branchPath(name), RefFiles.write(changed));
    return changed;
  }

  /**
   * Removes a branch with all its versions; also one whose creation or removal was not completed.
   *
   * @throws InvalidInputException if there is no such branch, or another branch or a tag needs it
   */
  public void delete(String name) {
    RefNames.checkBranch(name);
    Optional<Branch> branch = refs.branch(name);
    List<Branch> others = new ArrayList<>(refs.branches());
    others.removeIf(other -> other.name().equals(name));
    if (branch.isEmpty() && !hasFiles(name, others)) {
      throw missing(name);
    }
    branch.ifPresent(gone -> checkNotNeeded(gone, others));
    refs.store().delete(refs.branchPath(name));
    refs.main().branch(name).forget();
    removeFiles(name, others);
  }

  private void checkNotNeeded(Branch branch, List<Branch> others) {
    List<String> needing = new ArrayList<>();
    for (Branch other : others) {
      if (branch.isAncestorOf(other)) {
        needing.add("branch " + other.name());
      }
    }
    for (Tag tag : refs.tags()) {
      if (tag.branch().equals(Optional.of(branch.name()))) {
        needing.add("tag " + tag.name());
      }
    }
    if (!needing.isEmpty()) {
      throw new InvalidInputException(
          "Branch '"
              + branch.name()
              + "' of "
              + refs.main().uri()
              + " cannot be deleted, because it is needed by "
              + String.join(", ", needing)
              + "; delete that first");
    }
  }

  /** Removes the files of a branch, but not those of branches that lie above or below it. */
  private void removeFiles(String name, List<Branch> others) {
    ObjectStore store = refs.store();
    String prefix = "";
    boolean alone = !RefNames.liesInsideFiles(name);
    for (String segment : name.split("/", -1)) {
      String path = prefix + segment;
      if (alone && others.stream().noneMatch(other -> isIn(path, other.name()))) {
        store.deleteAll(refs.main().branch(path).path());
        return;
      }
      prefix = path + "/";
    }
    visitFiles(name, others, store::delete);
  }

  private boolean hasFiles(String name, List<Branch> others) {
    List<String> files = new ArrayList<>();
    visitFiles(name, others, files::add);
    return !files.isEmpty();
  }

  /** Visits the files of a branch, but not those of branches that lie below it. */
  private void visitFiles(String name, List<Branch> others, Consumer<String> visitor) {
    List<String> below = new ArrayList<>();
    for (Branch other : others) {
      if (isIn(name, other.name())) {
        below.add(refs.main().branch(other.name()).path() + "/");
      }
    }
    for (String directory : RefNames.DIRECTORIES) {
      refs.store()
          .walk(
              refs.main().branch(name).path() + "/" + directory,
              object -> {
                if (below.stream().noneMatch(object.path()::startsWith)) {
                  visitor.accept(object.path());
                }
              });
    }
  }

  private static boolean isIn(String path, String branch) {
    return branch.equals(path) || branch.startsWith(path + "/");
  }
}
