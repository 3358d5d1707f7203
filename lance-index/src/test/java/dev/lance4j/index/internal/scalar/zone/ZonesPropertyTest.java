package dev.lance4j.index.internal.scalar.zone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.NaiveRows;
import dev.lance4j.index.internal.scalar.RandomSegments;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.SegmentBench;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.roaringbitmap.RoaringBitmap;

/** Zone maps and Bloom filters never miss a row, whatever the values. */
class ZonesPropertyTest {
  @Property(tries = 300)
  void allMatchesAreAmongTheCandidatesOfZoneMaps(@ForAll long seed) {
    Random random = new Random(seed);
    List<Field> fields = RandomSegments.flatFields();
    Field field = fields.get(random.nextInt(fields.size()));
    int rows = 1 + random.nextInt(12);
    run(random, new ZoneMapKind(), ScalarIndexSpec.zoneMap().withRowsPerZone(rows), field);
  }

  @Property(tries = 300)
  void allMatchesAreAmongTheCandidatesOfBloomFilters(@ForAll long seed) {
    Random random = new Random(seed);
    List<Field> fields =
        RandomSegments.flatFields().stream().filter(ZonesPropertyTest::canBeHashed).toList();
    Field field = fields.get(random.nextInt(fields.size()));
    ScalarIndexSpec spec =
        ScalarIndexSpec.bloomFilter()
            .withRowsPerZone(1 + random.nextInt(12))
            .withProbability(random.nextInt(3) / 3.0 + 0.01);
    run(random, new BloomFilterKind(), spec, field);
  }

  private static boolean canBeHashed(Field field) {
    try {
      new BloomFilterKind()
          .check(LanceSchema.fromArrow(new Schema(List.of(field))).fields().get(0));
      return true;
    } catch (InvalidInputException e) {
      return false;
    }
  }

  private static void run(Random random, ScalarKind kind, ScalarIndexSpec spec, Field field) {
    try (SegmentBench bench = new SegmentBench(kind, field, RowDomain.ADDRESSES, 1 << 20);
        RandomSegments data = new RandomSegments(random, field, bench.allocator())) {
      int count = random.nextInt(120);
      int[] picks = data.picks(count);
      long[] rows = data.addresses(count);
      SegmentFiles whole = bench.train(spec, data.pool(), picks, rows);
      NaiveRows naive = new NaiveRows(data.literals());
      data.fill(naive, picks, rows);
      assertCandidates(bench, whole, naive, data.queries());

      RoaringBitmap kept = RoaringBitmap.bitmapOf(0, 70_000);
      int middle = split(rows);
      SegmentFiles first =
          bench.train(spec, data.pool(), Arrays.copyOf(picks, middle), Arrays.copyOf(rows, middle));
      SegmentFiles merged =
          bench.write(
              kind.settings(first),
              List.of(SegmentBench.whole(first, kept)),
              data.pool(),
              Arrays.copyOfRange(picks, middle, count),
              Arrays.copyOfRange(rows, middle, count));
      for (long row : rows) {
        if (RowAddress.fragmentId(row) == 3) {
          naive.remove(row);
        }
      }
      assertCandidates(bench, merged, naive, data.queries());
      RoaringBitmap answersFor =
          bench.with(merged, segment -> segment.answersFor(everything(), fragment -> true));
      assertThat(answersFor.toArray()).isEqualTo(fragments(naive).toArray());
    }
  }

  /** Where the last fragment starts. */
  private static int split(long[] rows) {
    int middle = 0;
    while (middle < rows.length && RowAddress.fragmentId(rows[middle]) < 70_000) {
      middle++;
    }
    return middle;
  }

  private static RoaringBitmap everything() {
    return RoaringBitmap.bitmapOfRange(0, 100_000);
  }

  private static RoaringBitmap fragments(NaiveRows naive) {
    RoaringBitmap fragments = new RoaringBitmap();
    naive.rows().forEach(row -> fragments.add((int) RowAddress.fragmentId(row)));
    return fragments;
  }

  private static void assertCandidates(
      SegmentBench bench, SegmentFiles files, NaiveRows naive, List<ScalarQuery> queries) {
    for (ScalarQuery query : queries) {
      if (bench.support(files, query) == Support.NONE) {
        continue;
      }
      SegmentAnswer<?> answer = bench.search(files, query);
      assertThat(answer.guarantee()).isEqualTo(Guarantee.AT_MOST);
      List<Long> matches = naive.matches(query);
      assertThat(SegmentBench.list(answer.rows()))
          .as(bench.field().logicalType() + " " + query)
          .containsAll(matches);
      if (matches.isEmpty() && query instanceof ScalarQuery.IsNull) {
        assertThat(answer.rows().isEmpty()).isTrue();
      }
    }
  }
}
