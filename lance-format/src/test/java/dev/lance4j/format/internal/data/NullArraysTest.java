package dev.lance4j.format.internal.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.SampleFields;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NullArraysTest {
  private static final Field STRUCT_OF_LISTS =
      SampleFields.struct(
          "s",
          SampleFields.int64("a"),
          SampleFields.fixedSizeList("b", 1 << 30, SampleFields.float32("item")));

  static List<Field> plainFields() {
    return SampleFields.of(FileVersion.V2_2).stream()
        .filter(field -> field.getDictionary() == null)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("plainFields")
  void everyValueIsNull(Field field) {
    try (BufferAllocator allocator = new RootAllocator();
        ArrayData nulls = NullArrays.of(field, 10, allocator);
        FieldVector vector = field.createVector(allocator)) {
      ArrayDataVectors.load(nulls, vector, allocator);
      assertThat(vector.getValueCount()).isEqualTo(10);
      assertThat(vector.getNullCount()).isEqualTo(10);
    }
  }

  @Test
  void moreItemsThanAnArrayHoldsAreRefusedAndNothingIsLeaked() {
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(() -> NullArrays.of(STRUCT_OF_LISTS, 2, allocator))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'b'");
    }
  }

  @Test
  void nothingIsLeakedWhenMemoryRunsOut() {
    try (BufferAllocator allocator = new RootAllocator(1 << 20)) {
      assertThatThrownBy(() -> NullArrays.of(STRUCT_OF_LISTS, 1, allocator))
          .isInstanceOf(OutOfMemoryException.class);
    }
  }
}
