package dev.lance4j.scan.expr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.testing.RandomConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Random conditions over random rows, against an evaluator that goes row by row over Java values.
 */
class NaiveExpressionTest {
  @Property(tries = 400)
  void conditionsSelectWhatANaiveEvaluatorSelects(
      @ForAll long seed, @ForAll @IntRange(max = 200) int size) {
    RandomConditions generator = new RandomConditions(new Random(seed));
    List<Object[]> rows = generator.rows(size);
    RandomConditions.Term condition = generator.condition(4);

    List<Integer> expected = new ArrayList<>();
    boolean fails = false;
    try {
      for (int i = 0; i < size; i++) {
        if (Boolean.TRUE.equals(condition.naive().value(rows.get(i)))) {
          expected.add(i);
        }
      }
    } catch (ArithmeticException e) {
      fails = true;
    }

    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = RandomConditions.batch(rows, allocator)) {
      try {
        int[] selected = RowFilter.of(condition.text(), batch.getSchema()).select(batch, null);
        // A row whose value does not matter may be left out, so that it cannot fail.
        if (!fails) {
          assertThat(selected)
              .as(condition.text())
              .containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
        }
      } catch (InvalidInputException e) {
        assertThat(fails).as(condition.text() + ": " + e.getMessage()).isTrue();
      }
    }
  }

  @Property(tries = 200)
  void aConditionItsNegationAndItsNullPartTheRows(
      @ForAll long seed, @ForAll @IntRange(max = 150) int size) {
    RandomConditions generator = new RandomConditions(new Random(seed));
    List<Object[]> rows = generator.rows(size);
    String condition = generator.condition(3).text();

    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = RandomConditions.batch(rows, allocator)) {
      List<Integer> all = new ArrayList<>();
      for (String part :
          List.of(condition, "NOT (" + condition + ")", "(" + condition + ") IS NULL")) {
        for (int row : RowFilter.of(part, batch.getSchema()).select(batch, null)) {
          all.add(row);
        }
      }
      assertThat(all).as(condition).doesNotHaveDuplicates().hasSize(size);
    } catch (InvalidInputException e) {
      assertThat(e).hasMessageMatching("(?s).*(by zero|overflow).*");
    }
  }
}
