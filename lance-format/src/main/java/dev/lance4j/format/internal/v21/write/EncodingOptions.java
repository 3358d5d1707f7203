package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.kernel.Compression;
import java.util.Locale;
import java.util.Map;

/**
 * What the metadata of fields says about their encoding.
 *
 * @param codec the compression asked for
 * @param compressionLevel of zstd, or 0 for the default
 * @param structure the layout asked for
 * @param rleThreshold runs must be fewer than this part of the values; 1 when not given
 * @param byteStreamSplit whether to split the bytes of values before general compression
 * @param dictionaryDivisor values per distinct value that a dictionary needs at least
 * @param dictionarySizeRatio how large dictionary and keys may be, relative to the values
 * @param dictionaryValues how the dictionary is compressed from version 2.2 on
 * @param chunkBytes the size of a chunk of strings or binary values
 */
record EncodingOptions(
    Codec codec,
    int compressionLevel,
    Structure structure,
    double rleThreshold,
    Split byteStreamSplit,
    int dictionaryDivisor,
    double dictionarySizeRatio,
    Compression.Scheme dictionaryValues,
    int chunkBytes) {

  /** A compression that a field's metadata may name. */
  enum Codec {
    /** The writer chooses. */
    DEFAULT,
    /** Values as they are. */
    NONE,
    LZ4,
    ZSTD,
    FSST;

    /** Whether bytes are compressed after they were encoded. */
    boolean isGeneral() {
      return this == LZ4 || this == ZSTD;
    }

    Compression.Scheme scheme() {
      return switch (this) {
        case LZ4 -> Compression.Scheme.LZ4;
        case ZSTD -> Compression.Scheme.ZSTD;
        default -> Compression.Scheme.NONE;
      };
    }
  }

  /** A layout that a field's metadata may name. */
  enum Structure {
    DEFAULT,
    MINI_BLOCK,
    FULL_ZIP
  }

  /** Whether bytes are split by their place in the value. */
  enum Split {
    OFF,
    ON,
    /** Where that promises shorter results. */
    AUTO
  }

  private static final String PREFIX = "lance-encoding:";
  private static final String COMPRESSION = PREFIX + "compression";
  private static final String STRUCTURE = PREFIX + "structural-encoding";

  /**
   * Reads the metadata of a leaf and of its top-level field.
   *
   * @throws InvalidInputException if a value makes no sense, naming the field and the key
   */
  static EncodingOptions of(Leaf leaf) {
    Reader reader = new Reader(leaf.metadata(), leaf.path());
    return new EncodingOptions(
        codec(leaf),
        reader.integer("compression-level", 0, Integer.MIN_VALUE),
        structure(leaf),
        reader.fraction("rle-threshold", 1),
        split(leaf),
        reader.integer("dict-divisor", 2, 1),
        reader.fraction("dict-size-ratio", 0.8),
        dictionaryValues(leaf),
        reader.integer("minichunk-size", VariableChunks.DEFAULT_TARGET, 1));
  }

  private static Codec codec(Leaf leaf) {
    String name = leaf.metadata().get(COMPRESSION);
    if (name == null) {
      return Codec.DEFAULT;
    }
    return switch (name) {
      case "none" -> Codec.NONE;
      case "lz4" -> Codec.LZ4;
      case "zstd" -> Codec.ZSTD;
      case "fsst" -> Codec.FSST;
      default -> throw unknown(leaf.path(), COMPRESSION, name, "zstd, lz4, fsst or none");
    };
  }

  private static Structure structure(Leaf leaf) {
    String name = leaf.columnMetadata().get(STRUCTURE);
    if (name == null) {
      return Structure.DEFAULT;
    }
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "miniblock" -> Structure.MINI_BLOCK;
      case "fullzip" -> Structure.FULL_ZIP;
      default -> throw unknown(leaf.path(), STRUCTURE, name, "miniblock or fullzip");
    };
  }

  private static Split split(Leaf leaf) {
    String key = PREFIX + "bss";
    String name = leaf.metadata().getOrDefault(key, "auto");
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "off" -> Split.OFF;
      case "on" -> Split.ON;
      case "auto" -> Split.AUTO;
      default -> throw unknown(leaf.path(), key, name, "off, on or auto");
    };
  }

  private static Compression.Scheme dictionaryValues(Leaf leaf) {
    String key = PREFIX + "dict-values-compression";
    String name = leaf.metadata().getOrDefault(key, "lz4");
    return switch (name) {
      case "none" -> Compression.Scheme.NONE;
      case "lz4" -> Compression.Scheme.LZ4;
      case "zstd" -> Compression.Scheme.ZSTD;
      default -> throw unknown(leaf.path(), key, name, "lz4, zstd or none");
    };
  }

  private static InvalidInputException unknown(
      String path, String key, String value, String allowed) {
    return new InvalidInputException(
        "Field '" + path + "': its metadata " + key + " is '" + value + "', expected " + allowed);
  }

  private record Reader(Map<String, String> metadata, String path) {
    int integer(String name, int otherwise, int least) {
      String text = metadata.get(PREFIX + name);
      if (text == null) {
        return otherwise;
      }
      try {
        int value = Integer.parseInt(text);
        if (value >= least) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw new InvalidInputException(message(name, text, "an integer"), e);
      }
      throw new InvalidInputException(message(name, text, "at least " + least));
    }

    /** A number from 0 to 1. */
    double fraction(String name, double otherwise) {
      String text = metadata.get(PREFIX + name);
      if (text == null) {
        return otherwise;
      }
      try {
        double value = Double.parseDouble(text);
        if (value >= 0 && value <= 1) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw new InvalidInputException(message(name, text, "a number"), e);
      }
      throw new InvalidInputException(message(name, text, "a number from 0 to 1"));
    }

    private String message(String name, String text, String expected) {
      return unknown(path, PREFIX + name, text, expected).getMessage();
    }
  }
}
