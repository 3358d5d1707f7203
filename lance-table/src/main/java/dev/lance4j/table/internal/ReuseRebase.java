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
 * what others trimmed from it meanwhile, and a trim keeps what rewrites added meanwhile.
 */
final class ReuseRebase extends Rebase {
  private static final Comparator<FragmentReuse.Version> BY_VERSION =
      (a, b) -> Long.compareUnsigned(a.datasetVersion(), b.datasetVersion());

  private final List<FragmentReuse.Version> added = new ArrayList<>();
  private Optional<FragmentReuse> trimmed = Optional.empty();

  ReuseRebase(Table table, Transaction original) {
    super(table, original);
  }

  @Override
  public void observe(TableVersion version, Operation committed) {
    if (committed instanceof Operation.Rewrite rewrite && rewrite.fragmentReuse().isPresent()) {
      if (trim().isPresent()) {
        read(version, rewrite.fragmentReuse().get()).versions().stream()
            .max(BY_VERSION)
            .ifPresent(added::add);
      }
    } else if (committed instanceof Operation.CreateIndex creation && deferred().isPresent()) {
      Optional<IndexMetadata> left = FragmentReuse.entry(creation.newIndices());
      if (left.isPresent()) {
        trimmed = Optional.of(read(version, left.get()));
      } else if (FragmentReuse.entry(creation.removedIndices()).isPresent()) {
        trimmed = Optional.of(new FragmentReuse(List.of()));
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
    if (trimmed.isPresent()) {
      IndexMetadata ours = deferred().orElseThrow();
      FragmentReuse kept = kept(read(latest, ours), trimmed.get());
      IndexMetadata entry =
          kept.write(table, ours.datasetVersion(), ours.fragments().orElseGet(RoaringBitmap::new));
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

  /** What a rewrite leaves of its own content after a trim. */
  private static FragmentReuse kept(FragmentReuse ours, FragmentReuse left) {
    Optional<FragmentReuse.Version> first =
        left.versions().isEmpty()
            ? ours.versions().stream().max(BY_VERSION)
            : left.versions().stream().min(BY_VERSION);
    return new FragmentReuse(
        ours.versions().stream()
            .filter(version -> first.isEmpty() || BY_VERSION.compare(version, first.get()) >= 0)
            .toList());
  }

  private Rebased rebased(
      TableVersion latest, Operation operation, IndexMetadata ours, IndexMetadata entry) {
    return new Rebased(
        with(latest, operation),
        FragmentReuseFiles.file(table, entry).stream().toList(),
        FragmentReuseFiles.file(table, ours).stream().toList());
  }
}
