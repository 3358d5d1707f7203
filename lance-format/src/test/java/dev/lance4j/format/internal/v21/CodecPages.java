package dev.lance4j.format.internal.v21;

import static dev.lance4j.format.internal.v21.Layouts.byteStreamSplit;
import static dev.lance4j.format.internal.v21.Layouts.chunk;
import static dev.lance4j.format.internal.v21.Layouts.flat;
import static dev.lance4j.format.internal.v21.Layouts.fsst;
import static dev.lance4j.format.internal.v21.Layouts.general;
import static dev.lance4j.format.internal.v21.Layouts.inlineBitpacking;
import static dev.lance4j.format.internal.v21.Layouts.join;
import static dev.lance4j.format.internal.v21.Layouts.layers;
import static dev.lance4j.format.internal.v21.Layouts.outOfLineBitpacking;
import static dev.lance4j.format.internal.v21.Layouts.page;
import static dev.lance4j.format.internal.v21.Layouts.rle;
import static dev.lance4j.format.internal.v21.Layouts.variable;
import static dev.lance4j.format.internal.v21.Layouts.word;
import static dev.lance4j.format.internal.v21.Layouts.words;

import dev.lance4j.format.internal.kernel.ByteStreamSplit;
import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.proto.encodings21.CompressionScheme;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import dev.lance4j.format.testing.SampleFields;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** A column of random values in pages of random encodings. */
final class CodecPages {
  /** A way to encode one buffer and the message that says so. */
  private record Encoded(CompressiveEncoding encoding, List<byte[]> buffers) {}

  final Column column = new Column();
  final Field field;
  final List<String> expected = new ArrayList<>();
  private final SplittableRandom random;
  private final int bits;

