package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.scan.RowCounts;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.expr.Condition;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.roaringbitmap.RoaringBitmap;

/** Decides which part of a filter indices answer, and for which fragments. */
public final class LookUpPlanner {
  // As many rows are found no slower than a column is read, however small the table is.
  private static final long FEW_ROWS = 65_536;
  // An index puts a row into the set of those that it finds while a column is read of so many.
  private static final long ROWS_READ_PER_ROW_FOUND = 8;

  private final Condition filter;
  private final RoaringBitmap fragments;
  private final LongSupplier rows;
  private final BufferAllocator allocator;
  private final WhatIfDamaged whatIfDamaged;
  private final List<FilterIndex> indices;
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
      LongSupplier rows,
      FilterIndices indices,
      BufferAllocator allocator,
      WhatIfDamaged whatIfDamaged) {
    this.filter = filter;
    this.fragments = fragments;
    this.rows = rows;
    this.indices = new ArrayList<>(indices.usable());
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
    LongSupplier rows =
        () -> fragments.stream().mapToLong(each -> RowCounts.liveRows(source, each)).sum();
    return decide(filter, ids, rows, indices, source.allocator(), whatIfDamaged);
  }

  /**
   * Decides.
   *
   * @param rows gives the number of rows of the fragments
   */
  static Decision decide(
      Condition filter,
      RoaringBitmap fragments,
      LongSupplier rows,
      FilterIndices indices,
      BufferAllocator allocator,
      WhatIfDamaged whatIfDamaged) {
    if (indices.usable().isEmpty()) {
      return new Decision(Optional.empty(), indices.unused());
    }
    LookUpPlanner planner =
        new LookUpPlanner(filter, fragments, rows, indices, allocator, whatIfDamaged);
    Optional<LookUp> lookUp = planner.lookUp();
    return new Decision(lookUp, planner.notes.stream().distinct().toList());
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

  /** The parts that indices answer. Only indices that would answer one are opened. */
  private List<Answered> answered(List<Condition> parts) {
    while (true) {
      Set<FilterIndex> useless = new HashSet<>();
      List<Answered> answered = answered(parts, useless);
      if (useless.isEmpty()) {
        return answered;
      }
      indices.removeAll(useless);
    }
  }

  /**
   * As above.
   *
   * @param useless takes indices that do not help, so that others might
   */
  private List<Answered> answered(List<Condition> parts, Set<FilterIndex> useless) {
    IndexQueries queries = new IndexQueries(filter, indices, allocator);
    List<Answered> answered = new ArrayList<>();
    for (Condition part : parts) {
      Optional<IndexQuery> query = queries.of(part.node());
      if (query.isPresent() && helps(query.get(), useless)) {
        RoaringBitmap covered = RoaringBitmap.and(query.get().coverage(), fragments);
        if (!covered.isEmpty()) {
          answered.add(new Answered(part, query.get(), covered));
        }
      }
    }
    if (useless.isEmpty()) {
      List<IndexQuery> asked = Ranges.merge(answered.stream().map(Answered::query).toList());
      answered.removeIf(each -> findsTooMuch(Ranges.in(asked, each.query())));
    }
    return answered;
  }

  /** Whether all indices of a query can be read and cover some of the fragments. */
  private boolean helps(IndexQuery query, Set<FilterIndex> useless) {
    boolean[] all = {true};
    query.forEachLeaf(
        leaf -> {
          if (useless.contains(leaf.index()) || !helps(leaf.index())) {
            useless.add(leaf.index());
            all[0] = false;
          }
        });
    return all[0];
  }

  private boolean helps(FilterIndex index) {
    try {
      if (RoaringBitmap.intersects(index.coverage(), fragments)) {
        return true;
      }
      notes.add(index.describe() + " covers none of the fragments");
    } catch (CorruptFileException e) {
      note(e);
    }
    return false;
  }

  private void note(CorruptFileException damage) {
    if (whatIfDamaged == WhatIfDamaged.FAIL) {
      throw damage;
    }
    notes.add(damage.getMessage());
  }

  /** Whether indices would find so many rows that reading the columns is cheaper. */
  private boolean findsTooMuch(IndexQuery query) {
    boolean[] tooMuch = new boolean[1];
    query.forEachLeaf(
        leaf -> {
          long found = leaf.index().estimate(leaf.query()).orElse(0);
          if (found > FEW_ROWS && found > rows.getAsLong() / ROWS_READ_PER_ROW_FOUND) {
            notes.add("too many rows fulfil " + leaf + ": about " + found);
            tooMuch[0] = true;
          }
        });
    return tooMuch[0];
  }
}
