package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.expr.Condition;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.roaringbitmap.RoaringBitmap;

/** Decides which part of a filter indices answer, and for which fragments. */
public final class LookUpPlanner {
  private final Condition filter;
  private final RoaringBitmap fragments;
  private final BufferAllocator allocator;
  private final WhatIfDamaged whatIfDamaged;
  private final FilterIndices indices;
  private final List<String> notes;

  /**
   * What was decided.
   *
   * @param lookUp absent if no index helps
   * @param notes why some indices are not used, a sentence for each
   */
  public record Decision(Optional<LookUp> lookUp, List<String> notes) {
    /** No index is used. */
    public static final Decision NONE = new Decision(Optional.empty(), List.of());
  }

  /** A part of the filter with the query that answers it, for some of the fragments. */
  private record Answered(Condition part, IndexQuery query, RoaringBitmap covered) {}

  private LookUpPlanner(
      Condition filter,
      RoaringBitmap fragments,
      FilterIndices indices,
      BufferAllocator allocator,
      WhatIfDamaged whatIfDamaged) {
    this.filter = filter;
    this.fragments = fragments;
    this.indices = indices;
    this.notes = new ArrayList<>(indices.unused());
    this.allocator = allocator;
    this.whatIfDamaged = whatIfDamaged;
  }

  /**
   * Decides.
   *
   * @param fragments where rows are wanted
   * @throws CorruptFileException if an index is damaged, unless that does not matter
   */
  public static Decision decide(
      Condition filter,
      List<FragmentMetadata> fragments,
      Scan.Source source,
      WhatIfDamaged whatIfDamaged) {
    FilterIndices indices = FilterIndices.on(filter.columns(), source);
    RoaringBitmap ids = new RoaringBitmap();
    fragments.forEach(fragment -> ids.add((int) fragment.id()));
    return decide(filter, ids, indices, source.allocator(), whatIfDamaged);
  }

  static Decision decide(
      Condition filter,
      RoaringBitmap fragments,
      FilterIndices indices,
      BufferAllocator allocator,
      WhatIfDamaged whatIfDamaged) {
    if (indices.usable().isEmpty()) {
      return new Decision(Optional.empty(), indices.unused());
    }
    LookUpPlanner planner = new LookUpPlanner(filter, fragments, indices, allocator, whatIfDamaged);
    Optional<LookUp> lookUp = planner.lookUp();
    return new Decision(lookUp, List.copyOf(planner.notes));
  }

  private Optional<LookUp> lookUp() {
    List<Condition> parts = filter.parts();
    List<Answered> answered = List.of();
    try {
      answered = answered(parts);
    } catch (CorruptFileException e) {
      note(e);
    }
    if (answered.isEmpty()) {
      return Optional.empty();
    }
    RoaringBitmap covered = mostCovered(answered);
    List<IndexQuery> certain = new ArrayList<>();
    List<IndexQuery> uncertain = new ArrayList<>();
    List<Condition> remaining = new ArrayList<>(parts);
    for (Answered each : answered) {
      if (each.covered().contains(covered)) {
        (each.query().isExact() ? certain : uncertain).add(each.query());
        if (each.query().isExact()) {
          remaining.remove(each.part());
        }
      }
    }
    return Optional.of(
        new LookUp(
            together(certain),
            together(uncertain),
            covered,
            remaining.isEmpty() ? Optional.empty() : Optional.of(filter.all(remaining)),
            whatIfDamaged));
  }

  private static Optional<IndexQuery> together(List<IndexQuery> queries) {
    return queries.isEmpty() ? Optional.empty() : Optional.of(IndexQueries.all(queries, true));
  }

  /** The largest set of fragments that a part is answered for. */
  private static RoaringBitmap mostCovered(List<Answered> answered) {
    RoaringBitmap most = answered.get(0).covered();
    for (Answered each : answered) {
      if (each.covered().getLongCardinality() > most.getLongCardinality()) {
        most = each.covered();
      }
    }
    return most;
  }

  /** The parts that indices answer. */
  private List<Answered> answered(List<Condition> parts) {
    IndexQueries queries = new IndexQueries(filter, helpful(), allocator);
    List<Answered> answered = new ArrayList<>();
    for (Condition part : parts) {
      Optional<IndexQuery> query = queries.of(part.node());
      if (query.isPresent()) {
        RoaringBitmap covered = RoaringBitmap.and(query.get().coverage(), fragments);
        if (!covered.isEmpty()) {
          answered.add(new Answered(part, query.get(), covered));
        }
      }
    }
    return answered;
  }

  /** The indices that can be read and cover some of the fragments. */
  private List<FilterIndex> helpful() {
    List<FilterIndex> helpful = new ArrayList<>();
    for (FilterIndex index : indices.usable()) {
      try {
        if (RoaringBitmap.intersects(index.coverage(), fragments)) {
          helpful.add(index);
        } else {
          notes.add(index.describe() + " covers none of the fragments");
        }
      } catch (CorruptFileException e) {
        note(e);
      }
    }
    return helpful;
  }

  private void note(CorruptFileException damage) {
    if (whatIfDamaged == WhatIfDamaged.FAIL) {
      throw damage;
    }
    notes.add(damage.getMessage());
  }
}
