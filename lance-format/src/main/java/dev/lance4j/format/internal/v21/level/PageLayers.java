package dev.lance4j.format.internal.v21.level;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.proto.encodings21.RepDefLayer;
import java.util.Arrays;
import java.util.List;

/**
 * The layers of one page and the translation of the page's own definition levels, which depend on
 * what its data happens to contain, to the numbering of the column.
 */
public final class PageLayers {
  private final LayerShape shape;
  private final short[] translation;
  private final boolean leafNullable;
  private final boolean identity;

  private PageLayers(LayerShape shape, short[] translation, boolean leafNullable) {
    this.shape = shape;
    this.translation = translation;
    this.leafNullable = leafNullable;
    boolean same = true;
    for (int i = 0; i < translation.length; i++) {
      same &= translation[i] == i;
    }
    this.identity = same;
  }

  /**
   * Checks a page's layers against those of the schema.
   *
   * @param layers innermost first
   */
  public static PageLayers parse(PageInfo page, List<RepDefLayer> layers, LayerShape shape) {
    int extra = layers.size() - shape.size();
    if (extra != 0 && !(extra == 1 && shape.packed())) {
      throw page.corrupt(
          "the page has " + layers.size() + " layers where the schema has " + shape.size());
    }
    short[] translation = new short[1 + 2 * layers.size()];
    int n = 1;
    for (int i = 0; i < layers.size(); i++) {
      // The layer of a packed struct's rows counts as the struct's own.
      int layer = Math.max(0, i - extra);
      boolean list = shape.isList(layer);
      int nullNumber = shape.nullNumber(layer);
      switch (layers.get(i)) {
        case REPDEF_ALL_VALID_ITEM -> check(page, !list, i);
        case REPDEF_ALL_VALID_LIST -> check(page, list, i);
        case REPDEF_NULLABLE_ITEM -> {
          check(page, !list, i);
          translation[n++] = (short) nullNumber;
        }
        case REPDEF_NULLABLE_LIST -> {
          check(page, list, i);
          translation[n++] = (short) nullNumber;
        }
        case REPDEF_EMPTYABLE_LIST -> {
          check(page, list, i);
          translation[n++] = (short) (nullNumber + 1);
        }
        case REPDEF_NULL_AND_EMPTY_LIST -> {
          check(page, list, i);
          translation[n++] = (short) nullNumber;
          translation[n++] = (short) (nullNumber + 1);
        }
        default -> throw page.corrupt("layer " + i + " has an unknown kind");
      }
    }
    boolean leafNullable = n > 1 && translation[1] == 1;
    return new PageLayers(shape, Arrays.copyOf(translation, n), leafNullable);
  }

  private static void check(PageInfo page, boolean fits, int layer) {
    if (!fits) {
      throw page.corrupt("layer " + layer + " does not have the kind that the schema gives it");
    }
  }

  /** Whether the page's items may be null. */
  public boolean leafNullable() {
    return leafNullable;
  }

  public LayerShape shape() {
    return shape;
  }

  /**
   * Translates definition levels in place.
   *
   * @throws IllegalArgumentException if a level is higher than the page's layers allow
   */
  public void translate(short[] definition, int count) {
    if (identity) {
      check(definition, count, translation.length - 1, "definition");
      return;
    }
    for (int i = 0; i < count; i++) {
      definition[i] = translate(definition[i] & 0xffff);
    }
  }

  private static void check(short[] levels, int count, int max, String kind) {
    int union = 0;
    for (int i = 0; i < count; i++) {
      union |= levels[i];
    }
    // If even the union of all bits is small enough, so is each level.
    for (int i = 0; i < count && (union & 0xffff) > max; i++) {
      if ((levels[i] & 0xffff) > max) {
        throw tooHigh(kind, levels[i] & 0xffff, max);
      }
    }
  }

  private static IllegalArgumentException tooHigh(String kind, int level, int max) {
    return new IllegalArgumentException(kind + " level " + level + " where the highest is " + max);
  }

  /** Translates one definition level. */
  public short translate(int level) {
    if (level >= translation.length) {
      throw tooHigh("definition", level, translation.length - 1);
    }
    return translation[level];
  }

  /**
   * Checks repetition levels.
   *
   * @throws IllegalArgumentException if a level is higher than the number of lists
   */
  public void checkRepetition(short[] repetition, int count) {
    check(repetition, count, shape.listCount(), "repetition");
  }

  /** The number of entries that begin a row. */
  public int countRows(short[] repetition, int count) {
    int max = shape.listCount();
    int rows = 0;
    for (int i = 0; i < count; i++) {
      rows += repetition[i] == max ? 1 : 0;
    }
    return rows;
  }

  /** The number of entries, of translated levels, that have an item of their own. */
  public int countVisible(short[] definition, int from, int to) {
    if (shape.listCount() == 0) {
      return to - from;
    }
    int max = shape.maxVisible();
    int visible = 0;
    for (int i = from; i < to; i++) {
      visible += definition[i] <= max ? 1 : 0;
    }
    return visible;
  }
}
