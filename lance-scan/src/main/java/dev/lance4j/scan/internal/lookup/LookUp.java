package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.internal.expr.Condition;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.roaringbitmap.RoaringBitmap;

/**
 * What indices tell of a filter: which rows of the fragments that they answer for may fulfil it,
 * and what is left to check of these.
 *
 * @param certain answers parts of the filter that need not be checked
 * @param uncertain finds rows for which other parts may be true
 * @param covered the fragments that all indices answer for
 * @param remaining what must be checked; absent if nothing
 * @param whatIfDamaged what to do when an index cannot be read
 */
public record LookUp(
    Optional<IndexQuery> certain,
    Optional<IndexQuery> uncertain,
    RoaringBitmap covered,
    Optional<Condition> remaining,
    WhatIfDamaged whatIfDamaged) {

  /**
   * What the indices said.
   *
   * @param rows among those of the covered fragments, deleted ones perhaps among them; absent if
   *     there is no answer, so that the whole filter must be checked for all rows
   * @param problem why there is none
   */
  public record Outcome(Optional<RowMask<RowAddressSet>> rows, Optional<String> problem) {}

  /** Whether the indices answer for a fragment. */
  public boolean covers(FragmentMetadata fragment) {
    return covered.contains((int) fragment.id());
  }

  /**
   * Asks the indices.
   *
   * @throws CorruptFileException if one is damaged, unless that does not matter
   */
  public Outcome search() {
    try {
      RowMask<RowAddressSet> rows = RowMask.all(RowDomain.ADDRESSES);
      if (certain.isPresent()) {
        RowAnswer answer = certain.get().answer();
        if (answer.guarantee() != Guarantee.EXACT) {
          return without("an index did not know as much as it should");
        }
        rows = answer.selected();
      }
      if (uncertain.isPresent()) {
        RowAnswer answer = uncertain.get().answer();
        if (answer.guarantee() == Guarantee.AT_LEAST) {
          return without("an index did not know as much as it should");
        }
        rows = rows.and(answer.selected());
      }
      return new Outcome(Optional.of(rows), Optional.empty());
    } catch (CorruptFileException e) {
      if (whatIfDamaged == WhatIfDamaged.FAIL) {
        throw e;
      }
      return without(e.getMessage());
    }
  }

  private static Outcome without(String problem) {
    return new Outcome(Optional.empty(), Optional.of(problem));
  }

  /** What is asked, and how much the answer is worth. */
  @Override
  public String toString() {
    String queries =
        Stream.of(certain, uncertain)
            .flatMap(Optional::stream)
            .map(IndexQuery::toString)
            .collect(Collectors.joining(" AND "));
    return queries + (uncertain.isPresent() ? ", candidates" : ", exact");
  }

  /** The number of some fragments that the indices answer for. */
  public long count(List<FragmentMetadata> fragments) {
    return fragments.stream().filter(this::covers).count();
  }
}
