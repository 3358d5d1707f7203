package dev.lance4j.format.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RandomDataTest {
  private static final List<Field> FIELDS = SampleFields.of(FileVersion.V2_2);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource
  void nullsFollowThePattern(NullPattern pattern) {
    int rows = 2000;
    try (ArrowTable table = RandomData.table(FIELDS, pattern, rows, 1, allocator)) {
      for (FieldVector vector : table.root().getFieldVectors()) {
        if (vector instanceof NullVector) {
          continue;
        }
        switch (pattern) {
          case NONE -> assertThat(vector.getNullCount()).as(vector.getName()).isZero();
          case SOME ->
              assertThat(vector.getNullCount()).as(vector.getName()).isBetween(1, rows - 1);
          case ONLY -> assertThat(vector.getNullCount()).as(vector.getName()).isEqualTo(rows);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSeedAndAFieldFixTheValues(NullPattern pattern) {
    try (ArrowTable all = RandomData.table(FIELDS, pattern, 500, 7, allocator);
        ArrowTable one = RandomData.table(FIELDS.subList(3, 4), pattern, 500, 7, allocator)) {
      try (ArrowTable again = RandomData.table(FIELDS, pattern, 500, 7, allocator)) {
        TableAssert.assertEqual(all, again);
      }
      String name = FIELDS.get(3).getName();
      TableAssert.assertEqual(Tables.select(all, name), one);
    }
  }

  @Test
  void anotherSeedGivesOtherValues() {
    try (ArrowTable first = RandomData.table(FIELDS, NullPattern.SOME, 500, 7, allocator);
        ArrowTable second = RandomData.table(FIELDS, NullPattern.SOME, 500, 8, allocator)) {
      for (String name : first.columnNames()) {
        if (!name.equals("null")) {
          assertThatThrownBy(
                  () ->
                      TableAssert.assertEqual(
                          Tables.select(first, name), Tables.select(second, name)))
              .as(name)
              .isInstanceOf(AssertionError.class);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void slicesJoinToTheWhole(NullPattern pattern) {
    try (ArrowTable table = RandomData.table(FIELDS, pattern, 300, 3, allocator);
        ArrowTable head = Tables.slice(table, 0, 117, allocator);
        ArrowTable tail = Tables.slice(table, 117, 300, allocator);
        ArrowTable joined = Tables.concat(head, tail, allocator)) {
      TableAssert.assertEqual(table, joined);
    }
  }

  @Test
  void gatheringKeepsOrderAndRepeats() {
    try (IntVector values = new IntVector("v", allocator)) {
      values.allocateNew(4);
      for (int i = 0; i < 4; i++) {
        values.set(i, 10 * i);
      }
      values.setNull(2);
      values.setValueCount(4);
      int[] positions = {3, 2, 3, 0};
      try (ArrowTable picked = Tables.gather(ArrowTable.of(values), positions, allocator)) {
        FieldVector column = picked.column("v");
        assertThat(picked.rowCount()).isEqualTo(4);
        assertThat(List.of(column.getObject(0), column.getObject(2), column.getObject(3)))
            .isEqualTo(List.of(30, 30, 0));
        assertThat(column.isNull(1)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void tablesGoThroughFiles(NullPattern pattern, @TempDir Path folder) {
    Path file = folder.resolve("table.arrows");
    try (ArrowTable table = RandomData.table(FIELDS, pattern, 1000, 3, allocator)) {
      IpcFiles.write(table, file);
      try (ArrowTable read = IpcFiles.read(file, allocator)) {
        TableAssert.assertEqual(table, read);
      }
    }
  }

  @Test
  void tablesWithoutRowsGoThroughFiles(@TempDir Path folder) {
    Path file = folder.resolve("table.arrows");
    try (ArrowTable table = RandomData.table(FIELDS, NullPattern.SOME, 0, 3, allocator)) {
      IpcFiles.write(table, file);
      try (ArrowTable read = IpcFiles.read(file, allocator)) {
        assertThat(read.rowCount()).isZero();
        TableAssert.assertEqual(table, read);
      }
    }
  }

  @Test
  void aDifferenceIsReportedWithColumnAndRow() {
    try (VarCharVector left = texts("one", null, "three");
        VarCharVector right = texts("one", "", "three")) {
      assertThatThrownBy(() -> TableAssert.assertEqual(ArrowTable.of(left), ArrowTable.of(right)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("Column s")
          .hasMessageContaining("row 1")
          .hasMessageContaining("expected: null");
    }
  }

  private VarCharVector texts(String... values) {
    VarCharVector vector = new VarCharVector("s", allocator);
    vector.allocateNew();
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        vector.setSafe(i, new Text(values[i]));
      }
    }
    vector.setValueCount(values.length);
    return vector;
  }

  @Test
  void floatsAreComparedByTheirBits() {
    try (Float4Vector left = floats(0f, Float.NaN);
        Float4Vector same = floats(0f, Float.NaN);
        Float4Vector negative = floats(-0f, Float.NaN)) {
      TableAssert.assertEqual(ArrowTable.of(left), ArrowTable.of(same));
      assertThatThrownBy(
              () -> TableAssert.assertEqual(ArrowTable.of(left), ArrowTable.of(negative)))
          .isInstanceOf(AssertionError.class);
    }
  }

  private Float4Vector floats(float... values) {
    Float4Vector vector = new Float4Vector("f", allocator);
    vector.allocateNew(values.length);
    for (int i = 0; i < values.length; i++) {
      vector.set(i, values[i]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  @Test
  void nullElementsNullListsAndEmptyListsDiffer() {
    Field field = SampleFields.list("l", SampleFields.struct("item", SampleFields.utf8("tag")));
    String[] kinds = {"null list", "empty list", "null element", "element with null"};
    for (int i = 0; i < kinds.length; i++) {
      for (int j = 0; j < kinds.length; j++) {
        try (FieldVector left = listOf(field, i);
            FieldVector right = listOf(field, j)) {
          ArrowTable expected = ArrowTable.of(left);
          ArrowTable actual = ArrowTable.of(right);
          if (i == j) {
            TableAssert.assertEqual(expected, actual);
          } else {
            assertThatThrownBy(() -> TableAssert.assertEqual(expected, actual))
                .as(kinds[i] + " and " + kinds[j])
                .isInstanceOf(AssertionError.class);
          }
        }
      }
    }
  }

  private FieldVector listOf(Field field, int kind) {
    ListVector list = (ListVector) field.createVector(allocator);
    list.allocateNew();
    StructVector element = (StructVector) list.getDataVector();
    if (kind == 0) {
      list.setNull(0);
    } else {
      list.startNewValue(0);
      if (kind == 3) {
        element.setIndexDefined(0);
      }
      list.endValue(0, kind == 1 ? 0 : 1);
    }
    list.setValueCount(1);
    return list;
  }
}
