package dev.lance4j.table.internal;

import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/**
 * Joins what both sides did to the {@link FragmentReuse} entry: a rewrite that adds to it forgets
 * what others trimmed from it meanwhile and keeps what they added, and so does a trim.
 */
final class ReuseRebase extends Rebase {
  private static final Comparator<FragmentReuse.Version> BY_VERSION =
      (a, b) -> Long.compareUnsigned(a.datasetVersion(), b.datasetVersion());

  private final List<FragmentReuse.Version> added = new ArrayList<>();
  private Optional<FragmentReuse> theirs = Optional.empty();

  ReuseRebase(Table table, Transaction original) {
    super(table, original);
  }

  @Override
  public void observe(TableVersion version, Operation committed) {
    if (committed instanceof Operation.Rewrite rewrite && rewrite.fragmentReuse().isPresent()) {
      FragmentReuse left = read(version, rewrite.fragmentReuse().get());
      if (trim().isPresent()) {
        left.versions().stream().max(BY_VERSION).ifPresent(added::add);
      } else if (deferred().isPresent()) {
        theirs = Optional.of(left);
      }
    } else if (committed instanceof Operation.CreateIndex creation && deferred().isPresent()) {
      Optional<IndexMetadata> left = FragmentReuse.entry(creation.newIndices());
      if (left.isPresent()) {
        theirs = Optional.of(read(version, left.get()));
      } else if (FragmentReuse.entry(creation.removedIndices()).isPresent()) {
        theirs = Optional.of(new FragmentReuse(List.of()));
      }
    }
  }

  private FragmentReuse read(TableVersion version, IndexMetadata entry) {
    return FragmentReuse.read(table, version.manifest(), entry);
  }

  /** The entry that the transaction trims, if it does that. */
  private Optional<IndexMetadata> trim() {
    return original.operation() instanceof Operation.CreateIndex creation
        ? FragmentReuse.entry(creation.newIndices())
        : Optional.empty();
  }

  /** The entry that the transaction extends, if it does that. */
  private Optional<IndexMetadata> deferred() {
    return original.operation() instanceof Operation.Rewrite rewrite
        ? rewrite.fragmentReuse()
        : Optional.empty();
  }

  @Override
  public Rebased onto(TableVersion latest) {
    if (theirs.isPresent()) {
      IndexMetadata ours = deferred().orElseThrow();
      FragmentReuse joined = joined(read(latest, ours), theirs.get());
      IndexMetadata entry =
          joined.write(
              table, ours.datasetVersion(), ours.fragments().orElseGet(RoaringBitmap::new));
      Operation.Rewrite rewrite = (Operation.Rewrite) original.operation();
      return rebased(latest, rewrite.withFragmentReuse(entry), ours, entry);
    }
    if (!added.isEmpty()) {
      IndexMetadata ours = trim().orElseThrow();
      FragmentReuse joined = read(latest, ours);
      for (FragmentReuse.Version version : added) {
        joined = joined.plus(version);
      }
      IndexMetadata entry = joined.write(table, ours.datasetVersion(), joined.newFragments());
      List<IndexMetadata> replaced = FragmentReuse.entry(latest.indices()).stream().toList();
      return rebased(latest, new Operation.CreateIndex(List.of(entry), replaced), ours, entry);
    }
    return new Rebased(original, List.of(), List.of());
  }

  /**
   * What others left, with what a rewrite adds to it: its last version, and those before it that
   * nobody trimmed.
   */
  private static FragmentReuse joined(FragmentReuse ours, FragmentReuse left) {
    List<FragmentReuse.Version> versions = new ArrayList<>(left.versions());
    Optional<FragmentReuse.Version> first =
        left.versions().isEmpty()
            ? ours.versions().stream().max(BY_VERSION)
            : left.versions().stream().min(BY_VERSION);
    int last = ours.versions().size() - 1;
    for (int i = 0; i <= last; i++) {
      FragmentReuse.Version version = ours.versions().get(i);
      boolean untrimmed = i == last || BY_VERSION.compare(version, first.orElseThrow()) >= 0;
      if (untrimmed && !versions.contains(version)) {
        versions.add(version);
      }
    }
    versions.sort(BY_VERSION);
    return new FragmentReuse(versions);
  }

  private Rebased rebased(
      TableVersion latest, Operation operation, IndexMetadata ours, IndexMetadata entry) {
    return new Rebased(
        with(latest, operation),
        FragmentReuseFiles.file(table, entry).stream().toList(),
        FragmentReuseFiles.file(table, ours).stream().toList());
  }
}
