package dev.lance4j.index.internal.scalar.bitmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarQuery.Bound;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.SegmentBench;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.StoredValues;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowDomain;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Files as other writers leave them: keys in any order, more than once, or without rows. */
class ForeignBitmapsTest {
  private static final Field TEXT = SampleFields.utf8("value");
  private static final Field TEXTS = SampleFields.list("value", SampleFields.utf8("item"));
  private static final RoaringBitmap FRAGMENTS = RoaringBitmap.bitmapOf(0, 1);

  private final List<SegmentBench> benches = new ArrayList<>();

  @AfterEach
  void close() {
    benches.forEach(SegmentBench::close);
  }

  private SegmentBench bench(ScalarKind kind, Field field) {
    SegmentBench bench = new SegmentBench(kind, field, RowDomain.ADDRESSES, 1 << 20);
    benches.add(bench);
    return bench;
  }

  private static SegmentFiles segment(
      SegmentBench bench, List<String> keys, RowAddressSet... rows) {
    List<byte[]> keyBytes =
        keys.stream()
            .map(key -> key == null ? null : key.getBytes(StandardCharsets.UTF_8))
            .toList();
    List<byte[]> bitmaps = Arrays.stream(rows).map(RowAddressSet::toBytes).toList();
    return segment(bench, Arrays.asList(keyBytes.toArray(byte[][]::new)), bitmaps);
  }

  private static SegmentFiles segment(SegmentBench bench, List<byte[]> keys, List<byte[]> bitmaps) {
    List<Field> fields = BitmapFile.schema(TEXT).getFields();
    return bench.write(
        BitmapFile.NAME,
        0,
        BitmapFile.schema(TEXT),
        file -> {
          try (ArrayBatch batch =
              StoredValues.batch(fields, List.of(keys, bitmaps), bench.allocator())) {
            file.write(batch.arrays(), batch.rows());
          }
        });
  }

  private static ScalarValue text(SegmentBench bench, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (ArrayData array = StoredValues.array(TEXT, List.of(bytes), bench.allocator())) {
      return ScalarValue.of(TEXT, array, 0, text);
    }
  }

  private static List<Long> rows(SegmentBench bench, SegmentFiles files, ScalarQuery query) {
    return SegmentBench.list(bench.search(files, query).rows());
  }

  @Test
  void keysMayBeInAnyOrderMoreThanOnceAndWithoutRows() {
    SegmentBench bench = bench(new BitmapKind(), TEXT);
    SegmentFiles files =
        segment(
            bench,
            Arrays.asList("c", null, "a", null, "b", "a"),
            RowAddressSet.of(3),
            RowAddressSet.of(1),
            RowAddressSet.of(0),
            RowAddressSet.of(2),
            RowAddressSet.EMPTY,
            RowAddressSet.of(9));

    assertThat(rows(bench, files, new ScalarQuery.IsNull())).containsExactly(1L, 2L);
    assertThat(rows(bench, files, new ScalarQuery.Equals(text(bench, "a"))))
        .containsExactly(0L, 9L);
    assertThat(rows(bench, files, new ScalarQuery.Equals(text(bench, "b")))).isEmpty();
    Bound b = new Bound(text(bench, "b"), true);
    assertThat(rows(bench, files, new ScalarQuery.Range(Optional.of(b), Optional.empty())))
        .containsExactly(3L);
    assertThat(rows(bench, files, new ScalarQuery.Range(Optional.empty(), Optional.of(b))))
        .containsExactly(0L, 9L);
    SegmentAnswer<?> all =
        bench.search(files, new ScalarQuery.Range(Optional.empty(), Optional.empty()));
    assertThat(SegmentBench.list(all.nulls())).containsExactly(1L, 2L);
    assertThat(bench.with(files, segment -> segment.statistics()).get("num_bitmaps")).isEqualTo(6L);
    SegmentFiles merged = merge(bench, files);
    assertThat(rows(bench, merged, new ScalarQuery.IsNull())).containsExactly(1L, 2L);
    assertThat(bench.with(merged, segment -> segment.statistics()).get("num_bitmaps"))
        .isEqualTo(3L);
  }

