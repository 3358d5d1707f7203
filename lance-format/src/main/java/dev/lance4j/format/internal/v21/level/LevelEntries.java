package dev.lance4j.format.internal.v21.level;

import dev.lance4j.format.InvalidInputException;
import java.util.Arrays;

/**
 * The repetition and definition levels of the rows read from one column, in the column's numbering,
 * gathered from all its pages.
 */
public final class LevelEntries {
  private final boolean repeated;
  private final int expected;
  private short[] repetition;
  private short[] definition;
  private int count;

  /**
   * @param expected the number of entries to make room for when there are levels
   */
  public LevelEntries(LayerShape shape, int expected) {
    this.repeated = shape.listCount() > 0;
    this.expected = expected;
    this.repetition = repeated ? new short[expected] : null;
  }

  /** The number of entries. */
  public int count() {
    return count;
  }

  /** The repetition levels, or null for a column without lists; longer than the count. */
  short[] repetition() {
    return repetition;
  }

  /** The definition levels, or null when all are 0; longer than the count. */
  short[] definition() {
    return definition;
  }

  /**
   * Appends the entries from {@code from} (inclusive) to {@code to} (exclusive).
   *
   * @param rep repetition levels; null in a column without lists
   * @param def definition levels; null when all are 0
   */
  public void append(short[] rep, short[] def, int from, int to) {
    int n = to - from;
    int end = reserve(n);
    if (repeated) {
      if (rep == null) {
        throw new IllegalArgumentException("lists without repetition levels");
      }
      System.arraycopy(rep, from, repetition, count, n);
    }
    if (def != null) {
      ensureDefinition(end);
      System.arraycopy(def, from, definition, count, n);
    }
    count = end;
  }

  /** Appends one definition level {@code n} times, in a column without lists. */
  public void appendRun(int level, int n) {
    if (repeated) {
      throw new IllegalArgumentException("lists without repetition levels");
    }
    int end = reserve(n);
    if (level != 0) {
      ensureDefinition(end);
      Arrays.fill(definition, count, end, (short) level);
    }
    count = end;
  }

  private int reserve(int more) {
    if (more > Integer.MAX_VALUE - 8 - count) {
      throw new InvalidInputException(
          "One batch would hold more than "
              + Integer.MAX_VALUE
              + " items; read fewer rows at once");
    }
    int end = count + more;
    if (repeated && end > repetition.length) {
      repetition = Arrays.copyOf(repetition, grown(repetition.length, end));
    }
    if (definition != null && end > definition.length) {
      definition = Arrays.copyOf(definition, grown(definition.length, end));
    }
    return end;
  }

  private void ensureDefinition(int end) {
    if (definition == null) {
      definition = new short[Math.max(end, repeated ? repetition.length : expected)];
    }
  }

  private static int grown(int length, int needed) {
    return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * length));
  }
}
