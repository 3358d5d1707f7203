package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.FixedSizeList;
import dev.lance4j.format.proto.encodings21.Flat;
import dev.lance4j.format.proto.encodings21.PackedStruct;
import dev.lance4j.format.proto.encodings21.Variable;
import dev.lance4j.format.proto.encodings21.VariablePackedStruct;

/** Descriptions of the plain encodings. */
final class Encodings {
  private Encodings() {}

  static CompressiveEncoding flat(int bits) {
    return CompressiveEncoding.newBuilder()
        .setFlat(Flat.newBuilder().setBitsPerValue(bits))
        .build();
  }

  static CompressiveEncoding variable(int offsetBits) {
    return CompressiveEncoding.newBuilder()
        .setVariable(Variable.newBuilder().setOffsets(flat(offsetBits)))
        .build();
  }

  static CompressiveEncoding lists(ListBlock block) {
    CompressiveEncoding inner = flat(block.items().bits());
    for (int layer = block.layers() - 1; layer >= 0; layer--) {
      inner =
          CompressiveEncoding.newBuilder()
              .setFixedSizeList(
                  FixedSizeList.newBuilder()
                      .setItemsPerValue(block.dimension(layer))
                      .setValues(inner)
                      .setHasValidity(block.validity(layer) != null))
              .build();
    }
    return inner;
  }

  static CompressiveEncoding packed(PackedType type) {
    PackedStruct.Builder packed = PackedStruct.newBuilder().setValues(flat(type.bits()));
    for (FixedType child : type.children()) {
      packed.addBitsPerValue(child.bits());
    }
    return CompressiveEncoding.newBuilder().setPackedStruct(packed).build();
  }

  static CompressiveEncoding packed(VariablePackedType type) {
    VariablePackedStruct.Builder packed = VariablePackedStruct.newBuilder();
    for (LeafType child : type.children()) {
      VariablePackedStruct.FieldEncoding.Builder field = packed.addFieldsBuilder();
      if (child instanceof VariableType variable) {
        field.setValue(variable(variable.offsetBits())).setBitsPerLength(variable.offsetBits());
      } else {
        int bits = ((FixedType) child).bits();
        field.setValue(flat(bits)).setBitsPerValue(bits);
      }
    }
    return CompressiveEncoding.newBuilder().setVariablePackedStruct(packed).build();
  }
}
