package dev.lance4j.format.internal.v21;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.store.ObjectReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Values come back from any encoding, in whole and in parts. */
class CodecPagesTest {
  @Property(tries = 1000)
  void valuesComeBack(@ForAll long seed) {
    CodecPages pages = new CodecPages(seed);
    SplittableRandom random = new SplittableRandom(seed);
    int rows = pages.expected.size();
    try (BufferAllocator allocator = new RootAllocator();
        ObjectReader file = pages.column.open()) {
      FieldReader reader = pages.column.reader(pages.field);
      check(pages, reader, RowRanges.of(0, rows), file, allocator);
      for (int i = 0; i < 5; i++) {
        int start = random.nextInt(rows);
        int end = random.nextInt(start, rows) + 1;
        check(pages, reader, RowRanges.of(start, end), file, allocator);
      }
      long[] some =
          Arrays.stream(random.ints(5, 0, rows).toArray())
              .sorted()
              .distinct()
              .asLongStream()
              .toArray();
      check(pages, reader, RowRanges.ofSortedRows(some), file, allocator);
    }
  }

  private static void check(
      CodecPages pages,
      FieldReader reader,
      RowRanges ranges,
      ObjectReader file,
      BufferAllocator allocator) {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      expected.addAll(pages.expected.subList((int) ranges.start(i), (int) ranges.end(i)));
    }
    assertThat(
            Column.text(pages.field, Column.fetch(reader.read(ranges), file, allocator), allocator))
        .isEqualTo(expected);
  }
}
