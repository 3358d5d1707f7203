package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Every version of a table whose columns change at random has what its history says. */
class SchemaEvolutionPropertyTest {
  private static final int STEPS = 18;

  @Property(tries = 60)
  void everyVersionHoldsWhatItsHistoryMadeIt(@ForAll Random random) {
    List<String> steps = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        EvolutionHistory history = new EvolutionHistory(random, allocator)) {
      for (int i = 0; i < STEPS; i++) {
        steps.add(history.step());
        check(history, history.dataset(), steps);
        try (Dataset old =
            history.dataset().checkout(1L + random.nextInt((int) history.dataset().version()))) {
          check(history, old, steps);
        }
      }
    }
  }

  private static void check(EvolutionHistory history, Dataset dataset, List<String> steps) {
    EvolutionHistory.Content expected = history.content(dataset.version());
    String description = "version " + dataset.version() + " after " + steps;
    assertThat(dataset.schema()).as(description).isEqualTo(new Schema(expected.fields()));
    assertThat(Cells.rows(dataset)).as(description).isEqualTo(expected.rows());
    assertThat(dataset.countRows()).as(description).isEqualTo(expected.rows().size());
  }
}
