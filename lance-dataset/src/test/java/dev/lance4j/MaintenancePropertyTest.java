package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Whatever is done to a table with indices of all kinds, and by however many writers at once, its
 * rows, their ids and versions, and what every index finds are those of a table in memory.
 */
class MaintenancePropertyTest {
  private static final int STEPS = 14;

  @Property(tries = 60)
  void rowsAndIndicesAgreeThroughChangesAndMaintenance(@ForAll Random random) {
    try (BufferAllocator allocator = new RootAllocator();
        MaintainedTable table = new MaintainedTable(random, allocator)) {
      table.check();
      for (int i = 0; i < STEPS; i++) {
        table.step();
        table.check();
      }
      assertThat(table.answers().indexed()).isPositive();
      assertThat(table.answers().recallOfGraphs()).as("%s", table).isGreaterThan(0.9);
    }
  }
}
