package dev.lance4j.index.internal.scalar.bitmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.NaiveRows;
import dev.lance4j.index.internal.scalar.RandomSegments;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.SegmentBench;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.rowid.RowDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.roaringbitmap.RoaringBitmap;

/** Bitmap and label list indices say what looking through the rows says. */
class BitmapPropertyTest {
  private static final long LITTLE_MEMORY = 2000;
  private static final RoaringBitmap ALL = RoaringBitmap.bitmapOf(0, 3, 70_000);

  @Property(tries = 300)
  void answersAreThoseOfTheRows(@ForAll long seed) {
    run(seed, 1 << 20);
  }

  @Property(tries = 300)
  void answersAreThoseOfTheLists(@ForAll long seed) {
    Random random = new Random(seed);
    List<Field> items = RandomSegments.flatFields();
    Field item = items.get(random.nextInt(items.size()));
    ArrowType list = random.nextBoolean() ? ArrowType.List.INSTANCE : ArrowType.LargeList.INSTANCE;
    Field field = new Field("value", FieldType.nullable(list), List.of(item));
    run(random, new LabelListKind(), ScalarIndexSpec.labelList(), field, 1 << 20);
  }

  @Property(tries = 60)
  void answersAreThoseOfTheRowsWhenGroupsAreSpilled(@ForAll long seed) {
    run(seed, LITTLE_MEMORY);
  }

  private static void run(long seed, long memoryBytes) {
    Random random = new Random(seed);
    List<Field> fields = RandomSegments.flatFields();
    Field field = fields.get(random.nextInt(fields.size()));
    run(random, new BitmapKind(), ScalarIndexSpec.bitmap(), field, memoryBytes);
  }

  private static void run(
      Random random, ScalarKind kind, ScalarIndexSpec spec, Field field, long memoryBytes) {
    boolean stable = random.nextBoolean();
    RowDomain<?> domain = stable ? RowDomain.STABLE_IDS : RowDomain.ADDRESSES;
    try (SegmentBench bench = new SegmentBench(kind, field, domain, memoryBytes);
        RandomSegments data = new RandomSegments(random, field, bench.allocator())) {
      int count = random.nextInt(120);
      int[] picks = data.picks(count);
      long[] rows = stable ? data.rowIds(count) : data.addresses(count);
      int first = count == 0 ? 0 : random.nextInt(count);
      int second = first + random.nextInt(count - first + 1);
      SegmentFiles a = train(bench, spec, data, picks, rows, 0, first);
      SegmentFiles b = train(bench, spec, data, picks, rows, first, second);
      NaiveRows naive = new NaiveRows(data.literals());
      data.fill(naive, Arrays.copyOf(picks, first), Arrays.copyOf(rows, first));
      assertAnswers(bench, a, naive, data.queries());

      data.fill(naive, picks, rows);
      RowTranslation translation = translation(random, naive);
      SegmentFiles merged =
          bench.write(
              kind.settings(a),
              List.of(
                  new SegmentInput.Old(a, translation, ALL),
                  new SegmentInput.Old(b, translation, ALL)),
              data.pool(),
              Arrays.copyOfRange(picks, second, count),
              moved(Arrays.copyOfRange(rows, second, count)));
      NaiveRows expected = new NaiveRows(data.literals());
      for (int i = 0; i < count; i++) {
        long row = i < second ? translation.translate(rows[i]) : moved(rows[i]);
        if (row != RowTranslation.GONE) {
          expected.put(row, naive.value(rows[i]));
        }
      }
      assertAnswers(bench, merged, expected, data.queries());
    }
  }

  private static SegmentFiles train(
      SegmentBench bench,
      ScalarIndexSpec spec,
      RandomSegments data,
      int[] picks,
      long[] rows,
      int from,
      int to) {
    return bench.train(
        spec, data.pool(), Arrays.copyOfRange(picks, from, to), Arrays.copyOfRange(rows, from, to));
  }

  /** Some rows are gone, the others are elsewhere. */
  private static RowTranslation translation(Random random, NaiveRows rows) {
    List<Long> gone = rows.rows().stream().filter(row -> random.nextInt(4) == 0).toList();
    return row -> gone.contains(row) ? RowTranslation.GONE : moved(row);
  }

  private static long moved(long row) {
    return row + 1000;
  }

  private static long[] moved(long[] rows) {
    return Arrays.stream(rows).map(BitmapPropertyTest::moved).toArray();
  }

  private static void assertAnswers(
      SegmentBench bench, SegmentFiles files, NaiveRows naive, List<ScalarQuery> queries) {
    for (ScalarQuery query : queries) {
      if (bench.support(files, query) == Support.NONE) {
        continue;
      }
      SegmentAnswer<?> answer = bench.search(files, query);
      assertThat(answer.guarantee()).isEqualTo(Guarantee.EXACT);
      assertThat(SegmentBench.list(answer.nulls()))
          .as("nulls of " + bench.field().logicalType() + " " + query)
          .isEqualTo(naive.nulls(query));
      assertThat(SegmentBench.list(answer.rows()))
          .as("rows of " + bench.field().logicalType() + " " + query)
          .isEqualTo(naive.matches(query));
    }
  }
}
