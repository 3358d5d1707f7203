package dev.lance4j.format.internal.v20;

import com.google.protobuf.Any;
import com.google.protobuf.Empty;
import com.google.protobuf.Message;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.encodings.Binary;
import dev.lance4j.format.proto.encodings.Blob;
import dev.lance4j.format.proto.encodings.Buffer;
import dev.lance4j.format.proto.encodings.ColumnEncoding;
import dev.lance4j.format.proto.encodings.Dictionary;
import dev.lance4j.format.proto.encodings.FixedSizeList;
import dev.lance4j.format.proto.encodings.Flat;
import dev.lance4j.format.proto.encodings.List;
import dev.lance4j.format.proto.encodings.Nullable;
import dev.lance4j.format.proto.encodings.PackedStruct;
import dev.lance4j.format.proto.encodings.SimpleStruct;
import dev.lance4j.format.proto.file.v2.DirectEncoding;
import dev.lance4j.format.proto.file.v2.Encoding;

/** The messages that describe written pages. */
final class Encodings {
  private static final ColumnEncoding VALUES =
      ColumnEncoding.newBuilder().setValues(Empty.getDefaultInstance()).build();

  private Encodings() {}

  static ArrayEncoding flat(long bits, int buffer) {
    return ArrayEncoding.newBuilder()
        .setFlat(Flat.newBuilder().setBitsPerValue(bits).setBuffer(buffer(buffer)))
        .build();
  }

  private static Buffer buffer(int index) {
    return Buffer.newBuilder().setBufferIndex(index).build();
  }

  static ArrayEncoding noNulls(ArrayEncoding values) {
    return nullable(
        Nullable.newBuilder().setNoNulls(Nullable.NoNull.newBuilder().setValues(values)));
  }

  static ArrayEncoding someNulls(ArrayEncoding validity, ArrayEncoding values) {
    return nullable(
        Nullable.newBuilder()
            .setSomeNulls(Nullable.SomeNull.newBuilder().setValidity(validity).setValues(values)));
  }

  static ArrayEncoding allNulls() {
    return nullable(Nullable.newBuilder().setAllNulls(Nullable.AllNull.getDefaultInstance()));
  }

  private static ArrayEncoding nullable(Nullable.Builder nullable) {
    return ArrayEncoding.newBuilder().setNullable(nullable).build();
  }

  static ArrayEncoding fixedSizeList(int dimension, ArrayEncoding items) {
    return ArrayEncoding.newBuilder()
        .setFixedSizeList(FixedSizeList.newBuilder().setDimension(dimension).setItems(items))
        .build();
  }

  static ArrayEncoding list(int offsets, long nullAdjustment, long items) {
    return ArrayEncoding.newBuilder()
        .setList(
            List.newBuilder()
                .setOffsets(noNulls(flat(Long.SIZE, offsets)))
                .setNullOffsetAdjustment(nullAdjustment)
                .setNumItems(items))
        .build();
  }

  static ArrayEncoding binary(int indices, int bytes, long nullAdjustment) {
    return ArrayEncoding.newBuilder()
        .setBinary(
            Binary.newBuilder()
                .setIndices(noNulls(flat(Long.SIZE, indices)))
                .setBytes(flat(Byte.SIZE, bytes))
                .setNullAdjustment(nullAdjustment))
        .build();
  }

  static ArrayEncoding dictionary(ArrayEncoding indices, ArrayEncoding items, int itemCount) {
    return ArrayEncoding.newBuilder()
        .setDictionary(
            Dictionary.newBuilder()
                .setIndices(indices)
                .setItems(items)
                .setNumDictionaryItems(itemCount))
        .build();
  }

  /** A packed struct in buffer 0; the encodings of its children only tell their widths. */
  static ArrayEncoding packedStruct(Iterable<ArrayEncoding> children) {
    return ArrayEncoding.newBuilder()
        .setPackedStruct(PackedStruct.newBuilder().addAllInner(children).setBuffer(buffer(0)))
        .build();
  }

  static ArrayEncoding structHeader() {
    return ArrayEncoding.newBuilder().setStruct(SimpleStruct.getDefaultInstance()).build();
  }

  /** The encoding of a page. */
  static Encoding page(ArrayEncoding encoding) {
    return direct(encoding);
  }

  /** The encoding of a column that holds its values itself. */
  static Encoding values() {
    return direct(VALUES);
  }

  /** The encoding of a column that holds descriptors of values stored elsewhere. */
  static Encoding blobs() {
    return direct(ColumnEncoding.newBuilder().setBlob(Blob.newBuilder().setInner(VALUES)).build());
  }

  /** The type URL has no authority: readers look at what follows the slash. */
  private static Encoding direct(Message message) {
    return Encoding.newBuilder()
        .setDirect(DirectEncoding.newBuilder().setEncoding(Any.pack(message, "").toByteString()))
        .build();
  }
}
