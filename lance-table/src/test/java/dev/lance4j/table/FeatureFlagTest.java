package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.UnsupportedFormatException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FeatureFlagTest {
  @Property
  void anyCombinationOfTheSixKnownFlagsIsAccepted(@ForAll @IntRange(max = 63) int flags) {
    assertThatCode(() -> FeatureFlag.checkReadable(flags, "t")).doesNotThrowAnyException();
    assertThatCode(() -> FeatureFlag.checkWritable(flags, "t")).doesNotThrowAnyException();
  }

  @Property
  void anyOtherFlagIsRefused(
      @ForAll @IntRange(max = 63) int known, @ForAll @IntRange(min = 6, max = 63) int bit) {
    long flags = known | 1L << bit;

    assertThatThrownBy(() -> FeatureFlag.checkReadable(flags, "t"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("read")
        .hasMessageContaining("(" + Long.toUnsignedString(1L << bit) + ")");
    assertThatThrownBy(() -> FeatureFlag.checkWritable(flags, "t"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("write");
  }

  @Test
  void theRefusalNamesTheFeatures() {
    assertThatThrownBy(() -> FeatureFlag.checkReadable(64 | 1024 | 1, "songs"))
        .hasMessageContaining("songs")
        .hasMessageContaining("data overlay files (64), tagged fragment-reuse index (1024)")
        .hasMessageContaining("1089");
  }
}
