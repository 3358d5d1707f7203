package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A read of some rows of a mini-block page: first its tables, then the chunks with the rows. */
final class MiniBlockRead implements PageRead {
  private static final int ALIGNMENT = 8;
  private static final long MAX_REQUEST = 1 << 30;

  private final MiniBlockPage page;
  private final RowRanges rows;
  private RangeRequests.Slot words;
  private RangeRequests.Slot dictionary;
  private RangeRequests.Slot index;
  private MiniBlockPage.Tables tables;
  private ChunkSelection selection;
  private final List<Run> runs = new ArrayList<>();

  /** Neighbouring chunks that are read together. */
  private record Run(int firstChunk, int endChunk, RangeRequests.Slot slot) {}

  MiniBlockRead(MiniBlockPage page, RowRanges rows) {
    this.page = page;
    this.rows = rows;
  }

  @Override
  public boolean request(RangeRequests requests) {
    if (selection != null) {
      return false;
    }
    tables = page.tables();
    if (tables == null && words == null) {
      words = whole(requests, MiniBlockPage.TABLE_BUFFER);
      dictionary = whole(requests, page.dictionaryBuffer());
      index = whole(requests, page.indexBuffer());
      return true;
    }
    if (tables == null) {
      tables = page.load(words.bytes(), bytes(dictionary), bytes(index));
    }
    selection = new ChunkSelection(tables.chunks(), rows);
    requestChunks(requests);
    return true;
  }

  private RangeRequests.Slot whole(RangeRequests requests, int buffer) {
    PageInfo info = page.page();
    return buffer < 0 ? null : requests.add(info.bufferOffset(buffer), info.bufferSize(buffer));
  }

  private static ByteBuffer bytes(RangeRequests.Slot slot) {
    return slot == null ? null : slot.bytes();
  }

  private void requestChunks(RangeRequests requests) {
    ChunkTable chunks = tables.chunks();
    long base = page.page().bufferOffset(MiniBlockPage.DATA_BUFFER);
    int i = 0;
    while (i < selection.size()) {
      int first = selection.chunk(i);
      int end = first + 1;
      i = selection.endOfChunk(i);
      while (i < selection.size()
          && selection.chunk(i) == end
          && chunks.offset(end + 1) - chunks.offset(first) <= MAX_REQUEST) {
        end++;
        i = selection.endOfChunk(i);
      }
      long length = chunks.offset(end) - chunks.offset(first);
      runs.add(new Run(first, end, requests.add(base + chunks.offset(first), length)));
    }
  }

  @Override
  public void decode(LeafSink sink) {
    ChunkTable chunks = tables.chunks();
    int i = 0;
    for (Run run : runs) {
      ByteBuffer bytes = run.slot().bytes();
      for (int chunk = run.firstChunk(); chunk < run.endChunk(); chunk++) {
        long at = chunks.offset(chunk) - chunks.offset(run.firstChunk());
        int length = (int) (chunks.offset(chunk + 1) - chunks.offset(chunk));
        int end = selection.endOfChunk(i);
        decodeChunk(chunk, slice(bytes, (int) at, length), i, end, sink);
        i = end;
      }
    }
  }

