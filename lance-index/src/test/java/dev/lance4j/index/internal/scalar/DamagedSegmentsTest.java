package dev.lance4j.index.internal.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.bitmap.BitmapKind;
import dev.lance4j.index.internal.scalar.bitmap.LabelListKind;
import dev.lance4j.index.internal.scalar.zone.BloomFilterKind;
import dev.lance4j.index.internal.scalar.zone.ZoneMapKind;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.rowid.RowDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens to the file of a segment, using it gives rows or says that it is damaged. */
class DamagedSegmentsTest {
  private static final int ATTEMPTS = 400;

  private static Stream<Arguments> segments() {
    Field text = SampleFields.utf8("value");
    Field numbers = SampleFields.float64("value");
    Field lists = SampleFields.list("value", SampleFields.utf8("item"));
    return Stream.of(
        Arguments.of(new BitmapKind(), ScalarIndexSpec.bitmap(), text, true),
        Arguments.of(new BitmapKind(), ScalarIndexSpec.bitmap(), numbers, false),
        Arguments.of(new LabelListKind(), ScalarIndexSpec.labelList(), lists, true),
        Arguments.of(new ZoneMapKind(), ScalarIndexSpec.zoneMap().withRowsPerZone(5), text, false),
        Arguments.of(
            new ZoneMapKind(), ScalarIndexSpec.zoneMap().withRowsPerZone(5), numbers, false),
        Arguments.of(
            new BloomFilterKind(), ScalarIndexSpec.bloomFilter().withRowsPerZone(5), text, false));
  }

  @ParameterizedTest
  @MethodSource("segments")
  void damageNeverEscapes(ScalarKind kind, ScalarIndexSpec spec, Field field, boolean stable) {
    Random random = new Random(5);
    RowDomain<?> domain = stable ? RowDomain.STABLE_IDS : RowDomain.ADDRESSES;
    try (SegmentBench bench = new SegmentBench(kind, field, domain, 1 << 20);
        RandomSegments data = new RandomSegments(random, field, bench.allocator())) {
      int[] picks = data.picks(80);
      long[] rows = stable ? data.rowIds(80) : data.addresses(80);
      SegmentFiles files = bench.train(spec, data.pool(), picks, rows);
      int refused = 0;
      for (int i = 0; i < ATTEMPTS; i++) {
        SegmentFiles damaged = bench.copy(files, bytes -> damaged(bytes, random));
        refused += isRefused(bench, damaged, data.queries()) ? 1 : 0;
      }
      assertThat(refused).isPositive();
    }
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    if (random.nextInt(10) == 0) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }
    byte[] damaged = bytes.clone();
    for (int k = 1 + random.nextInt(4); k > 0; k--) {
      damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }

  private static boolean isRefused(
      SegmentBench bench, SegmentFiles damaged, List<ScalarQuery> queries) {
    try {
      for (ScalarQuery query : queries) {
        if (bench.support(damaged, query) != Support.NONE) {
          bench.search(damaged, query);
        }
      }
      return false;
    } catch (CorruptFileException | UnsupportedFormatException e) {
      return true;
    } catch (RuntimeException | OutOfMemoryError e) {
      return fail("a damaged segment is not refused as one", e);
    }
  }
}
