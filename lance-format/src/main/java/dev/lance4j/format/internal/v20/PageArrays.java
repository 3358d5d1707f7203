package dev.lance4j.format.internal.v20;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.DictionaryIndex;
import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.internal.page.PackedChildren;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.encodings.Binary;
import dev.lance4j.format.proto.encodings.Bitpacked;
import dev.lance4j.format.proto.encodings.BitpackedForNonNeg;
import dev.lance4j.format.proto.encodings.Buffer;
import dev.lance4j.format.proto.encodings.Dictionary;
import dev.lance4j.format.proto.encodings.FixedSizeBinary;
import dev.lance4j.format.proto.encodings.FixedSizeList;
import dev.lance4j.format.proto.encodings.Flat;
import dev.lance4j.format.proto.encodings.Fsst;
import dev.lance4j.format.proto.encodings.List;
import dev.lance4j.format.proto.encodings.Nullable;
import dev.lance4j.format.proto.encodings.PackedStruct;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Locale;
import org.apache.arrow.vector.types.pojo.Field;

/** Turns the encoding messages of one page into arrays that can be read. */
final class PageArrays {
  private static final String MESSAGE = "lance.encodings.ArrayEncoding";

  private final PageInfo page;

  PageArrays(PageInfo page) {
    this.page = page;
  }

  /** The encoding message of a page. */
  static ArrayEncoding encoding(PageInfo page) {
    try {
      return ArrayEncoding.parseFrom(page.encoding(MESSAGE));
    } catch (InvalidProtocolBufferException e) {
      throw page.corrupt("unreadable array encoding", e);
    }
  }

  /**
   * The array of an encoding.
   *
   * @param field the type that it is read as; not a list or struct
   * @param rows how many values it has
   * @param whole whether reads should always fetch all values and remember them
   */
  PageArray array(ArrayEncoding encoding, Field field, long rows, boolean whole) {
    ArrayLayout layout = ArrayLayout.of(field);
    if (rows == 0 || layout.kind() == ArrayLayout.Kind.NULL) {
      return new NullArray(field);
    }
    if (encoding.getArrayEncodingCase() == ArrayEncoding.ArrayEncodingCase.NULLABLE) {
      return nullable(encoding.getNullable(), field, rows, whole);
    }
    if (field.getDictionary() != null) {
      require(encoding, ArrayEncoding.ArrayEncodingCase.DICTIONARY, field);
      return dictionary(encoding.getDictionary(), field, rows);
    }
    return switch (layout.kind()) {
      case FIXED -> new PrimitiveArray(fixed(encoding, layout.bits(), rows, whole));
      case FIXED_SIZE_LIST -> {
        require(encoding, ArrayEncoding.ArrayEncodingCase.FIXED_SIZE_LIST, field);
        yield fixedSizeList(encoding.getFixedSizeList(), field, rows, whole);
      }
      case VARIABLE, LARGE_VARIABLE -> strings(encoding, layout, field, rows, whole);
      default -> throw misfit(encoding, field);
    };
  }

  private PageArray nullable(Nullable nullable, Field field, long rows, boolean whole) {
    return switch (nullable.getNullabilityCase()) {
      case NO_NULLS -> array(nullable.getNoNulls().getValues(), field, rows, whole);
      case ALL_NULLS -> new NullArray(field);
      case SOME_NULLS ->
          new NullableArray(
              fixed(nullable.getSomeNulls().getValidity(), 1, rows, whole),
              array(nullable.getSomeNulls().getValues(), field, rows, whole));
      case NULLABILITY_NOT_SET -> throw page.corrupt("a nullable encoding of no kind");
    };
  }

  private PageArray strings(
      ArrayEncoding encoding, ArrayLayout layout, Field field, long rows, boolean whole) {
    boolean wide = layout.hasLongOffsets();
    return switch (encoding.getArrayEncodingCase()) {
      case BINARY -> binary(encoding.getBinary(), rows, wide, whole);
      case FSST -> fsst(encoding.getFsst(), rows, wide, whole);
      case FIXED_SIZE_BINARY -> fixedSizeBinary(encoding.getFixedSizeBinary(), rows, wide, whole);
      case DICTIONARY -> stringDictionary(encoding.getDictionary(), field, rows, wide);
      default -> throw misfit(encoding, field);
    };
  }

  /** Fixed-width values without nulls. */
  FixedWidthArray fixed(ArrayEncoding encoding, int bits, long rows, boolean whole) {
    return switch (encoding.getArrayEncodingCase()) {
      case FLAT -> flat(encoding.getFlat(), bits, bits, rows, whole);
      case BITPACKED -> bitpacked(encoding.getBitpacked(), bits, rows);
      case BITPACKED_FOR_NON_NEG -> fastLanes(encoding.getBitpackedForNonNeg(), bits, rows);
      case NULLABLE -> {
        if (!encoding.getNullable().hasNoNulls()) {
          throw page.corrupt("nulls where all values must be valid");
        }
        yield fixed(encoding.getNullable().getNoNulls().getValues(), bits, rows, whole);
      }
      default -> throw page.unsupported(name(encoding) + " for values of " + bits + " bits");
    };
  }

