package dev.lance4j.scan.internal.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.Condition;
import dev.lance4j.scan.testing.RandomConditions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.roaringbitmap.RoaringBitmap;

/** Whatever the filter and the indices: what they find and what is left to check is the filter. */
class LookUpPropertyTest {
  @Property(tries = 1_000)
  void rowsThatAreFoundAndFulfilTheRestAreThoseOfTheFilter(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 80) int size) {
    RandomConditions generator = new RandomConditions(random);
    List<Object[]> rows = generator.rows(size);
    String text = generator.condition(1 + random.nextInt(4)).text();
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = RandomConditions.batch(rows, allocator)) {
      Condition filter = Condition.of(Expression.parse(text), batch.getSchema());
      RoaringBitmap all = fragments(size);
      FilterIndices indices = new FilterIndices(indices(batch, all, random), List.of());
      LookUpPlanner.Decision decision =
          LookUpPlanner.decide(filter, all, () -> size, indices, allocator, WhatIfDamaged.FAIL);
      if (decision.lookUp().isPresent()) {
        check(decision.lookUp().get(), filter, batch);
      }
    } catch (InvalidInputException e) {
      assertThat(e).hasMessageMatching("(?s).*(by zero|overflow).*");
    }
  }

  private static RoaringBitmap fragments(int rows) {
    RoaringBitmap all = new RoaringBitmap();
    all.add(0L, (rows + NaiveIndex.FRAGMENT_ROWS - 1) / NaiveIndex.FRAGMENT_ROWS);
    return all;
  }

  private static List<FilterIndex> indices(
      VectorSchemaRoot batch, RoaringBitmap all, Random random) {
    List<FilterIndex> indices = new ArrayList<>();
    for (FieldVector column : batch.getFieldVectors()) {
      for (int i = random.nextInt(3); i > 0; i--) {
        RoaringBitmap coverage = new RoaringBitmap();
        boolean everything = random.nextBoolean();
        for (int fragment : all) {
          if (everything || random.nextInt(3) > 0) {
            coverage.add(fragment);
          }
        }
        indices.add(
            NaiveIndex.on(column, List.of(column.getName()), random.nextInt(3) > 0, coverage));
      }
    }
    return indices;
  }

  private static void check(LookUp lookUp, Condition filter, VectorSchemaRoot batch) {
    RowMask<RowAddressSet> found = lookUp.search().rows().orElseThrow();
    Set<Integer> rest = lookUp.remaining().map(remaining -> rows(remaining, batch)).orElse(null);
    Set<Integer> wanted = rows(filter, batch);
    for (int row = 0; row < batch.getRowCount(); row++) {
      int fragment = row / NaiveIndex.FRAGMENT_ROWS;
      if (lookUp.covered().contains(fragment)) {
        boolean selected =
            found.selects(RowAddress.pack(fragment, row % NaiveIndex.FRAGMENT_ROWS))
                && (rest == null || rest.contains(row));
        assertThat(selected)
            .as("row %s of %s by %s and %s", row, filter, lookUp, lookUp.remaining())
            .isEqualTo(wanted.contains(row));
      }
    }
  }

  private static Set<Integer> rows(Condition condition, VectorSchemaRoot batch) {
    return Arrays.stream(condition.select(batch, null)).boxed().collect(Collectors.toSet());
  }
}