  private static ByteBuffer slice(ByteBuffer bytes, int at, int length) {
    return bytes.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void decodeChunk(int chunk, ByteBuffer bytes, int run, int endRun, LeafSink sink) {
    ByteBuffer[] buffers = new ByteBuffer[2 + page.values().bufferCount()];
    int entries = split(bytes, buffers);
    int items = tables.chunks().items(chunk);
    short[] repetition =
        buffers[0] == null ? null : page.repetition().decodeLevels(buffers[0], entries);
    short[] definition =
        buffers[1] == null ? null : page.definition().decodeLevels(buffers[1], entries);
    boolean stored = repetition != null || definition != null;
    ChunkLevels levels =
        new ChunkLevels(page.layers(), repetition, definition, stored ? entries : items, items);
    Block values = values(buffers, items, run, endRun);
    int[] indices =
        tables.dictionary() == null ? null : Indices.of(values, items, tables.dictionary(), levels);
    ChunkTable chunks = tables.chunks();
    int pieces = chunks.pieces(chunk);
    if (selection.from(run) == 0 && selection.to(run) == pieces) {
      levels.checkPieces(pieces, chunks.hasPreamble(chunk));
      levels.appendTo(sink.levels(), 0, levels.entries());
      append(values, indices, 0, items, sink);
    } else if (page.indexBuffer() < 0) {
      levels.checkPieces(pieces, false);
      for (int i = run; i < endRun; i++) {
        levels.appendTo(sink.levels(), selection.from(i), selection.to(i));
        append(values, indices, selection.from(i), selection.to(i), sink);
      }
    } else {
      int[] starts = levels.pieces(pieces, chunks.hasPreamble(chunk));
      appendPieces(run, endRun, starts, levels, values, indices, sink);
    }
  }

  private void appendPieces(
      int run,
      int endRun,
      int[] starts,
      ChunkLevels levels,
      Block values,
      int[] indices,
      LeafSink sink) {
    int entry = 0;
    int item = 0;
    for (int i = run; i < endRun; i++) {
      int from = starts[selection.from(i)];
      int to = starts[selection.to(i)];
      int firstItem = item + levels.visible(entry, from);
      item = firstItem + levels.visible(from, to);
      entry = to;
      levels.appendTo(sink.levels(), from, to);
      append(values, indices, firstItem, item, sink);
    }
  }

  private Block values(ByteBuffer[] buffers, int items, int run, int endRun) {
    boolean piecesAreItems = page.indexBuffer() < 0;
    if (piecesAreItems && tables.dictionary() == null) {
      return page.values().decode(buffers, 2, items, selection.pieces(run, endRun));
    }
    return page.values().decode(buffers, 2, items);
  }

  private void append(Block values, int[] indices, int from, int to, LeafSink sink) {
    if (indices == null) {
      sink.items().append(values, from, to);
    } else {
      sink.items().appendIndexed(indices, from, to, tables.dictionary());
    }
  }

  /**
   * Splits a chunk into repetition levels, definition levels and value buffers, each null when the
   * page has none.
   *
   * @return the number of level entries
   */
  private int split(ByteBuffer chunk, ByteBuffer[] buffers) {
    int values = buffers.length - 2;
    int[] sizes = new int[buffers.length];
    int header = 2 + (page.repetition() == null ? 0 : 2) + (page.definition() == null ? 0 : 2);
    require(chunk, 0, header + (page.largeChunks() ? 4 : 2) * values);
    int at = 2;
    if (page.repetition() != null) {
      sizes[0] = chunk.getShort(at) & 0xffff;
      at += 2;
    }
    if (page.definition() != null) {
      sizes[1] = chunk.getShort(at) & 0xffff;
      at += 2;
    }
    for (int i = 2; i < sizes.length; i++) {
      sizes[i] = page.largeChunks() ? chunk.getInt(at) : chunk.getShort(at) & 0xffff;
      at += page.largeChunks() ? 4 : 2;
    }
    for (int i = 0; i < sizes.length; i++) {
      boolean absent =
          (i == 0 && page.repetition() == null) || (i == 1 && page.definition() == null);
      if (!absent) {
        at = (at + ALIGNMENT - 1) & -ALIGNMENT;
        require(chunk, at, sizes[i]);
        buffers[i] = slice(chunk, at, sizes[i]);
        at += sizes[i];
      }
    }
    return chunk.getShort(0) & 0xffff;
  }

  private static void require(ByteBuffer chunk, int at, int size) {
    if (size < 0 || size > chunk.limit() - at) {
      throw new IllegalArgumentException(
          "a chunk of " + chunk.limit() + " bytes has a buffer of " + size + " bytes at " + at);
    }
  }
}
