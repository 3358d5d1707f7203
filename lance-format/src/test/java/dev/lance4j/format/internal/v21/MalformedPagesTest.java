package dev.lance4j.format.internal.v21;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.store.ObjectReader;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Whatever is wrong with a page, reading it gives values or an error that says so, in time and
 * memory that the page's size and the rows asked for justify.
 */
class MalformedPagesTest {
  private static final long MEMORY = 64 << 20;
  private static final int MOST_ROWS = 10_000;

  @Property(tries = 3000)
  void damagedEncodingsAreNoticed(@ForAll long seed) {
    CodecPages pages = new CodecPages(seed);
    read(pages.column.damaged(new SplittableRandom(seed)), pages.field);
  }

  @Property(tries = 3000)
  void damagedLevelsAreNoticed(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    NestedType type = new NestedType.Items(new NestedType.Items(new NestedType.Leaf()));
    if (random.nextBoolean()) {
      type = new NestedType.Items(new NestedType.Struct(List.of(type)));
    }
    Column column = new Column();
    for (int page = random.nextInt(1, 3); page > 0; page--) {
      NestedColumns.addPage(column, type, random.nextInt(1, 40), random);
    }
    read(column.damaged(random), type.field("x"));
  }

  private static void read(Column column, Field field) {
    long rows = Math.min(column.rows(), MOST_ROWS);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          try (BufferAllocator allocator = new RootAllocator(MEMORY);
              ObjectReader file = column.open();
              ArrayData array =
                  Column.fetch(column.reader(field).read(RowRanges.of(0, rows)), file, allocator)) {
            assertThat(array.length()).isEqualTo((int) rows);
          } catch (LanceException expected) {
            assertThat(expected).hasMessageContaining(Column.PATH);
          }
        });
  }
}
