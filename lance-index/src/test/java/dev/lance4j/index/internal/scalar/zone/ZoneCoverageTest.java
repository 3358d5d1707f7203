package dev.lance4j.index.internal.scalar.zone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.table.IndexFile;
import dev.lance4j.table.IndexMetadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class ZoneCoverageTest {
  private static final RoaringBitmap CLAIMED = RoaringBitmap.bitmapOf(1, 2, 3, 4);
  private static final List<IndexFile> RECORDED = List.of(new IndexFile("zonemap.lance", 1));

  private static ZoneCoverage coverage(List<IndexFile> files) {
    IndexMetadata segment =
        new IndexMetadata(
            new UUID(1, 2),
            List.of(0),
            "x_idx",
            1,
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            files,
            UnknownFieldSet.getDefaultInstance());
    ZoneCoverage coverage = new ZoneCoverage(segment);
    coverage.add(new ZoneRange(1, 0, 10));
    coverage.add(new ZoneRange(1, 10, 10));
    coverage.add(new ZoneRange(2, 0, 10));
    coverage.add(new ZoneRange(2, 12, 10));
    coverage.add(new ZoneRange(3, 0, 10));
    coverage.add(new ZoneRange(9, 0, 10));
    return coverage;
  }

  @Test
  void fragmentsWithoutZonesAreNotCovered() {
    assertThat(coverage(RECORDED).answersFor(CLAIMED, fragment -> true).toArray())
        .containsExactly(1, 2, 3);
  }

  @Test
  void zonesOfEarlyWritersAreNotTrustedWhereRowsMayHaveBeenDeletedBefore() {
    assertThat(coverage(List.of()).answersFor(CLAIMED, fragment -> fragment != 3).toArray())
        .containsExactly(2, 3);
  }
}
