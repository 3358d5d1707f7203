package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.DeletionFile.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.SeekableReadChannel;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class DeletionVectorTest {
  private static final int ROWS = 200;

  private static DeletionVector vector(Set<Integer> offsets, Form form) {
    RoaringBitmap bitmap = new RoaringBitmap();
    offsets.forEach(bitmap::add);
    return DeletionVector.of(bitmap, form);
  }

  private static List<Long> expand(RowRanges ranges) {
    List<Long> rows = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      LongStream.range(ranges.start(i), ranges.end(i)).forEach(rows::add);
    }
    return rows;
  }

  private static List<Long> live(Set<Integer> deleted) {
    return LongStream.range(0, ROWS).filter(row -> !deleted.contains((int) row)).boxed().toList();
  }

  @Property
  void behavesLikeASet(
      @ForAll Form form,
      @ForAll @Size(max = 150) Set<@IntRange(max = ROWS - 1) Integer> deleted,
      @ForAll @IntRange(max = ROWS) int a,
      @ForAll @IntRange(max = ROWS) int b) {
    DeletionVector vector = vector(deleted, form);
    List<Long> live = live(deleted);

    assertThat(vector.cardinality()).isEqualTo(deleted.size());
    assertThat(IntStream.range(0, ROWS).filter(vector::contains).boxed())
        .containsExactlyElementsOf(new TreeSet<>(deleted));
    for (int k = 0; k < live.size(); k++) {
      assertThat(vector.offsetOf(k)).isEqualTo(live.get(k));
    }
    int from = Math.min(a, b);
    int to = Math.max(a, b);
    assertThat(expand(vector.liveRanges(from, to)))
        .isEqualTo(live.stream().filter(row -> row >= from && row < to).toList());
  }

  @Property
  void liveRowsTranslateToOffsets(
      @ForAll Form form,
      @ForAll @Size(max = 100) Set<@IntRange(max = ROWS - 1) Integer> deleted,
      @ForAll @Size(max = 20) Set<@IntRange(max = ROWS - 101) Integer> wanted) {
    long[] rows = wanted.stream().mapToLong(Integer::longValue).sorted().toArray();
    List<Long> live = live(deleted);

    assertThat(expand(vector(deleted, form).toOffsets(RowRanges.ofSortedRows(rows))))
        .isEqualTo(Arrays.stream(rows).mapToObj(row -> live.get((int) row)).toList());
  }

  @Property
  void bothFormsSurviveTheirFiles(
      @ForAll Form form, @ForAll @Size(min = 1) Set<@IntRange(max = 99_999) Integer> deleted) {
    DeletionVector vector = vector(deleted, form);

    assertThat(DeletionFiles.parse(DeletionFiles.bytes(vector), form, "f", 100_000))
        .isEqualTo(vector);
  }

  @Test
  void rowsBeyondTheSignedRangeAreCounted() {
    RoaringBitmap offsets = RoaringBitmap.bitmapOf(0, -2);
    DeletionVector vector = DeletionVector.of(offsets, Form.BITMAP);

    assertThat(vector.last()).isEqualTo(0xFFFF_FFFEL);
    assertThat(vector.contains(0xFFFF_FFFEL)).isTrue();
    assertThat(vector.offsetOf(0xFFFF_FFFCL)).isEqualTo(0xFFFF_FFFDL);
    assertThat(vector.offsetOf(0xFFFF_FFFDL)).isEqualTo(0xFFFF_FFFFL);
    assertThat(vector.liveRanges(0, 1L << 32).toString())
        .isEqualTo("1..4294967294, 4294967295..4294967296");
  }

  private static RoaringBitmap range(int from, int to) {
    RoaringBitmap bitmap = new RoaringBitmap();
    bitmap.add((long) from, to);
    return bitmap;
  }

  @Test
  void largeVectorsBecomeBitmapsAndStayThat() {
    assertThat(DeletionVector.NONE.plus(range(0, 4999)).form()).isEqualTo(Form.ARROW_ARRAY);
    assertThat(DeletionVector.NONE.plus(range(0, 5000)).form()).isEqualTo(Form.BITMAP);
    DeletionVector grown = DeletionVector.NONE.plus(range(0, 4999)).plus(range(4999, 5000));
    assertThat(grown.form()).isEqualTo(Form.ARROW_ARRAY);
    assertThat(grown.plus(range(5000, 5001)).form()).isEqualTo(Form.BITMAP);
    assertThat(vector(Set.of(1), Form.BITMAP).plus(range(2, 3)).form()).isEqualTo(Form.BITMAP);
  }

  @Test
  void bitmapsHaveTheKnownBytes() {
    assertThat(Hex.array(DeletionFiles.bytes(vector(Set.of(10, 20), Form.BITMAP))))
        .isEqualTo(
            Hex.array(Hex.bytes("3A 30 00 00 01 00 00 00 00 00 01 00 10 00 00 00 0A 00 14 00")));
    ByteBuffer large = DeletionFiles.bytes(DeletionVector.NONE.plus(range(0, 5000)));
    assertThat(large.remaining()).isEqualTo(8208);
    assertThat(Hex.array(large.slice(0, 16)))
        .isEqualTo(Hex.array(Hex.bytes("3A 30 00 00 01 00 00 00 00 00 87 13 10 00 00 00")));
  }

  @Test
  void bitmapsWithRunsAreUnderstood() {
    ByteBuffer bytes = Hex.bytes("3B 30 00 00 01 00 00 04 00 01 00 05 00 04 00 FF FF");

    assertThat(DeletionFiles.parse(bytes, Form.BITMAP, "f", 100).offsets().toArray())
        .containsExactly(5, 6, 7, 8, 9);
  }

  @Test
  void arrowFilesCanBeReadByArrow() throws IOException {
    ByteBuffer bytes = DeletionFiles.bytes(vector(Set.of(7, 3, 100), Form.ARROW_ARRAY));

    try (RootAllocator allocator = new RootAllocator();
        ArrowFileReader reader =
            new ArrowFileReader(
                new SeekableReadChannel(new ByteArrayReadableSeekableByteChannel(Hex.array(bytes))),
                allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      UInt4Vector offsets = (UInt4Vector) reader.getVectorSchemaRoot().getVector("row_id");
      assertThat(offsets.getField().isNullable()).isFalse();
      assertThat(IntStream.range(0, offsets.getValueCount()).map(offsets::get))
          .containsExactly(3, 7, 100);
      assertThat(reader.loadNextBatch()).isFalse();
    }
  }

  @Test
  void compressedArrowFilesInAnyOrderAreUnderstood() throws IOException {
    for (int count : new int[] {1, 4999}) {
      List<Integer> offsets =
          new ArrayList<>(IntStream.range(0, count).map(i -> i * 3).boxed().toList());
      Collections.shuffle(offsets, new Random(count));

      byte[] file = CompressedArrow.file(offsets);

      assertThat(
              DeletionFiles.parse(ByteBuffer.wrap(file), Form.ARROW_ARRAY, "f", 15_000)
                  .offsets()
                  .toArray())
          .containsExactly(IntStream.range(0, count).map(i -> i * 3).toArray());
    }
  }

  @Test
  void aDeletionFileOfVersion075IsUnderstood() {
    Path path =
        Path.of(System.getProperty("lance4j.data", "")).resolve("historical/v0.7.5/with_deletions");
    Assumptions.assumeTrue(Files.isDirectory(path), "there is no table " + path);
    TableVersion version = Table.at(ObjectStores.resolve(path.toString())).latest();

    DeletionVector vector = DeletionFiles.read(version, version.manifest().fragments().get(0));

    assertThat(vector.offsets().toArray()).containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    assertThat(vector.form()).isEqualTo(Form.ARROW_ARRAY);
  }

  @Test
  void offsetsThatAreNotInTheFragmentAreCorrupt() {
    for (Form form : Form.values()) {
      ByteBuffer bytes = DeletionFiles.bytes(vector(Set.of(10), form));
      assertThatThrownBy(() -> DeletionFiles.parse(bytes.duplicate(), form, "f", 10))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("row 10");
    }
  }

  @Test
  void damagedFilesGiveAnErrorOrAVector() {
    Random random = new Random(11);
    for (Form form : Form.values()) {
      for (int size : new int[] {1, 5000}) {
        byte[] original = Hex.array(DeletionFiles.bytes(vectorOf(size, form)));
        for (int round = 0; round < 4000; round++) {
          byte[] bytes = original.clone();
          for (int i = 0; i <= round % 3; i++) {
            bytes[random.nextInt(Math.min(bytes.length, 500))] = (byte) random.nextInt(256);
            bytes[bytes.length - 1 - random.nextInt(Math.min(bytes.length, 300))] ^= (byte) (i + 1);
          }
          int length = round % 5 == 0 ? random.nextInt(bytes.length) : bytes.length;
          try {
            DeletionVector vector =
                DeletionFiles.parse(ByteBuffer.wrap(bytes, 0, length), form, "f", 10_000);
            assertThat(vector.last()).isLessThan(10_000);
          } catch (LanceException expected) {
            assertThat(expected).hasMessageContaining("f");
          }
        }
      }
    }
  }

  private static DeletionVector vectorOf(int size, Form form) {
    return DeletionVector.of(range(0, size), form);
  }

  @Test
  void aFragmentWithAllRowsDeletedHasNoFile() {
    Table table = Tables.inMemory();
    FragmentMetadata fragment = Tables.fragment("a.lance", 3).withId(4);

    DeletionFile file = DeletionFiles.write(table, fragment, 9, vectorOf(2, Form.ARROW_ARRAY));

    assertThat(file.name(4)).matches("4-9-\\d+\\.arrow");
    assertThat(table.store().exists(table.path() + "/_deletions/" + file.name(4))).isTrue();
    assertThat(file.deletedRows()).isEqualTo(2);
    assertThatThrownBy(() -> DeletionFiles.write(table, fragment, 9, vectorOf(3, Form.ARROW_ARRAY)))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(
            () -> DeletionFiles.write(table, fragment, 9, vector(Set.of(3), Form.ARROW_ARRAY)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("row 3 of 3");
  }
}
