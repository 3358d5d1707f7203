package dev.lance4j.format.internal.v21;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
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
import org.apache.arrow.vector.types.pojo.Field;

/** Nested values come back from any layout, in whole and in parts. */
class NestedPagesTest {
  /** The columns of a random type, in one file. */
  private static final class Pages {
    final Column column = new Column();
    final List<ColumnInfo> columns = new ArrayList<>();
    final List<Object> rows = new ArrayList<>();
    final NestedType type;
    final SplittableRandom random;

    Pages(long seed) {
      random = new SplittableRandom(seed);
      type = NestedType.random(random, 4);
      int pages = 1 + random.nextInt(3);
      int[] pageRows = new int[pages];
      for (int i = 0; i < pages; i++) {
        pageRows[i] = 1 + random.nextInt(30);
        int nulls = 2 + random.nextInt(20);
        for (int j = 0; j < pageRows[i]; j++) {
          rows.add(type.value(random, nulls));
        }
      }
      addLeaves(List.of(type), List.of(0), pageRows);
    }

    /** Adds the columns of all leaves below the end of a path, depth first. */
    private void addLeaves(List<NestedType> path, List<Integer> childIndex, int[] pageRows) {
      NestedType last = path.get(path.size() - 1);
      if (last instanceof NestedType.Struct struct) {
        for (int i = 0; i < struct.children().size(); i++) {
          List<Integer> index = new ArrayList<>(childIndex);
          index.set(path.size() - 1, i);
          index.add(0);
          addLeaves(with(path, struct.children().get(i)), index, pageRows);
        }
      } else if (last instanceof NestedType.Items list) {
        addLeaves(with(path, list.item()), with(childIndex, 0), pageRows);
      } else if (last instanceof NestedType.FixedItems list) {
        addLeaves(with(path, list.item()), with(childIndex, 0), pageRows);
      } else {
        addLeaf(path, childIndex, pageRows);
      }
    }

    private static <T> List<T> with(List<T> list, T last) {
      List<T> longer = new ArrayList<>(list);
      longer.add(last);
      return longer;
    }

    private void addLeaf(List<NestedType> path, List<Integer> childIndex, int[] pageRows) {
      column.beginColumn();
      int at = 0;
      for (int count : pageRows) {
        Shredder levels = new Shredder(path, childIndex, rows.subList(at, at + count), random);
        NestedPages.add(column, levels, count, random);
        at += count;
      }
      columns.add(column.info());
    }

    FieldReader reader() {
      return V21FieldReaders.create(Column.PATH, node(type.field("x"), new int[1]), columns);
    }

    private static ColumnNode node(Field field, int[] next) {
      List<ColumnNode> children = new ArrayList<>();
      for (Field child : field.getChildren()) {
        children.add(node(child, next));
      }
      int own = children.isEmpty() ? next[0]++ : ColumnNode.NONE;
      return new ColumnNode(field, own, true, children);
    }

    void check(FieldReader reader, RowRanges ranges, ObjectReader file, BufferAllocator allocator) {
      List<Object> expected = new ArrayList<>();
      for (int i = 0; i < ranges.size(); i++) {
        expected.addAll(rows.subList((int) ranges.start(i), (int) ranges.end(i)));
      }
      try (ArrayData array = Column.fetch(reader.read(ranges), file, allocator)) {
        List<Object> actual = new ArrayList<>();
        for (int i = 0; i < array.length(); i++) {
          actual.add(value(type, array, i));
        }
        assertThat(actual).isEqualTo(expected);
      }
    }

    private static Object value(NestedType type, ArrayData array, int i) {
      if (!array.isValid(i)) {
        return null;
      }
      List<Object> values = new ArrayList<>();
      if (type instanceof NestedType.Struct struct) {
        for (int j = 0; j < struct.children().size(); j++) {
          values.add(value(struct.children().get(j), array.child(j), i));
        }
        return values;
      }
      if (type instanceof NestedType.Items list) {
        for (int j = array.buffer(1).getInt(4L * i); j < array.buffer(1).getInt(4L * i + 4); j++) {
          values.add(value(list.item(), array.child(0), j));
        }
        return values;
      }
      if (type instanceof NestedType.FixedItems list) {
        for (int j = 0; j < list.dimension(); j++) {
          values.add(value(list.item(), array.child(0), i * list.dimension() + j));
        }
        return values;
      }
      return array.buffer(1).getInt(4L * i);
    }
  }

  @Property(tries = 1000)
  void nestedValuesComeBack(@ForAll long seed) {
    Pages pages = new Pages(seed);
    int rows = pages.rows.size();
    try (BufferAllocator allocator = new RootAllocator();
        ObjectReader file = pages.column.open()) {
      FieldReader reader = pages.reader();
      pages.check(reader, RowRanges.of(0, rows), file, allocator);
      int start = pages.random.nextInt(rows);
      int end = pages.random.nextInt(start, rows) + 1;
      pages.check(reader, RowRanges.of(start, end), file, allocator);
      long[] some =
          Arrays.stream(pages.random.ints(5, 0, rows).toArray())
              .sorted()
              .distinct()
              .asLongStream()
              .toArray();
      pages.check(reader, RowRanges.ofSortedRows(some), file, allocator);
      for (int row = 0; row < rows; row++) {
        pages.check(pages.reader(), RowRanges.of(row, row + 1), file, allocator);
      }
    }
  }
}
