package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;

/** A read of some rows of a constant page. */
final class ConstantRead implements PageRead {
  private final ConstantPage page;
  private final RowRanges rows;
  private RangeRequests.Slot value;
  private RangeRequests.Slot repetition;
  private RangeRequests.Slot definition;
  private boolean asked;

  ConstantRead(ConstantPage page, RowRanges rows) {
    this.page = page;
    this.rows = rows;
  }

  @Override
  public boolean request(RangeRequests requests) {
    if (asked || page.tables() != null) {
      return false;
    }
    asked = true;
    int levels = page.levelBuffer();
    value = whole(requests, page.valueBuffer());
    repetition = whole(requests, levels);
    definition = whole(requests, levels < 0 ? levels : levels + 1);
    return true;
  }

  private RangeRequests.Slot whole(RangeRequests requests, int buffer) {
    PageInfo info = page.page();
    return buffer < 0 ? null : requests.add(info.bufferOffset(buffer), info.bufferSize(buffer));
  }

  private static ByteBuffer bytes(RangeRequests.Slot slot) {
    return slot == null ? null : slot.bytes();
  }

  @Override
  public void decode(LeafSink sink) {
    ConstantPage.Tables tables = page.tables();
    if (tables == null) {
      tables = page.load(bytes(value), bytes(repetition), bytes(definition));
    }
    for (int i = 0; i < rows.size(); i++) {
      append(tables, (int) rows.start(i), (int) rows.end(i), sink);
    }
  }

  private void append(ConstantPage.Tables tables, int firstRow, int endRow, LeafSink sink) {
    short[] definition = tables.definition();
    if (!tables.hasLevels()) {
      appendWithoutLevels(tables, endRow - firstRow, sink);
      return;
    }
    int from = tables.entry(firstRow);
    int to = tables.entry(endRow);
    if (tables.value() == null && !page.valueless()) {
      checkNull(definition, from, to);
    }
    sink.levels().append(tables.repetition(), definition, from, to);
    int items = definition == null ? to - from : page.layers().countVisible(definition, from, to);
    appendItems(tables, items, sink);
  }

  private static void checkNull(short[] definition, int from, int to) {
    for (int i = from; i < to; i++) {
      if (definition == null || definition[i] == 0) {
        throw new IllegalArgumentException("a valid item in a page without values");
      }
    }
  }

  private void appendWithoutLevels(ConstantPage.Tables tables, int count, LeafSink sink) {
    boolean isNull = tables.value() == null && page.layers().leafNullable();
    if (tables.value() == null && !isNull && !page.valueless()) {
      throw new IllegalArgumentException("valid items in a page without values");
    }
    sink.levels().appendRun(isNull ? 1 : 0, count);
    appendItems(tables, count, sink);
  }

  private static void appendItems(ConstantPage.Tables tables, int count, LeafSink sink) {
    if (tables.value() == null) {
      sink.items().appendEmpty(count);
    } else {
      tables.value().appendTo(sink.items(), count);
    }
  }
}
