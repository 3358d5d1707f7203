package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import java.util.ArrayList;
import java.util.List;

/** A read of some rows of a full-zip page: first where they are, if that varies, then the rows. */
final class FullZipRead implements PageRead {
  // An index of this size is read whole and kept.
  private static final long SMALL_INDEX = 1 << 16;
  private static final long MAX_REQUEST = 1 << 30;

  private final FullZipPage page;
  private final RowRanges rows;
  private final List<IndexPart> parts = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();
  private State state = State.NEW;

  private enum State {
    NEW,
    INDEX_ASKED,
    ROWS_ASKED
  }

  /** The index entries from a row on. */
  private record IndexPart(int firstRow, RangeRequests.Slot slot) {}

  /** Neighbouring rows that are read together. */
  private record Piece(int rows, RangeRequests.Slot slot) {}

  FullZipRead(FullZipPage page, RowRanges rows) {
    this.page = page;
    this.rows = rows;
  }

  @Override
  public boolean request(RangeRequests requests) {
    switch (state) {
      case NEW -> {
        if (!page.hasIndex()) {
          state = State.ROWS_ASKED;
          requestEqualRows(requests);
        } else if (page.index() != null) {
          state = State.ROWS_ASKED;
          requestIndexedRows(requests);
        } else {
          state = State.INDEX_ASKED;
          requestIndex(requests);
        }
        return true;
      }
      case INDEX_ASKED -> {
        state = State.ROWS_ASKED;
        requestIndexedRows(requests);
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  private void requestEqualRows(RangeRequests requests) {
    long base = page.page().bufferOffset(FullZipPage.DATA_BUFFER);
    long stride = page.stride();
    int most = (int) Math.max(1, MAX_REQUEST / Math.max(1, stride));
    for (int i = 0; i < rows.size(); i++) {
      int n;
      for (int row = (int) rows.start(i); row < rows.end(i); row += n) {
        n = (int) Math.min(most, rows.end(i) - row);
        pieces.add(new Piece(n, requests.add(base + row * stride, n * stride)));
      }
    }
  }

  private void requestIndex(RangeRequests requests) {
    PageInfo info = page.page();
    long base = info.bufferOffset(FullZipPage.INDEX_BUFFER);
    long size = info.bufferSize(FullZipPage.INDEX_BUFFER);
    if (size <= SMALL_INDEX) {
      parts.add(new IndexPart(0, requests.add(base, size)));
      return;
    }
    int width = page.indexWidth();
    for (int i = 0; i < rows.size(); i++) {
      long entries = rows.end(i) - rows.start(i) + 1;
      parts.add(
          new IndexPart(
              (int) rows.start(i), requests.add(base + rows.start(i) * width, entries * width)));
    }
  }

  private void requestIndexedRows(RangeRequests requests) {
    boolean whole = page.page().bufferSize(FullZipPage.INDEX_BUFFER) <= SMALL_INDEX;
    if (whole && page.index() == null) {
      page.keepIndex(new RowIndex(parts.get(0).slot().bytes(), page.indexWidth(), 0));
    }
    for (int i = 0; i < rows.size(); i++) {
      RowIndex index =
          whole
              ? page.index()
              : new RowIndex(
                  parts.get(i).slot().bytes(), page.indexWidth(), parts.get(i).firstRow());
      requestRows(index, (int) rows.start(i), (int) rows.end(i), requests);
    }
  }

  private void requestRows(RowIndex index, int start, int end, RangeRequests requests) {
    long base = page.page().bufferOffset(FullZipPage.DATA_BUFFER);
    int row = start;
    while (row < end) {
      long from = index.offset(row);
      int next = row + 1;
      while (next < end && index.offset(next + 1) - from <= MAX_REQUEST) {
        next++;
      }
      long to = index.offset(next);
      if (from < 0 || to < from || to > page.page().bufferSize(FullZipPage.DATA_BUFFER)) {
        throw new IllegalArgumentException("rows " + row + ".." + next + " leave their buffer");
      }
      pieces.add(new Piece(next - row, requests.add(base + from, to - from)));
      row = next;
    }
  }

  @Override
  public void decode(LeafSink sink) {
    ZipDecoder decoder = new ZipDecoder(page, sink);
    for (Piece piece : pieces) {
      decoder.decode(piece.slot().bytes(), piece.rows());
    }
  }
}