  private FixedWidthArray flat(Flat flat, int bits, int declared, long rows, boolean whole) {
    if (flat.getBitsPerValue() != declared) {
      throw page.corrupt(
          "values of " + flat.getBitsPerValue() + " bits where the type has " + declared);
    }
    return new FlatArray(buffer(flat.getBuffer(), scheme(flat), rows, bits, whole), bits);
  }

  private PageBuffer buffer(
      Buffer message, Compression.Scheme scheme, long rows, int bits, boolean whole) {
    if (rows > (Long.MAX_VALUE - 7) / Math.max(1, bits)) {
      throw page.corrupt(rows + " values of " + bits + " bits");
    }
    return new PageBuffer(page, message, scheme, (rows * bits + 7) / 8, whole);
  }

  private Compression.Scheme scheme(Flat flat) {
    if (!flat.hasCompression()) {
      return Compression.Scheme.NONE;
    }
    String scheme = flat.getCompression().getScheme();
    return switch (scheme) {
      case "none" -> Compression.Scheme.NONE;
      case "zstd" -> Compression.Scheme.ZSTD;
      case "lz4" -> Compression.Scheme.LZ4;
      default -> throw page.unsupported("compression '" + scheme + "'");
    };
  }

  private FixedWidthArray bitpacked(Bitpacked packed, int bits, long rows) {
    int packedBits =
        packedBits(packed.getCompressedBitsPerValue(), packed.getUncompressedBitsPerValue(), bits);
    PageBuffer buffer =
        buffer(packed.getBuffer(), Compression.Scheme.NONE, rows, packedBits, false);
    return new BitpackedArray(buffer, packedBits, bits, packed.getSigned());
  }

  private FixedWidthArray fastLanes(BitpackedForNonNeg packed, int bits, long rows) {
    int packedBits =
        packedBits(packed.getCompressedBitsPerValue(), packed.getUncompressedBitsPerValue(), bits);
    long padded = Math.multiplyExact((rows - 1) / FastLanesArray.GROUP + 1, FastLanesArray.GROUP);
    PageBuffer buffer =
        buffer(packed.getBuffer(), Compression.Scheme.NONE, padded, packedBits, false);
    return new FastLanesArray(buffer, packedBits, bits);
  }

  private int packedBits(long packed, long plain, int bits) {
    boolean known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    if (!known || plain != bits || packed < 1 || packed > bits) {
      throw page.corrupt(
          "values of " + plain + " bits packed into " + packed + " for a type of " + bits);
    }
    return (int) packed;
  }

  private PageArray fixedSizeList(FixedSizeList list, Field field, long rows, boolean whole) {
    int size = ArrayLayout.of(field).bits();
    if (list.getDimension() != size) {
      throw page.corrupt("lists of " + list.getDimension() + " items where the type has " + size);
    }
    Field item = field.getChildren().get(0);
    if (PageTypes.rowBits(item) < 0) {
      throw page.unsupported("a fixed-size list of " + item.getType());
    }
    long items = Math.multiplyExact(rows, size);
    return new FixedSizeListArray(size, array(list.getItems(), item, items, whole));
  }

  private BinaryArray binary(Binary binary, long rows, boolean wide, boolean whole) {
    long adjustment = binary.getNullAdjustment();
    if (adjustment <= 0) {
      throw page.corrupt("a null adjustment of " + adjustment);
    }
    long bytes = adjustment - 1;
    EndOffsets ends =
        new EndOffsets(page, fixed(binary.getIndices(), Long.SIZE, rows, whole), adjustment, bytes);
    return new BinaryArray(ends, fixed(binary.getBytes(), Byte.SIZE, bytes, whole), wide);
  }

