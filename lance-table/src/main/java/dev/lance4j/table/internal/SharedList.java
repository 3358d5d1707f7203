package dev.lance4j.table.internal;

import java.util.List;

/** Keeps one list where many that follow each other are alike. */
final class SharedList {
  private List<Integer> last = List.of();

  /** An immutable list of the same numbers: the one of the last call if they are the same. */
  List<Integer> of(List<Integer> numbers) {
    if (!last.equals(numbers)) {
      last = List.copyOf(numbers);
    }
    return last;
  }
}
