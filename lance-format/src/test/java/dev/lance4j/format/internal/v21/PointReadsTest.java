package dev.lance4j.format.internal.v21;

import static dev.lance4j.format.internal.v21.Layouts.chunk;
import static dev.lance4j.format.internal.v21.Layouts.flat;
import static dev.lance4j.format.internal.v21.Layouts.join;
import static dev.lance4j.format.internal.v21.Layouts.layers;
import static dev.lance4j.format.internal.v21.Layouts.miniBlock;
import static dev.lance4j.format.internal.v21.Layouts.page;
import static dev.lance4j.format.internal.v21.Layouts.variable;
import static dev.lance4j.format.internal.v21.Layouts.word;
import static dev.lance4j.format.internal.v21.Layouts.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.StoreCall;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

/** Single rows cost the bytes around them and not the page. */
class PointReadsTest {
  private static final int CHUNKS = 200;
  private static final int CHUNK_ROWS = 1024;
  private static final long[] ROWS = {5, 6, 70_000, 131_071, 204_799};

  /** What one read took: rounds of requests, bytes, and the values. */
  private record Cost(int rounds, long bytes, List<String> values) {}

  private static Cost read(
      FieldReader reader, Field field, CountingObjectStore store, long... rows) {
    store.reset();
    try (ObjectReader file = store.open(Column.PATH);
        BufferAllocator allocator = new RootAllocator()) {
      FieldRead read = reader.read(RowRanges.ofSortedRows(rows));
      RangeRequests requests = new RangeRequests(file);
      int rounds = 0;
      while (read.request(requests)) {
        requests.execute();
        rounds++;
      }
      List<String> values = Column.text(field, read.decode(allocator), allocator);
      return new Cost(rounds, store.bytes(StoreCall.READ), values);
    }
  }

  @Test
  void miniBlocksAreReadByTheChunk() {
    List<byte[]> chunks = new ArrayList<>();
    long[] table = new long[CHUNKS];
    for (int i = 0; i < CHUNKS; i++) {
      long[] values = new long[CHUNK_ROWS];
      for (int j = 0; j < CHUNK_ROWS; j++) {
        values[j] = (long) i * CHUNK_ROWS + j;
      }
      chunks.add(chunk(0, null, null, words(4, values)));
      table[i] = word(chunks.get(i), 10);
    }
    Column column =
        new Column()
            .page(
                page(miniBlock(flat(32), CHUNKS * CHUNK_ROWS, 1)),
                CHUNKS * CHUNK_ROWS,
                words(2, table),
                join(chunks.toArray(byte[][]::new)));
    CountingObjectStore store = new CountingObjectStore(column.store());
    Field field = SampleFields.int32("x");
    FieldReader reader = column.reader(field);
    String[] expected = Arrays.stream(ROWS).mapToObj(String::valueOf).toArray(String[]::new);
    long fourChunks = 4L * chunks.get(0).length;
    Cost first = read(reader, field, store, ROWS);
    assertThat(first.values()).containsExactly(expected);
    assertThat(first.rounds()).isEqualTo(2);
    assertThat(first.bytes()).isEqualTo(2 * CHUNKS + fourChunks);
    Cost second = read(reader, field, store, ROWS);
    assertThat(second.values()).containsExactly(expected);
    assertThat(second.rounds()).isEqualTo(1);
    assertThat(second.bytes()).isEqualTo(fourChunks);
  }

  @Test
  void zippedItemsOfOneWidthAreReadAlone() {
    int rows = 2000;
    long[] items = new long[rows * 64];
    for (int i = 0; i < items.length; i++) {
      items[i] = i / 64;
    }
    Column column =
        new Column()
            .page(
                page(
                    FullZipLayout.newBuilder()
                        .setBitsPerValue(2048)
                        .setValueCompression(Layouts.fixedSizeList(64, false, flat(32)))
                        .addAllLayers(layers(1))),
                rows,
                words(4, items));
    CountingObjectStore store = new CountingObjectStore(column.store());
    Field field = SampleFields.fixedSizeList("x", 64, SampleFields.int32("item"));
    Cost cost = read(column.reader(field), field, store, 3, 4, 1999);
    assertThat(cost.values()).hasSize(3);
    assertThat(cost.values().get(2)).startsWith("[1999,1999,");
    assertThat(cost.rounds()).isEqualTo(1);
    assertThat(cost.bytes()).isEqualTo(3 * 256);
  }

  @Test
  void zippedItemsOfAnyLengthAreFoundInTheIndex() {
    int rows = 40_000;
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    long[] index = new long[rows + 1];
    for (int i = 0; i < rows; i++) {
      byte[] value = String.valueOf(i).repeat(20).getBytes(StandardCharsets.UTF_8);
      data.writeBytes(words(4, value.length));
      data.writeBytes(value);
      index[i + 1] = data.size();
    }
    Column column =
        new Column()
            .page(
                page(
                    FullZipLayout.newBuilder()
                        .setBitsPerOffset(32)
                        .setValueCompression(variable(32))
                        .addAllLayers(layers(1))),
                rows,
                data.toByteArray(),
                words(4, index));
    CountingObjectStore store = new CountingObjectStore(column.store());
    Field field = SampleFields.utf8("x");
    Cost cost = read(column.reader(field), field, store, 7, 39_999);
    assertThat(cost.values()).containsExactly("7".repeat(20), "39999".repeat(20));
    assertThat(cost.rounds()).isEqualTo(2);
    assertThat(cost.bytes()).isEqualTo(2 * 8 + 4 + 20 + 4 + 100);
  }
}