  CodecPages(long seed) {
    random = new SplittableRandom(seed);
    boolean strings = random.nextInt(3) == 0;
    bits = strings ? 0 : 8 << random.nextInt(4);
    field =
        strings ? SampleFields.utf8("x") : SampleFields.scalar("x", new ArrowType.Int(bits, true));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      addPage();
    }
  }

  private void addPage() {
    int rows = 1 + random.nextInt(random.nextBoolean() ? 20 : 3000);
    boolean[] nulls = new boolean[rows];
    boolean nullable = random.nextBoolean();
    for (int i = 0; i < rows && nullable; i++) {
      nulls[i] = random.nextInt(5) == 0;
    }
    if (bits > 0) {
      long[] values = integers(rows);
      for (int i = 0; i < rows; i++) {
        expected.add(nulls[i] ? "null" : String.valueOf(values[i]));
      }
      addIntegers(values, nullable ? nulls : null);
    } else {
      byte[][] values = strings(rows);
      for (int i = 0; i < rows; i++) {
        values[i] = nulls[i] ? new byte[0] : values[i];
        expected.add(nulls[i] ? "null" : new String(values[i], StandardCharsets.UTF_8));
      }
      if (random.nextInt(3) == 0) {
        addZippedStrings(values, nullable ? nulls : null);
      } else {
        addStrings(values, nullable ? nulls : null);
      }
    }
  }

  private long[] integers(int rows) {
    long[] values = new long[rows];
    int magnitude = 1 + random.nextInt(bits);
    int runs = 1 + random.nextInt(40);
    for (int i = 0; i < rows; i++) {
      boolean repeat = i > 0 && random.nextInt(runs) > 0;
      values[i] = repeat ? values[i - 1] : random.nextLong() >> (64 - magnitude);
    }
    return values;
  }

  private byte[][] strings(int rows) {
    byte[][] values = new byte[rows][];
    for (int i = 0; i < rows; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(6); j > 0; j--) {
        text.append(List.of("https://", "example", ".com/", "é", "x").get(random.nextInt(5)));
      }
      values[i] = text.toString().getBytes(StandardCharsets.UTF_8);
    }
    return values;
  }

  private void addIntegers(long[] values, boolean[] nulls) {
    int codec = random.nextInt(5);
    if (codec == 4 && bits > 8) {
      addIntegerDictionary(values, nulls);
      return;
    }
    CompressionScheme scheme = scheme();
    boolean compressed = random.nextInt(3) == 0;
    int chunkItems = codec == 1 ? 10 : random.nextInt(3, 12);
    addMiniBlock(
        values.length,
        chunkItems,
        nulls,
        (from, to) -> {
          Encoded plain = integers(codec, Arrays.copyOfRange(values, from, to));
          return compressed ? compress(scheme, plain) : plain;
        },
        MiniBlockLayout.newBuilder());
  }

  private Encoded integers(int codec, long[] values) {
    byte[] flat = words(bits / 8, values);
    return switch (codec) {
      case 1 -> new Encoded(inlineBitpacking(bits), List.of(pack(values, true)));
      case 2 -> runs(values);
      case 3 -> bits >= 32 ? split(flat) : new Encoded(flat(bits), List.of(flat));
      default -> new Encoded(flat(bits), List.of(flat));
    };
  }

  private Encoded split(byte[] flat) {
    int width = bits / 8;
    ByteBuffer out = ByteBuffer.allocate(flat.length).order(ByteOrder.LITTLE_ENDIAN);
    ByteStreamSplit.split(flat, flat.length / width, width, out, 0);
    return new Encoded(byteStreamSplit(bits), List.of(out.array()));
  }

  private Encoded runs(long[] values) {
    return runs(values, bits);
  }

  private static Encoded runs(long[] values, int bits) {
    List<Long> runValues = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    for (int i = 0; i < values.length; ) {
      int end = i;
      while (end < values.length && values[end] == values[i] && end - i < 255) {
        end++;
      }
      runValues.add(values[i]);
      lengths.add((long) (end - i));
      i = end;
    }
    return new Encoded(
        rle(bits), List.of(words(bits / 8, longs(runValues)), words(1, longs(lengths))));
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  private static int width(long[] values, int bits) {
    long or = 0;
    for (long value : values) {
      or |= value;
    }
    long mask = bits == 64 ? -1 : (1L << bits) - 1;
    return 64 - Long.numberOfLeadingZeros(or & mask);
  }

  private byte[] pack(long[] values, boolean header) {
    int width = width(values, bits);
    byte[] packed = pack(values, bits, width);
    return header ? join(words(bits / 8, width), packed) : packed;
  }

  /** Packs at most 1024 values. */
  private static byte[] pack(long[] values, int bits, int width) {
    ByteBuffer out = ByteBuffer.allocate(128 * width).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer padded = ByteBuffer.allocate(1024 * bits / 8).order(ByteOrder.LITTLE_ENDIAN);
    padded.put(words(bits / 8, values)).rewind();
    switch (bits) {
      case 8 -> FastLanes.packBytes(width, padded.array(), 0, out, 0);
      case 16 -> {
        short[] in = new short[1024];
        padded.asShortBuffer().get(in);
        FastLanes.packShorts(width, in, 0, out, 0);
      }
      case 32 -> {
        int[] in = new int[1024];
        padded.asIntBuffer().get(in);
        FastLanes.packInts(width, in, 0, out, 0);
      }
      default -> {
        long[] in = new long[1024];
        padded.asLongBuffer().get(in);
        FastLanes.packLongs(width, in, 0, out, 0);
      }
    }
    return out.array();
  }

  /** Packs any number of values, the tail by the rule of the format's writers. */
  private static byte[] packOutOfLine(long[] values, int bits, int width) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int whole = values.length / 1024 * 1024;
    for (int i = 0; i < whole; i += 1024) {
      out.writeBytes(pack(Arrays.copyOfRange(values, i, i + 1024), bits, width));
    }
    int tail = values.length - whole;
    if (tail > 0) {
      long[] rest = Arrays.copyOfRange(values, whole, values.length);
      boolean packed = width * (1024L - tail) < (bits - width) * (long) tail;
      out.writeBytes(packed ? pack(rest, bits, width) : words(bits / 8, rest));
    }
    return out.toByteArray();
  }

  private CompressionScheme scheme() {
    return random.nextBoolean()
        ? CompressionScheme.COMPRESSION_ALGORITHM_LZ4
        : CompressionScheme.COMPRESSION_ALGORITHM_ZSTD;
  }

  private static byte[] compress(CompressionScheme scheme, byte[] bytes) {
    ByteBuffer out =
        Compression.compress(
            scheme == CompressionScheme.COMPRESSION_ALGORITHM_LZ4
                ? Compression.Scheme.LZ4
                : Compression.Scheme.ZSTD,
            0,
            ByteBuffer.wrap(bytes));
    byte[] compressed = new byte[out.remaining()];
    out.get(compressed);
    return compressed;
  }

  private static Encoded compress(CompressionScheme scheme, Encoded plain) {
    List<byte[]> buffers = new ArrayList<>(plain.buffers());
    buffers.set(0, compress(scheme, buffers.get(0)));
    return new Encoded(general(scheme, plain.encoding()), buffers);
  }

  private void addIntegerDictionary(long[] values, boolean[] nulls) {
    long[] distinct = Arrays.stream(values).distinct().toArray();
    Encoded dictionary = block(distinct, bits);
    addMiniBlock(
        values.length,
        random.nextInt(3, 12),
        nulls,
        (from, to) -> {
          long[] indices = new long[to - from];
          for (int i = from; i < to; i++) {
            long value = values[i];
            int index = 0;
            while (distinct[index] != value) {
              index++;
            }
            boolean isNull = nulls != null && nulls[i];
            indices[i - from] = isNull ? 1_000_000 : index;
          }
          return new Encoded(flat(32), List.of(words(4, indices)));
        },
        MiniBlockLayout.newBuilder()
            .setDictionary(dictionary.encoding())
            .setNumDictionaryItems(distinct.length),
        dictionary.buffers().get(0));
  }

  /** Values in a single buffer. */
  private Encoded block(long[] values, int valueBits) {
    Encoded plain =
        switch (random.nextInt(values.length <= 1024 ? 4 : 3)) {
          case 0 -> {
            int width = width(values, valueBits);
            yield new Encoded(
                outOfLineBitpacking(valueBits, width),
                List.of(packOutOfLine(values, valueBits, width)));
          }
          case 1 -> {
            Encoded runs = runs(values, valueBits);
            byte[] runValues = runs.buffers().get(0);
            yield new Encoded(
                runs.encoding(),
                List.of(join(words(8, runValues.length), runValues, runs.buffers().get(1))));
          }
          case 2 -> new Encoded(flat(valueBits), List.of(words(valueBits / 8, values)));
          default -> {
            int width = width(values, valueBits);
            yield new Encoded(
                inlineBitpacking(valueBits),
                List.of(join(words(valueBits / 8, width), pack(values, valueBits, width))));
          }
        };
    return random.nextInt(3) == 0 ? compress(scheme(), plain) : plain;
  }

  private static Encoded strings(byte[][] values, FsstTable table, byte[] symbols) {
    byte[][] stored = new byte[values.length][];
    for (int i = 0; i < values.length; i++) {
      stored[i] = table == null ? values[i] : encode(table, values[i]);
    }
    long[] offsets = new long[values.length + 1];
    offsets[0] = 4L * offsets.length;
    for (int i = 0; i < values.length; i++) {
      offsets[i + 1] = offsets[i] + stored[i].length;
    }
    byte[] bytes = join(words(4, offsets), join(stored));
    return new Encoded(table == null ? variable(32) : fsst(symbols), List.of(bytes));
  }

  private static byte[] encode(FsstTable table, byte[] value) {
    byte[] out = new byte[2 * value.length + 7];
    return Arrays.copyOf(out, table.encode(value, 0, value.length, out, 0));
  }

  private static FsstTable train(byte[][] values) {
    int[] offsets = new int[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      offsets[i + 1] = offsets[i] + values[i].length;
    }
    return FsstTable.train(join(values), offsets, values.length);
  }

  private static byte[] symbols(FsstTable table) {
    ByteBuffer bytes = table.serialize();
    byte[] symbols = new byte[bytes.remaining()];
    bytes.get(symbols);
    return symbols;
  }

  private void addStrings(byte[][] values, boolean[] nulls) {
    if (random.nextInt(3) == 0) {
      addStringDictionary(values, nulls);
      return;
    }
    FsstTable table = random.nextBoolean() ? train(values) : null;
    byte[] symbols = table == null ? null : symbols(table);
    CompressionScheme scheme = random.nextBoolean() ? scheme() : null;
    addMiniBlock(
        values.length,
        random.nextInt(1, 8),
        nulls,
        (from, to) -> {
          Encoded plain = strings(Arrays.copyOfRange(values, from, to), table, symbols);
          return scheme == null ? plain : compress(scheme, plain);
        },
        MiniBlockLayout.newBuilder());
  }

  private void addStringDictionary(byte[][] values, boolean[] nulls) {
    List<String> distinct =
        Arrays.stream(values)
            .map(value -> new String(value, StandardCharsets.UTF_8))
            .distinct()
            .toList();
    long[] offsets = new long[distinct.size() + 1];
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < distinct.size(); i++) {
      bytes.writeBytes(distinct.get(i).getBytes(StandardCharsets.UTF_8));
      offsets[i + 1] = bytes.size();
    }
    byte[] header = words(4, 32, 8 + 4L * offsets.length);
    Encoded block =
        new Encoded(variable(32), List.of(join(header, words(4, offsets), bytes.toByteArray())));
    Encoded dictionary = random.nextBoolean() ? compress(scheme(), block) : block;
    addMiniBlock(
        values.length,
        random.nextInt(3, 12),
        nulls,
        (from, to) -> {
          long[] indices = new long[to - from];
          for (int i = from; i < to; i++) {
            indices[i - from] = distinct.indexOf(new String(values[i], StandardCharsets.UTF_8));
          }
          return runs(indices, 32);
        },
        MiniBlockLayout.newBuilder()
            .setDictionary(dictionary.encoding())
            .setNumDictionaryItems(distinct.size()),
        dictionary.buffers().get(0));
  }

  private void addZippedStrings(byte[][] values, boolean[] nulls) {
    FsstTable table = random.nextInt(3) == 0 ? train(values) : null;
    CompressionScheme scheme = table == null && random.nextBoolean() ? scheme() : null;
    CompressiveEncoding encoding =
        table != null
            ? fsst(symbols(table))
            : scheme != null ? general(scheme, variable(32)) : variable(32);
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    long[] starts = new long[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      boolean isNull = nulls != null && nulls[i];
      if (nulls != null) {
        data.write(isNull ? 1 : 0);
      }
      if (!isNull) {
        byte[] stored =
            table != null
                ? encode(table, values[i])
                : scheme != null ? compress(scheme, values[i]) : values[i];
        data.writeBytes(words(4, stored.length));
        data.writeBytes(stored);
      }
      starts[i + 1] = data.size();
    }
    column.page(
        page(
            FullZipLayout.newBuilder()
                .setBitsDef(nulls == null ? 0 : 1)
                .setBitsPerOffset(32)
                .setValueCompression(encoding)
                .addAllLayers(layers(nulls == null ? 1 : 3))),
        values.length,
        data.toByteArray(),
        words(data.size() < 256 ? 1 : 4, starts));
  }

  /** Encodes the values of one chunk. */
  private interface ChunkEncoder {
    Encoded encode(int from, int to);
  }

  private void addMiniBlock(
      int rows,
      int log2Items,
      boolean[] nulls,
      ChunkEncoder encoder,
      MiniBlockLayout.Builder layout,
      byte[]... dictionary) {
    boolean large = random.nextInt(4) == 0;
    Levels levels = nulls == null ? null : levels(nulls, log2Items);
    List<byte[]> chunks = new ArrayList<>();
    List<Long> chunkWords = new ArrayList<>();
    CompressiveEncoding encoding = null;
    int buffers = 0;
    for (int from = 0; from < rows; from += 1 << log2Items) {
      int to = Math.min(rows, from + (1 << log2Items));
      Encoded encoded = encoder.encode(from, to);
      byte[][] values = encoded.buffers().toArray(byte[][]::new);
      byte[] chunk =
          levels == null
              ? chunk(large, 0, null, null, values)
              : chunk(large, to - from, null, levels.encode(from, to), values);
      chunks.add(chunk);
      chunkWords.add(word(chunk, to == rows ? 0 : log2Items));
      encoding = encoded.encoding();
      buffers = values.length;
    }
    layout
        .setValueCompression(encoding)
        .setNumBuffers(buffers)
        .setNumItems(rows)
        .setHasLargeChunk(large)
        .addAllLayers(layers(nulls == null ? 1 : 3));
    if (levels != null) {
      layout.setDefCompression(levels.encoding());
    }
    byte[] table = words(large ? 4 : 2, longs(chunkWords));
    byte[] data = join(chunks.toArray(byte[][]::new));
    if (dictionary.length > 0) {
      column.page(page(layout), rows, table, data, dictionary[0]);
    } else {
      column.page(page(layout), rows, table, data);
    }
  }

  /** The definition levels of a page, in one encoding for all its chunks. */
  private record Levels(CompressiveEncoding encoding, ChunkLevels chunks) {
    byte[] encode(int from, int to) {
      return chunks.encode(from, to);
    }
  }

  private interface ChunkLevels {
    byte[] encode(int from, int to);
  }

  private Levels levels(boolean[] nulls, int log2Items) {
    ChunkLevels plain = (from, to) -> words(2, levels(nulls, from, to));
    return switch (random.nextInt(log2Items <= 10 ? 5 : 4)) {
      case 0 -> new Levels(flat(16), plain);
      case 1 ->
          new Levels(
              outOfLineBitpacking(16, 1),
              (from, to) -> packOutOfLine(levels(nulls, from, to), 16, 1));
      case 2 ->
          new Levels(
              rle(16),
              (from, to) -> {
                List<byte[]> runs = runs(levels(nulls, from, to), 16).buffers();
                return join(words(8, runs.get(0).length), runs.get(0), runs.get(1));
              });
      case 3 -> {
        CompressionScheme scheme = scheme();
        yield new Levels(
            general(scheme, flat(16)), (from, to) -> compress(scheme, plain.encode(from, to)));
      }
      default ->
          new Levels(
              inlineBitpacking(16),
              (from, to) -> join(words(2, 1), pack(levels(nulls, from, to), 16, 1)));
    };
  }

  private static long[] levels(boolean[] nulls, int from, int to) {
    long[] levels = new long[to - from];
    for (int i = from; i < to; i++) {
      levels[i - from] = nulls[i] ? 1 : 0;
    }
    return levels;
  }
}
