package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.write.BatchSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Columns of every type that are joined by key: rows without a partner get nulls (reported fault
 * M81).
 */
class JoinedTypesTest {
  private static final int ROWS = 4;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_1", "V2_2"})
  void rowsWithoutAPartnerAreNullInEveryType(FileVersion version) {
    List<Field> fields = SampleFields.of(version).stream().filter(Field::isNullable).toList();
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable left = ArrowTable.of(keys(1, 2, 3, 4));
        Dataset made =
            Dataset.write(uri).allocator(allocator).fileVersion(version).from(left.root());
        ArrowTable values = RandomData.table(fields, NullPattern.NONE, 2, 7, allocator);
        IntVector partners = keys(1, 3)) {
      List<FieldVector> columns = new ArrayList<>(values.root().getFieldVectors());
      columns.add(0, partners);
      ArrowTable right = ArrowTable.of(columns.toArray(FieldVector[]::new));
      BatchSource source = BatchSource.of(right.root(), values.dictionaries());
      try (Dataset joined =
              Dataset.commit(
                  uri, made.evolution().joinColumns(source, "uid", "uid"), made.version());
          Dataset read = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
          ArrowTable all = Tables.drain(read.scan().open(), allocator);
          ArrowTable found = Tables.gather(all, new int[] {0, 2}, allocator);
          ArrowTable expected =
              Tables.decoded(new ArrowTable(right.root(), values.dictionaries()), allocator)) {
        assertThat(joined.version()).isEqualTo(2);
        assertThat(all.rowCount()).isEqualTo(ROWS);
        TableAssert.assertEqual(expected, found);
        for (Field field : fields) {
          assertThat(all.column(field.getName()).isNull(1)).as(field.toString()).isTrue();
          assertThat(all.column(field.getName()).isNull(3)).as(field.toString()).isTrue();
        }
      }
    }
  }

  private IntVector keys(int... keys) {
    IntVector vector = new IntVector("uid", allocator);
    for (int i = 0; i < keys.length; i++) {
      vector.setSafe(i, keys[i]);
    }
    vector.setValueCount(keys.length);
    return vector;
  }
}
