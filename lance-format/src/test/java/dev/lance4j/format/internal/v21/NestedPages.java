package dev.lance4j.format.internal.v21;

import static dev.lance4j.format.internal.v21.Layouts.flat;
import static dev.lance4j.format.internal.v21.Layouts.join;
import static dev.lance4j.format.internal.v21.Layouts.layers;
import static dev.lance4j.format.internal.v21.Layouts.miniBlock;
import static dev.lance4j.format.internal.v21.Layouts.page;
import static dev.lance4j.format.internal.v21.Layouts.word;
import static dev.lance4j.format.internal.v21.Layouts.words;

import dev.lance4j.format.internal.v21.Shredder.Entry;
import dev.lance4j.format.proto.encodings21.ConstantLayout;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Puts the entries of a shredder into a page of any layout that can hold them. */
final class NestedPages {
  private NestedPages() {}

  static void add(Column column, Shredder levels, int rows, SplittableRandom random) {
    List<Entry> entries = levels.entries();
    boolean visible = entries.stream().anyMatch(levels::isVisible);
    boolean valid = entries.stream().anyMatch(entry -> entry.def() == 0);
    long pageRows = (long) rows * levels.entriesPerRow();
    if (!visible || (!valid && random.nextBoolean())) {
      addConstant(column, levels, pageRows);
    } else if (random.nextBoolean()) {
      addZipped(column, levels, pageRows);
    } else {
      addMiniBlock(column, levels, pageRows, random);
    }
  }

  private static void addConstant(Column column, Shredder levels, long rows) {
    column.page(
        page(ConstantLayout.newBuilder().addAllLayers(layers(levels.kinds()))),
        rows,
        levels.lists() == 0 ? new byte[0] : repetition(levels.entries()),
        definition(levels.entries()));
  }

  private static byte[] repetition(List<Entry> entries) {
    return words(2, entries.stream().mapToLong(Entry::rep).toArray());
  }

  private static byte[] definition(List<Entry> entries) {
    return words(2, entries.stream().mapToLong(Entry::def).toArray());
  }

  private static int bits(int max) {
    return 32 - Integer.numberOfLeadingZeros(max);
  }

  private static void addZipped(Column column, Shredder levels, long rows) {
    int repBits = bits(levels.lists());
    int defBits = bits(levels.maxDefinition());
    FullZipLayout.Builder layout =
        FullZipLayout.newBuilder()
            .setBitsRep(repBits)
            .setBitsDef(defBits)
            .setBitsPerValue(32)
            .setValueCompression(flat(32))
            .addAllLayers(layers(levels.kinds()));
    List<byte[]> parts = new ArrayList<>();
    List<Long> starts = new ArrayList<>();
    long size = 0;
    for (Entry entry : levels.entries()) {
      if (entry.rep() == levels.lists()) {
        starts.add(size);
      }
      byte[] control =
          repBits + defBits == 0
              ? new byte[0]
              : words(repBits + defBits <= 8 ? 1 : 2, (long) entry.rep() << defBits | entry.def());
      byte[] value =
          !levels.isVisible(entry)
              ? new byte[0]
              : words(4, entry.value() == null ? 0 : entry.value());
      parts.add(control);
      parts.add(value);
      size += control.length + value.length;
    }
    starts.add(size);
    byte[] data = join(parts.toArray(byte[][]::new));
    byte[] index = words(8, starts.stream().mapToLong(Long::longValue).toArray());
    if (levels.lists() > 0) {
      column.page(page(layout), rows, data, index);
    } else {
      column.page(page(layout), rows, data);
    }
  }

  private static void addMiniBlock(
      Column column, Shredder levels, long rows, SplittableRandom random) {
    List<byte[]> chunks = new ArrayList<>();
    List<Long> chunkWords = new ArrayList<>();
    List<Long> index = new ArrayList<>();
    List<Entry> entries = levels.entries();
    int items = (int) entries.stream().filter(levels::isVisible).count();
    int left = items;
    int at = 0;
    boolean inRow = false;
    while (at < entries.size()) {
      int log2 = random.nextInt(5);
      boolean last = left <= 1 << log2;
      int end = last ? entries.size() : end(levels, at, 1 << log2, random);
      List<Entry> part = entries.subList(at, end);
      left -= (int) part.stream().filter(levels::isVisible).count();
      byte[] chunk = chunk(levels, part);
      chunks.add(chunk);
      chunkWords.add(word(chunk, last ? 0 : log2));
      long starts = part.stream().filter(entry -> entry.rep() == levels.lists()).count();
      boolean goesOn = !last && entries.get(end).rep() != levels.lists();
      index.add(starts + (inRow ? 1 : 0) - (goesOn ? 1 : 0));
      index.add(goesOn ? 1L : 0L);
      inRow = goesOn;
      at = end;
    }
    MiniBlockLayout.Builder layout = miniBlock(flat(32), items, levels.kinds());
    if (levels.maxDefinition() > 0) {
      layout.setDefCompression(flat(16));
    }
    byte[] table = words(2, chunkWords.stream().mapToLong(Long::longValue).toArray());
    byte[] data = join(chunks.toArray(byte[][]::new));
    if (levels.lists() > 0) {
      layout.setRepCompression(flat(16)).setRepetitionIndexDepth(1);
      byte[] starts = words(8, index.stream().mapToLong(Long::longValue).toArray());
      column.page(page(layout), rows, table, data, starts);
    } else {
      column.page(page(layout), rows, table, data);
    }
  }

  /** The end of a chunk of some items; invisible entries behind them may go with it or not. */
  private static int end(Shredder levels, int at, int items, SplittableRandom random) {
    int end = at;
    for (int seen = 0; seen < items; end++) {
      seen += levels.isVisible(levels.entries().get(end)) ? 1 : 0;
    }
    while (!levels.isVisible(levels.entries().get(end)) && random.nextBoolean()) {
      end++;
    }
    return end;
  }

  private static byte[] chunk(Shredder levels, List<Entry> part) {
    long[] values =
        part.stream()
            .filter(levels::isVisible)
            .mapToLong(entry -> entry.value() == null ? 0 : entry.value())
            .toArray();
    byte[] rep = levels.lists() > 0 ? repetition(part) : null;
    byte[] def = levels.maxDefinition() > 0 ? definition(part) : null;
    int count = rep == null && def == null ? 0 : part.size();
    return Layouts.chunk(count, rep, def, words(4, values));
  }
}
