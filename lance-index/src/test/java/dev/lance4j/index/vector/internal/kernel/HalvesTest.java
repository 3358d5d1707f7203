package dev.lance4j.index.vector.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.apache.arrow.memory.util.Float16;
import org.junit.jupiter.api.Test;

class HalvesTest {
  @Test
  void everyHalfHasItsValue() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float expected = Float16.toFloat((short) bits);
      float actual = Halves.half((short) bits);
      if (Float.isNaN(expected)) {
        assertThat(actual).isNaN();
      } else {
        assertThat(Float.floatToRawIntBits(actual)).isEqualTo(Float.floatToRawIntBits(expected));
        assertThat(Halves.toHalf(actual)).isEqualTo((short) bits);
      }
    }
  }

  @Test
  void theNearestHalfIsTaken() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      if (Float.isNaN(value)) {
        assertThat(Halves.half(Halves.toHalf(value))).isNaN();
        continue;
      }
      float half = Halves.half(Halves.toHalf(value));
      float smaller = Halves.half((short) (Halves.toHalf(value) - 1));
      float larger = Halves.half((short) (Halves.toHalf(value) + 1));
      if (!Float.isInfinite(half) && half != 0) {
        double error = Math.abs((double) half - value);
        assertThat(error).isLessThanOrEqualTo(Math.abs((double) smaller - value));
        if (!Float.isInfinite(larger)) {
          assertThat(error).isLessThanOrEqualTo(Math.abs((double) larger - value));
        }
      } else if (half == 0) {
        assertThat(Math.abs(value)).isLessThanOrEqualTo(0x1p-25f);
      } else {
        assertThat(Math.abs(value)).isGreaterThanOrEqualTo(65520f);
      }
    }
    assertThat(Halves.toHalf(1 + 0x1p-11f)).isEqualTo(Halves.toHalf(1));
    assertThat(Halves.half(Halves.toHalf(1 + 0x3p-11f))).isEqualTo(1 + 0x1p-9f);
  }

  @Test
  void brainFloatsAreTheUpperHalfOfFloats() {
    assertThat(Halves.brain((short) 0x3F80)).isEqualTo(1);
    assertThat(Halves.toBrain(1 + 0x1p-8f)).isEqualTo((short) 0x3F80);
    assertThat(Halves.toBrain(1 + 0x3p-8f)).isEqualTo((short) 0x3F82);
    assertThat(Halves.brain(Halves.toBrain(Float.NaN))).isNaN();
    assertThat(Halves.toBrain(Float.MAX_VALUE)).isEqualTo((short) 0x7F80);
    assertThat(Halves.toBrain(-2)).isEqualTo((short) 0xC000);
  }
}
