package dev.lance4j.format.internal.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArrayGatherTest {
  private static final int[] POSITIONS = {19, 0, 7, 7, 3, 4, 5, 18, 19};

  private final BufferAllocator root = new RootAllocator();

  static List<Field> fields() {
    return SampleFields.of(FileVersion.V2_2).stream()
        .filter(field -> field.getDictionary() == null)
        .toList();
  }

  @AfterEach
  void nothingIsLeaked() {
    root.close();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void picksTheSameValuesAsARowByRowCopy(Field field) {
    for (NullPattern nulls : NullPattern.values()) {
      try (ArrowTable table = RandomData.table(List.of(field), nulls, 20, 1, root);
          ArrowTable expected = Tables.gather(table, POSITIONS, root);
          ArrayData source = data(table);
          ArrayData gathered = ArrayGather.gather(stored(field), source, POSITIONS, root);
          FieldVector vector = field.createVector(root)) {
        ArrayDataVectors.load(gathered, vector, root);
        TableAssert.assertEqual(expected.column(field.getName()), vector, POSITIONS.length);
      }
    }
  }

  /** Positions that stand for nulls, at the start, between values and at the end. */
  @ParameterizedTest
  @MethodSource("fields")
  void givesNullsWhereAsked(Field field) {
    int[] positions = {ArrayGather.NULL, 3, ArrayGather.NULL, ArrayGather.NULL, 0, 1, 19, -1};
    for (NullPattern nulls : NullPattern.values()) {
      try (ArrowTable table = RandomData.table(List.of(field), nulls, 20, 1, root);
          ArrowTable expected = Tables.gather(table, new int[] {0, 3, 0, 0, 0, 1, 19, 0}, root);
          ArrayData source = data(table);
          ArrayData gathered = ArrayGather.gather(stored(field), source, positions, root);
          FieldVector vector = field.createVector(root)) {
        for (int i = 0; i < positions.length; i++) {
          FieldVector column = expected.column(field.getName());
          if (positions[i] < 0 && !(column instanceof NullVector)) {
            BitVectorHelper.unsetBit(column.getValidityBuffer(), i);
          }
        }
        ArrayDataVectors.load(gathered, vector, root);
        TableAssert.assertEqual(expected.column(field.getName()), vector, positions.length);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void leaksNothingWhenMemoryEnds(Field field) {
    int refused = 0;
    try (ArrowTable table = RandomData.table(List.of(field), NullPattern.SOME, 20, 1, root);
        ArrayData source = data(table)) {
      for (long limit = 0; limit < 2_000; limit += 40) {
        try (BufferAllocator small = root.newChildAllocator("small", 0, limit)) {
          ArrayGather.gather(stored(field), source, POSITIONS, small).close();
        } catch (OutOfMemoryException e) {
          refused++;
        }
      }
    }
    boolean hasBuffers = !(field.getType() instanceof ArrowType.Null);
    assertThat(refused > 0).isEqualTo(hasBuffers);
  }

  private static ArrayData data(ArrowTable table) {
    FieldVector vector = table.root().getVector(0);
    return ArrayDataVectors.of(vector, table.rowCount(), vector.getName(), table.dictionaries());
  }

  /** The field as readers see it. */
  private static Field stored(Field field) {
    return LanceSchema.fromArrow(new Schema(List.of(field))).fields().get(0).toArrow();
  }
}
