package dev.lance4j.format.internal.v21.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import dev.lance4j.format.proto.encodings21.RepDefLayer;
import dev.lance4j.format.testing.SampleFields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

/** What readers rely on holds in every page. */
class PageShapeTest {
  private static final Field INTS = SampleFields.list("l", SampleFields.int32("item"));

  private static boolean all(int row) {
    return row >= 0;
  }

  /** Rows of a given number of items; negative numbers are null lists. */
  private static ArrayData lists(BufferAllocator allocator, int... lengths) {
    int[] offsets = new int[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      offsets[i + 1] = offsets[i] + Math.max(0, lengths[i]);
    }
    Integer[] items = new Integer[offsets[lengths.length]];
    for (int i = 0; i < items.length; i++) {
      items[i] = i * 7919;
    }
    TestArrays arrays = new TestArrays(allocator);
    return arrays.lists(i -> lengths[i] >= 0, offsets, arrays.ints(items));
  }

  @Property(tries = 60)
  void chunksAndRepetitionIndexAddUp(@ForAll List<@IntRange(min = -2, max = 300) Integer> rows) {
    int[] lengths = rows.stream().mapToInt(Integer::intValue).toArray();
    try (BufferAllocator allocator = new RootAllocator()) {
      List<WrittenColumn> columns =
          WrittenColumn.write(allocator, INTS, FileVersion.V2_1, lists(allocator, lengths));
      long total = 0;
      for (WrittenColumn.Page page : columns.get(0).pages()) {
        total += page.rows();
        if (page.layout().hasMiniBlockLayout()) {
          checkChunks(page);
        }
      }
      assertThat(total).isEqualTo(lengths.length);
    }
  }

  private static void checkChunks(WrittenColumn.Page page) {
    MiniBlockLayout layout = page.layout().getMiniBlockLayout();
    ByteBuffer words = littleEndian(page.buffers().get(0));
    ByteBuffer chunks = littleEndian(page.buffers().get(1));
    ByteBuffer index = littleEndian(page.buffers().get(page.buffers().size() - 1));
    int at = 0;
    long values = 0;
    long ends = 0;
    int count = words.capacity() / Short.BYTES;
    for (int c = 0; c < count; c++) {
      int word = words.getShort(c * Short.BYTES) & 0xFFFF;
      int entries = chunks.getShort(at) & 0xFFFF;
      at += ((word >> 4) + 1) * 8;
      values += c < count - 1 ? 1L << (word & 15) : layout.getNumItems() - values;
      ends += index.getLong(c * 16);
      long partial = index.getLong(c * 16 + 8);
      assertThat(partial).isBetween(0L, (long) entries);
      assertThat(c < count - 1 ? word & 15 : 1).isBetween(1, 12);
    }
    assertThat(at).isEqualTo(chunks.capacity());
    assertThat(values).isEqualTo(layout.getNumItems());
    assertThat(ends).isEqualTo(page.rows());
    assertThat(index.getLong(count * 16 - 8)).isZero();
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void pagesEndAtRowsAndSayWhereTheyBegin() {
    int[] lengths = new int[500];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = i % 40;
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      List<WrittenColumn.Page> pages =
          WrittenColumn.write(
                  allocator,
                  INTS,
                  FileVersion.V2_1,
                  new PageLimits(1000, 2000),
                  lists(allocator, lengths))
              .get(0)
              .pages();
      assertThat(pages).hasSizeGreaterThan(10);
      long row = 0;
      for (WrittenColumn.Page page : pages) {
        assertThat(page.priority()).isEqualTo(row);
        row += page.rows();
      }
      assertThat(row).isEqualTo(500);
    }
  }

  @Test
  void aLongTailOfEmptyListsIsSplitOff() {
    int[] lengths = new int[200_000];
    for (int i = 0; i < lengths.length; i += 1000) {
      lengths[i] = -1;
    }
    lengths[1] = 3;
    try (BufferAllocator allocator = new RootAllocator()) {
      Field struct = SampleFields.struct("s", INTS);
      TestArrays arrays = new TestArrays(allocator);
      // Null lists beside null structs keep 7.0.0 from reading the page in the full-zip layout.
      ArrayData rows =
          arrays.structs(lengths.length, i -> i % 1000 != 5, lists(allocator, lengths));
      List<WrittenColumn.Page> pages =
          WrittenColumn.write(allocator, struct, FileVersion.V2_1, rows).get(0).pages();
      assertThat(pages).hasSizeGreaterThan(1);
      assertThat(pages).noneMatch(page -> page.layout().hasFullZipLayout());
      assertThat(pages.stream().mapToLong(WrittenColumn.Page::rows).sum()).isEqualTo(200_000);
    }
  }

  @Test
  void largeValuesBelowListsUnderNullStructsStayInChunks() {
    try (BufferAllocator allocator = new RootAllocator()) {
      TestArrays arrays = new TestArrays(allocator);
      String large = "x".repeat(1000);
      Field field = SampleFields.struct("s", SampleFields.list("l", SampleFields.utf8("item")));
      ArrayData lists =
          arrays.lists(i -> i != 1, new int[] {0, 1, 1, 1, 2}, arrays.strings(large, large));
      WrittenColumn.Page page =
          WrittenColumn.write(
                  allocator, field, FileVersion.V2_1, arrays.structs(4, i -> i != 2, lists))
              .get(0)
              .page();
      assertThat(page.layout().hasMiniBlockLayout()).isTrue();
    }
  }

  @Test
  void allPagesOfAListColumnDeclareTheSameLayers() {
    try (BufferAllocator allocator = new RootAllocator()) {
      List<WrittenColumn.Page> pages =
          WrittenColumn.write(
                  allocator,
                  INTS,
                  FileVersion.V2_1,
                  new PageLimits(40, 4000),
                  lists(allocator, 20, 20),
                  lists(allocator, -1, 20),
                  lists(allocator, 0, 20))
              .get(0)
              .pages();
      assertThat(pages).hasSize(3);
      assertThat(pages)
          .allSatisfy(
              page ->
                  assertThat(page.layout().getMiniBlockLayout().getLayersList())
                      .containsExactly(
                          RepDefLayer.REPDEF_NULLABLE_ITEM,
                          RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST));
    }
  }

  @Test
  void aBatchThatIsAPageIsWrittenFromWhereItLies() {
    List<Long> addresses = new ArrayList<>();
    Field field = SampleFields.fixedSizeList("v", 128, SampleFields.float32("item"));
    try (BufferAllocator allocator = new RootAllocator()) {
      TestArrays arrays = new TestArrays(allocator);
      try (ArrayData rows = arrays.fixedLists(100, PageShapeTest::all, arrays.floats(12_800, 0f));
          FieldWriter writer =
              V21FieldWriters.create(
                  field,
                  FileVersion.V2_1,
                  allocator,
                  parts -> {
                    addresses.add(MemoryUtil.getByteBufferAddress(parts[0]));
                    return 0;
                  },
                  new PageLimits(51_200, 51_200))) {
        writer.append(rows);
        assertThat(addresses).containsExactly(rows.child(0).buffer(1).memoryAddress());
      }
    }
  }
}
