package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import org.junit.jupiter.api.Test;

class RowAddressTest {
  @Test
  void packsTheFragmentAboveTheOffset() {
    assertThat(RowAddress.pack(3, 7)).isEqualTo(0x0000_0003_0000_0007L);
    assertThat(RowAddress.pack(0xFFFF_FFFEL, 0xFFFF_FFFFL)).isEqualTo(0xFFFF_FFFE_FFFF_FFFFL);
  }

  @Test
  void unpacksBothPartsAsUnsignedNumbers() {
    RowAddress address = RowAddress.of(0xFFFF_FFFEL, 0x8000_0000L);

    assertThat(address.fragmentId()).isEqualTo(0xFFFF_FFFEL);
    assertThat(address.offset()).isEqualTo(0x8000_0000L);
    assertThat(address).hasToString("fragment 4294967294, offset 2147483648");
  }

  @Test
  void refusesWhatDoesNotFit() {
    for (long[] parts : new long[][] {{-1, 0}, {0xFFFF_FFFFL, 0}, {0, -1}, {0, 1L << 32}}) {
      assertThatThrownBy(() -> RowAddress.pack(parts[0], parts[1]))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("does not fit a row address");
    }
  }
}
