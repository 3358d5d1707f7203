package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.VariablePackedStruct;
import java.util.ArrayList;
import java.util.List;

/** Makes the codecs of full-zip pages. */
public final class ZipCodecs {
  private ZipCodecs() {}

  /**
   * The codec for rows of one width.
   *
   * @param rowBits the stored width of a row, a multiple of 8
   */
  public static ZipRowCodec parseRows(
      PageInfo page, CompressiveEncoding encoding, ItemType type, long rowBits) {
    switch (encoding.getCompressionCase()) {
      case FLAT -> {
        if (type.width() == 1 && rowBits == Byte.SIZE) {
          return new ZipBooleanCodec();
        }
        Encodings.checkBits(page, encoding.getFlat().getBitsPerValue(), type.width());
        Encodings.checkBits(page, rowBits, type.width());
        return new FlatCodec(type);
      }
      case CONSTANT -> {
        Encodings.checkBits(page, rowBits, 0);
        return ChunkCodecs.constant(page, encoding, type);
      }
      case FIXED_SIZE_LIST -> {
        return fixedSizeList(page, encoding, type, rowBits);
      }
      case PACKED_STRUCT -> {
        ItemType.Packed struct = ChunkCodecs.packed(page, encoding.getPackedStruct(), type);
        Encodings.checkBits(page, rowBits, struct.width());
        return new PackedStructCodec(struct);
      }
      default -> throw Encodings.unsupported(page, encoding, "the rows of a full-zip page");
    }
  }

  private static ZipRowCodec fixedSizeList(
      PageInfo page, CompressiveEncoding encoding, ItemType type, long rowBits) {
    List<ItemType.FixedList> levels = new ArrayList<>();
    List<Boolean> validities = new ArrayList<>();
    CompressiveEncoding inner = encoding;
    ItemType item = type;
    while (inner.hasFixedSizeList()) {
      if (!(item instanceof ItemType.FixedList list)) {
        throw page.corrupt("fixed-size lists in a column of other values");
      }
      Encodings.checkDimension(page, inner.getFixedSizeList().getItemsPerValue(), list.dimension());
      levels.add(list);
      validities.add(inner.getFixedSizeList().getHasValidity());
      inner = inner.getFixedSizeList().getValues();
      item = list.item();
    }
    int[] dimensions = new int[levels.size()];
    boolean[] hasValidity = new boolean[levels.size()];
    for (int i = 0; i < dimensions.length; i++) {
      dimensions[i] = levels.get(i).dimension();
      hasValidity[i] = validities.get(i);
    }
    int validityBytes = ZipFixedSizeListCodec.validityBytes(dimensions, hasValidity);
    if (validityBytes == 0 && inner.hasFlat() && item.width() % Byte.SIZE == 0) {
      Encodings.checkBits(page, inner.getFlat().getBitsPerValue(), item.width());
      Encodings.checkBits(page, rowBits, type.width());
      return new FlatCodec(type);
    }
    long itemBytes = rowBits / Byte.SIZE - validityBytes;
    int items = ZipFixedSizeListCodec.itemsPerRow(dimensions);
    if (itemBytes < 0 || itemBytes % items != 0 || itemBytes > Integer.MAX_VALUE) {
      throw page.corrupt("rows of " + rowBits + " bits do not fit the schema");
    }
    ZipRowCodec codec = parseRows(page, inner, item, itemBytes / items * Byte.SIZE);
    return new ZipFixedSizeListCodec(dimensions, hasValidity, codec, (int) itemBytes);
  }

  /** The codec for values of any length. */
  public static ZipCodec parseValues(PageInfo page, CompressiveEncoding encoding, ItemType type) {
    switch (encoding.getCompressionCase()) {
      case VARIABLE -> {
        checkVariable(page, type);
        return new VariableCodec(Encodings.offsetBits(page, encoding.getVariable()));
      }
      case FSST -> {
        checkVariable(page, type);
        return Encodings.fsst(page, encoding.getFsst());
      }
      case GENERAL -> {
        return new GeneralCodec.Values(
            Encodings.scheme(page, encoding.getGeneral().getCompression()),
            parseValues(page, encoding.getGeneral().getValues(), type));
      }
      case VARIABLE_PACKED_STRUCT -> {
        return packedStruct(page, encoding.getVariablePackedStruct(), type);
      }
      default -> throw Encodings.unsupported(page, encoding, "the values of a full-zip page");
    }
  }

  private static void checkVariable(PageInfo page, ItemType type) {
    if (!(type instanceof ItemType.Variable)) {
      throw page.corrupt("strings in a column of other values");
    }
  }

  private static ZipCodec packedStruct(PageInfo page, VariablePackedStruct message, ItemType type) {
    if (!(type instanceof ItemType.Packed struct)
        || struct.children().size() != message.getFieldsCount()) {
      throw page.corrupt("a packed struct does not fit the schema");
    }
    List<VariablePackedStructCodec.Child> children = new ArrayList<>();
    for (int i = 0; i < message.getFieldsCount(); i++) {
      children.add(child(page, message.getFields(i), struct.children().get(i)));
    }
    return new VariablePackedStructCodec(children);
  }

  private static VariablePackedStructCodec.Child child(
      PageInfo page, VariablePackedStruct.FieldEncoding field, ItemType type) {
    switch (field.getLayoutCase()) {
      case BITS_PER_VALUE -> {
        long bits = field.getBitsPerValue();
        if (bits < 0 || bits % Byte.SIZE != 0 || bits > Integer.MAX_VALUE) {
          throw page.corrupt("values of " + bits + " bits in a packed struct");
        }
        ZipRowCodec codec = parseRows(page, field.getValue(), type, bits);
        return new VariablePackedStructCodec.Child((int) bits / Byte.SIZE, codec, null);
      }
      case BITS_PER_LENGTH -> {
        long bits = field.getBitsPerLength();
        if (bits != Integer.SIZE && bits != Long.SIZE) {
          throw page.corrupt("lengths of " + bits + " bits in a packed struct");
        }
        ZipCodec codec = parseValues(page, field.getValue(), type);
        return new VariablePackedStructCodec.Child((int) bits / Byte.SIZE, null, codec);
      }
      default -> throw page.corrupt("a child of a packed struct lacks its layout");
    }
  }
}
