package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowMaskTest {
  private static final RowIdSet A = RowIdSet.of(1, 2, 3);
  private static final RowIdSet B = RowIdSet.of(3, 4);

  @Test
  void andKeepsTheSmallerKindOfList() {
    assertThat(RowMask.allow(A).and(RowMask.allow(B))).isEqualTo(RowMask.allow(RowIdSet.of(3)));
    assertThat(RowMask.allow(A).and(RowMask.block(B))).isEqualTo(RowMask.allow(RowIdSet.of(1, 2)));
    assertThat(RowMask.block(B).and(RowMask.allow(A))).isEqualTo(RowMask.allow(RowIdSet.of(1, 2)));
    assertThat(RowMask.block(A).and(RowMask.block(B)))
        .isEqualTo(RowMask.block(RowIdSet.of(1, 2, 3, 4)));
  }

  @Test
  void orKeepsTheKindOfListThatCanHoldTheResult() {
    assertThat(RowMask.allow(A).or(RowMask.allow(B)))
        .isEqualTo(RowMask.allow(RowIdSet.of(1, 2, 3, 4)));
    assertThat(RowMask.allow(A).or(RowMask.block(B))).isEqualTo(RowMask.block(RowIdSet.of(4)));
    assertThat(RowMask.block(B).or(RowMask.allow(A))).isEqualTo(RowMask.block(RowIdSet.of(4)));
    assertThat(RowMask.block(A).or(RowMask.block(B))).isEqualTo(RowMask.block(RowIdSet.of(3)));
  }

  @Test
  void allAndNoneAreEmptyLists() {
    RowMask<RowAddressSet> all = RowMask.all(RowDomain.ADDRESSES);

    assertThat(all.selectsAll()).isTrue();
    assertThat(all.not()).isEqualTo(RowMask.none(RowDomain.ADDRESSES));
    assertThat(all.not().selectsNone()).isTrue();
    assertThat(all.selects(5)).isTrue();
    assertThat(RowMask.block(A).selectsAll()).isFalse();
    assertThat(RowMask.allow(A).selectsNone()).isFalse();
  }
}