  private PageArray fsst(Fsst fsst, long rows, boolean wide, boolean whole) {
    if (!fsst.getBinary().hasBinary()) {
      throw page.corrupt("fsst over " + name(fsst.getBinary()));
    }
    BinaryArray coded = binary(fsst.getBinary().getBinary(), rows, wide, whole);
    FsstTable table =
        FsstTable.parse(
            fsst.getSymbolTable().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
    return table.isCoded() ? new FsstArray(coded, table, wide) : coded;
  }

  private PageArray fixedSizeBinary(
      FixedSizeBinary message, long rows, boolean wide, boolean whole) {
    ArrayEncoding bytes = message.getBytes();
    if (bytes.hasNullable() && bytes.getNullable().hasNoNulls()) {
      bytes = bytes.getNullable().getNoNulls().getValues();
    }
    int width = message.getByteWidth();
    if (!bytes.hasFlat() || width < 0 || width > Integer.MAX_VALUE / Byte.SIZE) {
      throw page.corrupt("strings of " + width + " bytes as " + name(bytes));
    }
    int bits = width * Byte.SIZE;
    int declared = bytes.getFlat().getBitsPerValue() == Byte.SIZE ? Byte.SIZE : bits;
    FixedWidthArray values = flat(bytes.getFlat(), bits, declared, rows, whole);
    return new FixedSizeBinaryArray(values, width, wide);
  }

  private PageArray stringDictionary(Dictionary message, Field field, long rows, boolean wide) {
    int count = itemCount(message);
    PageArray items = array(message.getItems(), field, count, true);
    return items instanceof NullArray
        ? new NullArray(field)
        : new StringDictionaryArray(indices(message.getIndices(), rows), items, count, wide);
  }

  private PageArray dictionary(Dictionary message, Field field, long rows) {
    int count = itemCount(message);
    PageArray items = array(message.getItems(), DictionaryIndex.values(field), count, true);
    return items instanceof NullArray
        ? new NullArray(field)
        : new DictionaryArray(field, indices(message.getIndices(), rows), items, count);
  }

  private int itemCount(Dictionary message) {
    int count = message.getNumDictionaryItems();
    if (count < 0) {
      throw page.corrupt("a dictionary of " + Integer.toUnsignedString(count) + " items");
    }
    return count;
  }

  private PageIndices indices(ArrayEncoding encoding, long rows) {
    int bits = indexBits(encoding);
    return new PageIndices(page, fixed(encoding, bits, rows, false), bits / Byte.SIZE);
  }

  private int indexBits(ArrayEncoding encoding) {
    long bits =
        switch (encoding.getArrayEncodingCase()) {
          case FLAT -> encoding.getFlat().getBitsPerValue();
          case BITPACKED -> encoding.getBitpacked().getUncompressedBitsPerValue();
          case BITPACKED_FOR_NON_NEG ->
              encoding.getBitpackedForNonNeg().getUncompressedBitsPerValue();
          case NULLABLE -> indexBits(encoding.getNullable().getNoNulls().getValues());
          default -> 0;
        };
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw page.corrupt("dictionary indices of " + bits + " bits");
    }
    return (int) bits;
  }

  /**
   * The array of a packed struct.
   *
   * @param field the struct as it is read
   * @param packed how it lies in the file
   */
  PageArray packedStruct(PackedStruct message, Field field, PackedChildren packed, long rows) {
    int[] offsets = new int[packed.stored().size()];
    long rowBits = 0;
    for (int i = 0; i < offsets.length; i++) {
      long bits = PageTypes.rowBits(packed.stored().get(i));
      if (bits <= 0 || bits % Byte.SIZE != 0) {
        throw page.corrupt("a packed struct with " + packed.stored().get(i));
      }
      offsets[i] = Math.toIntExact(rowBits / Byte.SIZE);
      rowBits = Math.addExact(rowBits, bits);
    }
    java.util.List<PackedStructArray.Child> children = new ArrayList<>();
    for (int i = 0; i < field.getChildren().size(); i++) {
      Field child = field.getChildren().get(i);
      int position = packed.positions().get(i);
      if (position < 0) {
        children.add(new PackedStructArray.Child(child, -1, 0));
        continue;
      }
      long bits = PageTypes.rowBits(packed.stored().get(position));
      if (bits != PageTypes.rowBits(child)) {
        throw page.corrupt("child " + child + " has values of " + bits + " bits");
      }
      children.add(new PackedStructArray.Child(child, offsets[position], (int) (bits / 8)));
    }
    int bits = Math.toIntExact(rowBits);
    PageBuffer buffer = buffer(message.getBuffer(), Compression.Scheme.NONE, rows, bits, false);
    return new PackedStructArray(new FlatArray(buffer, bits), bits / Byte.SIZE, children);
  }

  /** The descriptors of a blob column: packed structs of a position and a size. */
  FixedWidthArray blobDescriptors(PackedStruct message, long rows) {
    int bits = 2 * Long.SIZE;
    return new FlatArray(
        buffer(message.getBuffer(), Compression.Scheme.NONE, rows, bits, false), bits);
  }

  /** The ends of the lists of an offsets page. */
  EndOffsets listEnds(List list, long rows) {
    long items = list.getNumItems();
    long adjustment = list.getNullOffsetAdjustment();
    if (items < 0 || adjustment <= items) {
      throw page.corrupt("lists of " + items + " items with an adjustment of " + adjustment);
    }
    FixedWidthArray ends = fixed(list.getOffsets(), Long.SIZE, rows, false);
    return new EndOffsets(page, ends, adjustment, items);
  }

  private void require(
      ArrayEncoding encoding, ArrayEncoding.ArrayEncodingCase expected, Field field) {
    if (encoding.getArrayEncodingCase() != expected) {
      throw misfit(encoding, field);
    }
  }

  private RuntimeException misfit(ArrayEncoding encoding, Field field) {
    return switch (encoding.getArrayEncodingCase()) {
      case CONSTANT, ARRAYENCODING_NOT_SET -> page.unsupported("encoding " + name(encoding));
      default -> page.corrupt("the encoding " + name(encoding) + " for " + field);
    };
  }

  private static String name(ArrayEncoding encoding) {
    return encoding.getArrayEncodingCase() == ArrayEncoding.ArrayEncodingCase.ARRAYENCODING_NOT_SET
        ? "unknown"
        : encoding.getArrayEncodingCase().name().toLowerCase(Locale.ROOT);
  }
}