  private static SegmentFiles merge(SegmentBench bench, SegmentFiles files) {
    try (ArrowTable empty = SegmentBench.noRows(TEXT, bench.allocator())) {
      return bench.write(
          new BitmapKind().settings(files),
          List.of(SegmentBench.whole(files, FRAGMENTS)),
          empty,
          new int[0],
          new long[0]);
    }
  }

  @Test
  void wholeFragmentsAreFoundButNotTakenOver() {
    SegmentBench bench = bench(new BitmapKind(), TEXT);
    RowAddressSet.Builder whole = RowAddressSet.builder();
    whole.addFragment(1);
    SegmentFiles files = segment(bench, List.of("a"), whole.build());

    SegmentAnswer<?> answer = bench.search(files, new ScalarQuery.Equals(text(bench, "a")));

    assertThat(answer.rows().contains(RowAddress.pack(1, 7))).isTrue();
    assertThat(answer.rows().contains(RowAddress.pack(0, 7))).isFalse();
    assertThatThrownBy(() -> merge(bench, files)).isInstanceOf(UnsupportedFormatException.class);
  }

  @Test
  void rangesThatEndBeforeTheyStartAreEmpty() {
    SegmentBench bench = bench(new BitmapKind(), TEXT);
    SegmentFiles files =
        segment(bench, List.of("a", "b"), RowAddressSet.of(0), RowAddressSet.of(1));
    Optional<Bound> a = Optional.of(new Bound(text(bench, "a"), true));
    Optional<Bound> b = Optional.of(new Bound(text(bench, "b"), true));

    assertThat(rows(bench, files, new ScalarQuery.Range(b, a))).isEmpty();
    assertThat(rows(bench, files, new ScalarQuery.Range(a, b))).containsExactly(0L, 1L);
  }

  @Test
  void damagedSetsOfRowsAreRefused() {
    SegmentBench bench = bench(new BitmapKind(), TEXT);
    byte[] key = {'a'};
    SegmentFiles damaged = segment(bench, List.<byte[]>of(key), List.<byte[]>of(new byte[] {1}));
    SegmentFiles missing = segment(bench, List.<byte[]>of(key), Collections.singletonList(null));
    ScalarQuery query = new ScalarQuery.Equals(text(bench, "a"));

    assertThatThrownBy(() -> bench.search(damaged, query)).isInstanceOf(CorruptFileException.class);
    assertThatThrownBy(() -> bench.search(missing, query)).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void keysOfAnotherTypeAreRefused() {
    SegmentBench writer = bench(new BitmapKind(), TEXT);
    SegmentFiles files = segment(writer, List.of("a"), RowAddressSet.of(0));
    SegmentBench bench = bench(new BitmapKind(), SampleFields.int32("value"));

    SegmentFiles copy = bench.adopt(writer, files);

    assertThatThrownBy(() -> bench.search(copy, new ScalarQuery.IsNull()))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("keys");
  }

  @Test
  void labelListsOfTheFirstVersionAreCheckedAndNotTakenOver() {
    LabelListKind kind = new LabelListKind();
    SegmentBench bench = bench(kind, TEXTS);
    SegmentFiles files = segment(bench, List.of("a"), RowAddressSet.of(4));
    ScalarQuery query = new ScalarQuery.HasAny(List.of(text(bench, "a")), false);

    assertThat(kind.support(query, files)).isEqualTo(Support.CANDIDATES);
    assertThat(kind.canTakeOver(files)).isFalse();
    assertThat(bench.search(files, query).guarantee()).isEqualTo(Guarantee.AT_MOST);
    assertThat(rows(bench, files, query)).containsExactly(4L);
  }

  @Test
  void emptyListsOfItemsAreNotAnswered() {
    LabelListKind kind = new LabelListKind();
    SegmentFiles files = segment(bench(kind, TEXTS), List.of("a"), RowAddressSet.of(4));

    assertThat(kind.support(new ScalarQuery.HasAny(List.of(), false), files))
        .isEqualTo(Support.NONE);
    assertThat(kind.support(new ScalarQuery.HasAll(List.of(), false), files))
        .isEqualTo(Support.NONE);
    assertThat(kind.support(new ScalarQuery.HasAll(List.of(), true), files))
        .isEqualTo(Support.CANDIDATES);
  }
}
