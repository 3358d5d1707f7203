package dev.lance4j.format.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ByteStreamSplitTest {
  @Test
  void putsTheLeastSignificantBytesFirst() {
    byte[] values = {0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x23, 0x24, 0x31, 0x32, 0x33, 0x34};
    ByteBuffer out = ByteBuffer.allocate(14);
    ByteStreamSplit.split(values, 3, 4, out, 1);

    assertThat(out.array())
        .containsExactly(
            0, 0x11, 0x21, 0x31, 0x12, 0x22, 0x32, 0x13, 0x23, 0x33, 0x14, 0x24, 0x34, 0);
    assertThat(out.position()).isZero();
  }

  @Property
  void mergesWhatWasSplit(
      @ForAll @Size(max = 300) byte[] bytes, @ForAll @IntRange(min = 1, max = 8) int width) {
    int count = bytes.length / width;
    ByteBuffer split = ByteBuffer.allocateDirect(2 + count * width);
    ByteStreamSplit.split(bytes, count, width, split, 2);
    byte[] merged = new byte[count * width];
    ByteStreamSplit.merge(split, 2, count, width, merged);

    assertThat(merged).isEqualTo(Arrays.copyOf(bytes, count * width));
  }

  @Test
  void refusesMoreThanThereIs() {
    assertThatThrownBy(() -> ByteStreamSplit.merge(ByteBuffer.allocate(7), 0, 2, 4, new byte[8]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(
            () -> ByteStreamSplit.merge(ByteBuffer.allocate(8), 0, 1 << 30, 8, new byte[8]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteStreamSplit.split(new byte[8], -1, 4, ByteBuffer.allocate(8), 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
