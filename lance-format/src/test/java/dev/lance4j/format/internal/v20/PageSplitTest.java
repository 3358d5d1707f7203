package dev.lance4j.format.internal.v20;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.PushedNulls;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.junit.jupiter.api.Test;

/** Rows come back the same however pages are cut, and a read fetches no more than it needs. */
class PageSplitTest {
  private static final List<Field> FIELDS = SampleFields.of(FileVersion.V2_0);

  @Property(tries = 300)
  void pagesMayEndAnywhere(
      @ForAll @IntRange(max = 64) int field,
      @ForAll @IntRange(min = 1, max = 60) int firstRows,
      @ForAll @IntRange(min = 1, max = 60) int secondRows,
      @ForAll @IntRange(min = 1, max = 300) int pageBytes,
      @ForAll long seed) {
    Field type = FIELDS.get(field);
    HandMadeFile file = new HandMadeFile();
    PageLimits limits = new PageLimits(pageBytes, 2L * pageBytes);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowTable first =
            RandomData.table(List.of(type), NullPattern.SOME, firstRows, seed, allocator);
        ArrowTable second =
            RandomData.table(
                List.of(type), NullPattern.SOME, secondRows, secondSeed(type, seed), allocator)) {
      Field message =
          DictionaryUtility.toMessageFormat(type, first.dictionaries(), new HashSet<>());
      try (FieldWriter writer = V20FieldWriters.create(message, allocator, file, limits)) {
        append(writer, first);
        append(writer, second);
        writer.finish();
        file.columns(writer.columns());
      }
      try (ArrowTable all = Tables.concat(first, second, allocator)) {
        all.root().getFieldVectors().forEach(PushedNulls::apply);
        check(file, message, all, seed, allocator);
      }
    }
  }

  /**
   * Keys of a byte cannot tell the values of two dictionaries apart: then the second is the same.
   */
  private static long secondSeed(Field type, long seed) {
    boolean narrow =
        type.getDictionary() != null && type.getDictionary().getIndexType().getBitWidth() == 8;
    return narrow ? seed : ~seed;
  }

  private static void append(FieldWriter writer, ArrowTable table) {
    FieldVector vector = table.root().getVector(0);
    try (ArrayData data =
        ArrayDataVectors.of(vector, table.rowCount(), "x", table.dictionaries())) {
      writer.append(data);
    }
  }

  private static void check(
      HandMadeFile file, Field field, ArrowTable all, long seed, BufferAllocator allocator) {
    SplittableRandom random = new SplittableRandom(seed);
    int rows = all.rowCount();
    int from = random.nextInt(rows);
    int to = from + 1 + random.nextInt(rows - from);
    long[] some = LongStream.range(0, rows).filter(row -> random.nextInt(4) == 0).toArray();
    check(file, field, all, RowRanges.of(0, rows), allocator);
    check(file, field, all, RowRanges.of(from, to), allocator);
    check(file, field, all, RowRanges.ofSortedRows(some), allocator);
  }

  private static void check(
      HandMadeFile file, Field field, ArrowTable all, RowRanges rows, BufferAllocator allocator) {
    int[] positions = new int[(int) rows.rows()];
    int n = 0;
    for (int i = 0; i < rows.size(); i++) {
      for (long row = rows.start(i); row < rows.end(i); row++) {
        positions[n++] = (int) row;
      }
    }
    try (ArrowTable expected = Tables.gather(all, positions, allocator);
        ArrowTable actual = read(file, field, rows, allocator)) {
      TableAssert.assertEqual(expected, actual);
    }
  }

  private static ArrowTable read(
      HandMadeFile file, Field field, RowRanges rows, BufferAllocator allocator) {
    MemoryObjectStore store = new MemoryObjectStore();
    store.put("x", ByteBuffer.wrap(file.toBytes()));
    ColumnNode node = HandMadeFile.node(field);
    FieldReader reader = file.reader(node);
    try (ObjectReader object = store.open("x");
        ArrayData data = HandMadeFile.run(reader.read(rows), object, allocator)) {
      FieldVector vector = memoryField(field).createVector(allocator);
      ArrayDataVectors.load(data, vector, allocator);
      ArrowTable table = ArrowTable.of(vector);
      if (data.dictionary() != null) {
        FieldVector values =
            new Field("values", FieldType.nullable(field.getType()), null).createVector(allocator);
        ArrayDataVectors.load(data.dictionary(), values, allocator);
        MapDictionaryProvider provider = new MapDictionaryProvider();
        provider.put(new Dictionary(values, field.getDictionary()));
        table = new ArrowTable(table.root(), provider);
      }
      table.root().setRowCount(data.length());
      return table;
    }
  }

  /** The field of a vector of keys where the field has the type of the values. */
  private static Field memoryField(Field field) {
    if (field.getDictionary() == null) {
      return field;
    }
    ArrowType keys = field.getDictionary().getIndexType();
    return new Field(field.getName(), new FieldType(true, keys, field.getDictionary()), null);
  }

  @Test
  void aTakeReadsOnlyWhatItsRowsNeed() {
    Field field = SampleFields.list("x", SampleFields.utf8("item"));
    HandMadeFile file = new HandMadeFile();
    CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());
    try (BufferAllocator allocator = new RootAllocator();
        ArrowTable table =
            RandomData.table(List.of(field), NullPattern.NONE, 20_000, 1, allocator)) {
      try (FieldWriter writer = V20FieldWriters.create(field, allocator, file)) {
        append(writer, table);
        writer.finish();
        file.columns(writer.columns());
      }
      store.put("x", ByteBuffer.wrap(file.toBytes()));
      RowRanges rows = RowRanges.ofSortedRows(new long[] {3, 4_000, 11_111, 19_999});
      try (ObjectReader object = store.open("x")) {
        store.reset();
        FieldReader reader = file.reader(HandMadeFile.node(field));
        HandMadeFile.run(reader.read(rows), object, allocator).close();
        // Offsets of lists, ends of strings, bytes.
        assertThat(store.calls(StoreCall.READ)).isEqualTo(3);
        assertThat(store.bytes(StoreCall.READ)).isLessThan(4_000);
        assertThat(file.toBytes().length).isGreaterThan(400_000);
      }
    }
  }
}
