package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A page of small values: chunks of up to 4096, each with its levels. */
final class MiniBlockPage implements AutoCloseable {
  private static final int MAX_SMALL_CHUNK = 32 * 1024;
  private static final int MAX_LARGE_CHUNK = 1 << 30;
  private static final int MAX_U16 = 0xFFFF;

  private final PageLevels levels;
  private final ValueChunks values;
  private final LevelCodec rep;
  private final LevelCodec def;
  private final boolean large;
  private final int headerBytes;
  private final PageOutput words;
  private final PageOutput data;
  private final PageOutput repetitionIndex;
  private final ChunkWriter writer;

  private MiniBlockPage(
      PageLevels levels,
      ValueChunks values,
      LevelCodec rep,
      LevelCodec def,
      boolean large,
      BufferAllocator allocator) {
    this.levels = levels;
    this.values = values;
    this.rep = rep;
    this.def = def;
    this.large = large;
    int levelBuffers = (rep == null ? 0 : 1) + (def == null ? 0 : 1);
    this.headerBytes = ChunkWriter.headerBytes(levelBuffers, values.buffers(), large);
    this.words = new PageOutput(allocator);
    this.data = new PageOutput(allocator);
    this.repetitionIndex = new PageOutput(allocator);
    this.writer = new ChunkWriter(data, large);
  }

  /**
   * Encodes a page.
   *
   * @param levels of at least one visible entry
   * @param values one for each visible entry
   * @param rep null without lists
   * @param def null when nothing is null or empty
   * @param dictionary what the values are keys of, or null
   * @param large whether the page has the wide words of file version 2.2
   * @return null if some chunk would have more levels or bytes than a chunk can have
   */
  static EncodedPage encode(
      PageLevels levels,
      ValueChunks values,
      LevelCodec rep,
      LevelCodec def,
      DictionaryValues dictionary,
      boolean large,
      BufferAllocator allocator) {
    MiniBlockPage page = new MiniBlockPage(levels, values, rep, def, large, allocator);
    EncodedPage encoded = null;
    try {
      encoded = page.writeChunks() ? page.finish(dictionary) : null;
    } finally {
      if (encoded == null) {
        page.close();
      }
    }
    return encoded;
  }

  @Override
  public void close() {
    words.close();
    data.close();
    repetitionIndex.close();
  }

  private boolean writeChunks() {
    int value = 0;
    int entry = 0;
    while (value < values.count()) {
      int count = values.propose(value);
      int end = endOfChunk(entry, value, count);
      while (!fits(entry, end, value, count)) {
        count = Integer.highestOneBit(count - 1);
        if (count < 2 || !values.divisible()) {
          return false;
        }
        end = endOfChunk(entry, value, count);
      }
      writeChunk(entry, end, value, count);
      value += count;
      entry = end;
    }
    return true;
  }

  /** The last chunk takes all entries that are left. */
  private int endOfChunk(int entry, int value, int count) {
    return value + count == values.count() ? levels.entries() : levels.skip(entry, count);
  }

  private boolean fits(int entry, int end, int value, int count) {
    long bytes = headerBytes + values.maxBytes(value, count);
    if (rep == null && def == null) {
      return bytes <= maxChunk();
    }
    if (end - entry > MAX_U16) {
      return false;
    }
    int repBytes = rep == null ? 0 : rep.maxBytes(entry, end);
    int defBytes = def == null ? 0 : def.maxBytes(entry, end);
    return repBytes <= MAX_U16
        && defBytes <= MAX_U16
        && bytes + ValueChunks.padded(repBytes) + ValueChunks.padded(defBytes) <= maxChunk();
  }

  private int maxChunk() {
    return large ? MAX_LARGE_CHUNK : MAX_SMALL_CHUNK;
  }

  private void writeChunk(int entry, int end, int value, int count) {
    writer.begin(rep == null && def == null ? 0 : end - entry, headerBytes);
    writeLevels(rep, entry, end);
    writeLevels(def, entry, end);
    values.write(value, count, writer);
    boolean last = value + count == values.count();
    int log2 = last ? 0 : Integer.numberOfTrailingZeros(count);
    int word = (writer.end() / ChunkWriter.ALIGNMENT - 1) << 4 | log2;
    if (large) {
      words.putInt(word);
    } else {
      words.putShort(word);
    }
    if (rep != null) {
      indexRows(entry, end);
    }
  }

  private void writeLevels(LevelCodec codec, int entry, int end) {
    if (codec != null) {
      ByteBuffer out = writer.room(codec.maxBytes(entry, end));
      writer.endLevels(codec.write(entry, end, out, writer.at()));
    }
  }

  /** Adds how many rows end in a chunk and how many entries of an unfinished row follow. */
  private void indexRows(int entry, int end) {
    long ends = 0;
    int open = entry;
    for (int e = entry + 1; e <= end; e++) {
      if (levels.startsRow(e)) {
        ends++;
        open = e;
      }
    }
    repetitionIndex.putLong(ends);
    repetitionIndex.putLong(end - open);
  }

  private EncodedPage finish(DictionaryValues dictionary) {
    MiniBlockLayout.Builder layout =
        MiniBlockLayout.newBuilder()
            .setValueCompression(values.encoding())
            .addAllLayers(levels.layers())
            .setNumBuffers(values.buffers())
            .setNumItems(levels.visible())
            .setHasLargeChunk(large);
    List<ByteBuffer> buffers = new ArrayList<>();
    buffers.add(words.bytes());
    buffers.add(data.bytes());
    if (dictionary != null) {
      layout.setDictionary(dictionary.encoding()).setNumDictionaryItems(dictionary.count());
      buffers.add(dictionary.bytes());
    }
    if (rep != null) {
      layout.setRepCompression(rep.encoding()).setRepetitionIndexDepth(1);
      buffers.add(repetitionIndex.bytes());
    }
    if (def != null) {
      layout.setDefCompression(def.encoding());
    }
    return new EncodedPage(
        PageLayout.newBuilder().setMiniBlockLayout(layout).build(),
        buffers,
        List.of(words, data, repetitionIndex));
  }
}
