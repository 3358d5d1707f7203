package dev.lance4j.index.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Answers combine as conditions do in the logic of SQL, row by row, and promise no more. */
class RowAnswerTest {
  private static final int FRAGMENTS = 3;
  private static final int FRAGMENT_ROWS = 12;
  private static final int ROWS = FRAGMENTS * FRAGMENT_ROWS;

  /** What a condition is for each row, and an answer that is right about it. */
  private record Known(Boolean[] truth, RowAnswer answer) {}

  private static long address(int row) {
    return RowAddress.pack(row / FRAGMENT_ROWS, row % FRAGMENT_ROWS);
  }

  private static Known random(Random random) {
    Boolean[] truth = new Boolean[ROWS];
    Guarantee guarantee =
        List.of(Guarantee.EXACT, Guarantee.AT_MOST, Guarantee.AT_LEAST).get(random.nextInt(3));
    RowAddressSet.Builder rows = RowAddressSet.builder();
    RowAddressSet.Builder others = RowAddressSet.builder();
    RowAddressSet.Builder nulls = RowAddressSet.builder();
    for (int row = 0; row < ROWS; row++) {
      int choice = random.nextInt(3);
      truth[row] = choice == 0 ? null : (Boolean) (choice == 1);
      boolean isTrue = choice == 1;
      boolean named =
          switch (guarantee) {
            // A row that is among the nulls too is null.
            case EXACT -> isTrue || (choice == 0 && random.nextBoolean());
            case AT_MOST -> isTrue || random.nextInt(3) == 0;
            case AT_LEAST -> isTrue && random.nextInt(3) > 0;
          };
      (named ? rows : others).add(address(row));
      if (choice == 0 && guarantee == Guarantee.EXACT) {
        nulls.add(address(row));
      }
    }
    RowMask<RowAddressSet> mask =
        random.nextBoolean() ? RowMask.allow(rows.build()) : RowMask.block(others.build());
    return new Known(truth, new RowAnswer(guarantee, mask, nulls.build()));
  }

  private static Boolean and(Boolean a, Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return (a == null || b == null) ? null : (Boolean) true;
  }

  private static Boolean not(Boolean a) {
    return a == null ? null : (Boolean) !a;
  }

  private static Known combined(Random random, int depth) {
    Known a = depth == 0 ? random(random) : combined(random, depth - 1);
    Known b = depth == 0 ? random(random) : combined(random, depth - 1);
    Boolean[] truth = new Boolean[ROWS];
    int operator = random.nextInt(3);
    for (int row = 0; row < ROWS; row++) {
      truth[row] =
          switch (operator) {
            case 0 -> not(a.truth()[row]);
            case 1 -> and(a.truth()[row], b.truth()[row]);
            default -> not(and(not(a.truth()[row]), not(b.truth()[row])));
          };
    }
    RowAnswer answer =
        switch (operator) {
          case 0 -> a.answer().not();
          case 1 -> a.answer().and(b.answer());
          default -> a.answer().or(b.answer());
        };
    return new Known(truth, answer);
  }

  @Property(tries = 3_000)
  void combinedAnswersAreRightAboutEachRow(@ForAll Random random) {
    Known known = combined(random, random.nextInt(3));
    RowAnswer answer = known.answer();
    for (int row = 0; row < ROWS; row++) {
      boolean isTrue = Boolean.TRUE.equals(known.truth()[row]);
      boolean selected = answer.selected().selects(address(row));
      switch (answer.guarantee()) {
        case EXACT -> {
          assertThat(selected).isEqualTo(isTrue);
          assertThat(answer.nulls().contains(address(row))).isEqualTo(known.truth()[row] == null);
        }
        case AT_MOST -> assertThat(selected || !isTrue).isTrue();
        case AT_LEAST -> assertThat(!selected || isTrue).isTrue();
      }
    }
  }

  @Property(tries = 300)
  void conditionsThatAreKnownExactlyStayKnown(@ForAll Random random) {
    RowAnswer a = exact(random);
    RowAnswer b = exact(random);
    assertThat(a.not().guarantee()).isEqualTo(Guarantee.EXACT);
    assertThat(a.and(b).guarantee()).isEqualTo(Guarantee.EXACT);
    assertThat(a.or(b).guarantee()).isEqualTo(Guarantee.EXACT);
  }

  private static RowAnswer exact(Random random) {
    RowAnswer answer = random(random).answer();
    while (answer.guarantee() != Guarantee.EXACT) {
      answer = random(random).answer();
    }
    return answer;
  }
}
