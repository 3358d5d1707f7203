package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.StructValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** An item of a list, counted from 1 or from -1 at the end, or the value of a map's key. */
public final class ElementNode extends Node {
  private final Node container;
  private final Node key;

  /** The key of a list is an Int64, that of a map has the type of its keys. */
  public ElementNode(Node container, Node key) {
    super(type(container.type()), List.of(container, key));
    this.container = container;
    this.key = key;
  }

  private static Type type(Type container) {
    return container.is(Kind.MAP) ? container.children().get(1).type() : container.item();
  }

  @Override
  public Values evaluate(Batch batch) {
    ListValues lists = (ListValues) container.evaluate(batch);
    Values keys = key.evaluate(batch);
    int[] rows = new int[lists.size()];
    if (container.type().is(Kind.MAP)) {
      StructValues entries = (StructValues) lists.items();
      for (int row = 0; row < rows.length; row++) {
        rows[row] = entry(lists, entries.field(0), keys, row);
      }
      return entries.field(1).gather(rows);
    }
    for (int row = 0; row < rows.length; row++) {
      rows[row] = item(lists, (LongValues) keys, row);
    }
    return lists.items().gather(rows);
  }

  private static int entry(ListValues lists, Values entryKeys, Values keys, int row) {
    if (lists.isNull(row) || keys.isNull(row)) {
      return -1;
    }
    for (int i = lists.start(row); i < lists.end(row); i++) {
      if (!entryKeys.isNull(i) && entryKeys.compare(i, keys, row) == 0) {
        return i;
      }
    }
    return -1;
  }

  private static int item(ListValues lists, LongValues positions, int row) {
    if (lists.isNull(row) || positions.isNull(row)) {
      return -1;
    }
    long position = positions.get(row);
    long index = position > 0 ? position - 1 : lists.length(row) + position;
    boolean inside = position != 0 && index >= 0 && index < lists.length(row);
    return inside ? lists.start(row) + (int) index : -1;
  }
}
