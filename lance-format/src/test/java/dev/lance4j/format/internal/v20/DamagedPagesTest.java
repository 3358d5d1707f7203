package dev.lance4j.format.internal.v20;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens to a page, reading it gives rows or a Lance error, and frees its memory. */
class DamagedPagesTest {
  private static final int ROWS = 60;
  private static final int ATTEMPTS = 400;
  private static final long MEMORY = 64L << 20;

  static List<Field> fields() {
    return SampleFields.of(FileVersion.V2_0);
  }

  private record Written(Field field, byte[] bytes, List<ColumnMetadata> columns) {}

  @ParameterizedTest
  @MethodSource("fields")
  void flippedBytesNeverEscape(Field field) {
    Written written = write(field);
    SplittableRandom random = new SplittableRandom(field.getName().hashCode());
    for (int i = 0; i < ATTEMPTS; i++) {
      byte[] bytes = written.bytes().clone();
      if (bytes.length == 0) {
        return;
      }
      for (int k = 1 + random.nextInt(3); k > 0; k--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      read(written.field(), bytes, written.columns(), random);
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void damagedMetadataNeverEscapes(Field field) {
    Written written = write(field);
    SplittableRandom random = new SplittableRandom(field.getName().hashCode());
    for (int i = 0; i < ATTEMPTS; i++) {
      List<ColumnMetadata> columns = new ArrayList<>(written.columns());
      int column = random.nextInt(columns.size());
      columns.set(column, damaged(columns.get(column), random));
      if (columns.get(column) != null) {
        read(written.field(), written.bytes(), columns, random);
      }
    }
  }

  /** A message with a changed byte, or null when it cannot be parsed any more. */
  private static ColumnMetadata damaged(ColumnMetadata column, SplittableRandom random) {
    byte[] bytes = column.toByteArray();
    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    try {
      return ColumnMetadata.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  private static Written write(Field field) {
    HandMadeFile file = new HandMadeFile();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowTable table = RandomData.table(List.of(field), NullPattern.SOME, ROWS, 3, allocator)) {
      FieldVector vector = table.root().getVector(0);
      Field message =
          DictionaryUtility.toMessageFormat(field, table.dictionaries(), new HashSet<>());
      try (ArrayData data = ArrayDataVectors.of(vector, ROWS, "x", table.dictionaries());
          FieldWriter writer = V20FieldWriters.create(message, allocator, file)) {
        writer.append(data);
        writer.finish();
        return new Written(message, file.toBytes(), writer.columns());
      }
    }
  }

  private static void read(
      Field field, byte[] bytes, List<ColumnMetadata> columns, SplittableRandom random) {
    MemoryObjectStore store = new MemoryObjectStore();
    store.put("damaged", ByteBuffer.wrap(bytes));
    int from = random.nextInt(ROWS);
    RowRanges rows = RowRanges.of(from, from + 1 + random.nextInt(ROWS - from));
    try (BufferAllocator allocator = new RootAllocator(MEMORY);
        ObjectReader object = store.open("damaged")) {
      ColumnNode node = HandMadeFile.node(field);
      FieldReader reader = new HandMadeFile().columns(columns).reader(node);
      FieldRead read = reader.read(rows);
      HandMadeFile.run(read, object, allocator).close();
    } catch (LanceException expected) {
      // The damage was found; what matters is that nothing else is thrown and memory is freed.
    }
  }
}
