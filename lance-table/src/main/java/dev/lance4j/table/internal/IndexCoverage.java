package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.roaringbitmap.RoaringBitmap;

/** Which index segments stay, and which fragments they cover, when fragments or fields change. */
final class IndexCoverage {
  private static final String VECTOR_DETAILS = "VectorIndexDetails";

  private IndexCoverage() {}

  /**
   * Drops segments that serve nothing any more: those on fields that are gone, and those of which
   * no fragment is left while another segment of the index still has some.
   */
  static List<IndexMetadata> retain(
      List<IndexMetadata> indices, LanceSchema schema, List<FragmentMetadata> fragments) {
    Set<Integer> fieldIds = fieldIds(schema);
    RoaringBitmap existing = ids(fragments);
    Map<String, List<IndexMetadata>> byName = new LinkedHashMap<>();
    for (IndexMetadata index : indices) {
      if (index.isSystem() || fieldIds.containsAll(index.fieldIds())) {
        byName.computeIfAbsent(index.name(), name -> new ArrayList<>()).add(index);
      }
    }
    Set<IndexMetadata> kept = new HashSet<>();
    byName.forEach(
        (name, segments) ->
            kept.addAll(
                name.equals(IndexMetadata.FRAGMENT_REUSE) ? segments : retain(segments, existing)));
    return indices.stream().filter(kept::contains).toList();
  }

  private static List<IndexMetadata> retain(List<IndexMetadata> segments, RoaringBitmap existing) {
    List<IndexMetadata> inUse =
        segments.stream().filter(segment -> covers(segment, existing)).toList();
    if (!inUse.isEmpty()) {
      return inUse;
    }
    IndexMetadata oldest =
        segments.stream()
            .min((a, b) -> Long.compareUnsigned(a.datasetVersion(), b.datasetVersion()))
            .orElseThrow();
    return isVector(oldest) ? List.of() : List.of(oldest);
  }

  private static boolean covers(IndexMetadata segment, RoaringBitmap existing) {
    return segment.fragments().map(set -> RoaringBitmap.intersects(set, existing)).orElse(false);
  }

  private static boolean isVector(IndexMetadata segment) {
    return segment.details().map(details -> details.is(VECTOR_DETAILS)).orElse(false);
  }

  private static RoaringBitmap ids(Collection<FragmentMetadata> fragments) {
    RoaringBitmap ids = new RoaringBitmap();
    for (FragmentMetadata fragment : fragments) {
      ids.add((int) fragment.id());
    }
    return ids;
  }

  private static Set<Integer> fieldIds(LanceSchema schema) {
    Set<Integer> ids = new HashSet<>();
    for (LanceField field : schema.flatten()) {
      ids.add(field.id());
    }
    return ids;
  }

  /** Takes fragments out of the coverage of segments on any of the fields. */
  static List<IndexMetadata> withoutFragments(
      List<IndexMetadata> indices, Collection<Integer> fieldIds, Collection<Long> fragmentIds) {
    List<IndexMetadata> changed = new ArrayList<>(indices.size());
    for (IndexMetadata index : indices) {
      Optional<RoaringBitmap> covered = index.fragments();
      boolean affected = index.fieldIds().stream().anyMatch(fieldIds::contains);
      if (affected && covered.isPresent()) {
        for (long id : fragmentIds) {
          covered.get().remove((int) id);
        }
        changed.add(index.withFragments(covered.get()));
      } else {
        changed.add(index);
      }
    }
    return changed;
  }

  /**
   * Adds fragments of moved rows to the coverage of segments that still tell the truth about them:
   * those that know the rows by their stable ids, covered the rows where they were, and are on
   * fields whose values did not change.
   *
   * @param moved the new fragments all of whose rows were in the table before
   */
  static List<IndexMetadata> withMovedRows(
      List<IndexMetadata> indices,
      LanceSchema schema,
      Operation.Update update,
      List<FragmentMetadata> moved) {
    RoaringBitmap sources = ids(update.updatedFragments());
    update.removedFragmentIds().forEach(id -> sources.add((int) (long) id));
    Set<Integer> changedFields = withChildren(schema, update.fieldsWithNewValues());
    List<IndexMetadata> extended = new ArrayList<>(indices.size());
    for (IndexMetadata index : indices) {
      boolean follows =
          knowsRowsByIds(index)
              && !moved.isEmpty()
              && index.fragments().orElseThrow().contains(sources)
              && Collections.disjoint(withChildren(schema, index.fieldIds()), changedFields);
      if (follows) {
        RoaringBitmap covered = index.fragments().orElseThrow();
        covered.or(ids(moved));
        extended.add(index.withFragments(covered));
      } else {
        extended.add(index);
      }
    }
    return extended;
  }

  private static Set<Integer> withChildren(LanceSchema schema, Collection<Integer> fieldIds) {
    Set<Integer> all = new HashSet<>(fieldIds);
    for (LanceField field : schema.flatten()) {
      if (all.contains(field.id())) {
        field.children().forEach(child -> all.add(child.id()));
      }
    }
    return all;
  }

  /** Whether a segment of a table with stable row ids still finds its rows after they moved. */
  static boolean knowsRowsByIds(IndexMetadata index) {
    return index.fragments().isPresent() && !index.isSystem() && !index.coversZones();
  }

  /** A segment that covers the new fragments of a rewrite where it covered the old ones. */
  static IndexMetadata rewritten(IndexMetadata index, List<Operation.RewriteGroup> groups) {
    RoaringBitmap before = index.fragments().orElseThrow();
    RoaringBitmap after = before.clone();
    for (Operation.RewriteGroup group : groups) {
      RoaringBitmap old = ids(group.oldFragments());
      int covered = RoaringBitmap.andCardinality(before, old);
      if (covered == 0) {
        continue;
      }
      if (covered < old.getCardinality()) {
        throw new InvalidInputException(
            "The rewrite joins fragments that index '"
                + index.name()
                + "' covers with ones that it does not; put them in different groups");
      }
      after.andNot(old);
      after.or(ids(group.newFragments()));
    }
    return index.withFragments(after);
  }
}
