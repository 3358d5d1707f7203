package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.index.IndexProto.Tensor;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import dev.lance4j.index.vector.internal.quantize.CodeLayout;
import dev.lance4j.index.vector.internal.quantize.FastRotation;
import dev.lance4j.index.vector.internal.quantize.FlatQuantizer;
import dev.lance4j.index.vector.internal.quantize.MatrixRotation;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.quantize.Rotation;
import dev.lance4j.index.vector.internal.quantize.ScalarQuantizer;
import java.nio.ByteBuffer;

/**
 * What {@code auxiliary.idx} says about its codes.
 *
 * @param quantizer made them
 * @param layout how they are stored in a partition
 */
public record QuantizerMetadata(Quantizer quantizer, CodeLayout layout) {
  private static final int MAX_DIMENSION = 1 << 24;
  private static final int MAX_BITS = 1 << 10;

  /**
   * Reads the metadata.
   *
   * @param element of the vectors, if they are stored as they are
   */
  static QuantizerMetadata read(
      Quantization kind, String json, VectorElement element, LanceFileReader file) {
    MetadataJson metadata = MetadataJson.parse(json, "storage_metadata", file.path());
    try {
      return switch (kind) {
        case FLAT ->
            new QuantizerMetadata(
                new FlatQuantizer(metadata.count("dim", MAX_DIMENSION), element), CodeLayout.ROWS);
        case SCALAR -> scalar(metadata);
        case PRODUCT -> product(metadata, file);
        case RABIT -> rabit(metadata, file);
      };
    } catch (InvalidInputException e) {
      throw new CorruptFileException(file.path(), -1, e.getMessage(), e);
    }
  }

  private static QuantizerMetadata scalar(MetadataJson metadata) {
    int bits = metadata.count("num_bits", MAX_BITS);
    if (bits != ScalarQuantizer.BITS) {
      throw new UnsupportedFormatException(
          metadata.path() + " has scalar quantization with " + bits + " bits; 8 are supported");
    }
    MetadataJson bounds = metadata.get("bounds");
    return new QuantizerMetadata(
        new ScalarQuantizer(
            metadata.count("dim", MAX_DIMENSION), bounds.number("start"), bounds.number("end")),
        CodeLayout.ROWS);
  }

  private static QuantizerMetadata product(MetadataJson metadata, LanceFileReader file) {
    int position = metadata.count("codebook_position", Integer.MAX_VALUE, 0);
    ByteBuffer bytes =
        position > 0
            ? globalBuffer(file, position)
            : ByteBuffer.wrap(metadata.bytes("codebook_tensor"));
    Tensor tensor = Tensors.parse(bytes, file.path());
    VectorElement element = Tensors.element(tensor, file.path());
    // The shape says nothing about the order of the values.
    float[] codebook = Tensors.floats(tensor, file.path()).values();
    return new QuantizerMetadata(
        new ProductQuantizer(
            metadata.count("dimension", MAX_DIMENSION),
            metadata.count("num_sub_vectors", MAX_DIMENSION),
            metadata.count("nbits", MAX_BITS),
            element,
            codebook),
        metadata.bool("transposed", false) ? CodeLayout.COLUMNS : CodeLayout.ROWS);
  }

  private static QuantizerMetadata rabit(MetadataJson metadata, LanceFileReader file) {
    refuseLater(metadata);
    int bits = metadata.count("num_bits", MAX_BITS);
    boolean matrix =
        !metadata.has("rotation_type") || metadata.text("rotation_type").equals("matrix");
    Rotation rotation = matrix ? matrixRotation(metadata, file) : fastRotation(metadata);
    int codeDimension = rotation.codeDimension();
    if (bits == 0 || codeDimension % bits != 0 || codeDimension % Byte.SIZE != 0) {
      throw metadata.wrong("has codes of dimension " + codeDimension + " with " + bits + " bits");
    }
    return new QuantizerMetadata(
        new RabitQuantizer(codeDimension / bits, bits, rotation),
        metadata.bool("packed", false) ? CodeLayout.BLOCKS : CodeLayout.ROWS);
  }

  private static void refuseLater(MetadataJson metadata) {
    boolean later =
        (metadata.has("query_estimator")
                && !metadata.text("query_estimator").equals("residual_query"))
            || metadata.bool("layered", false)
            || (metadata.has("row_layout") && !metadata.text("row_layout").equals("default"));
    if (later) {
      throw new UnsupportedFormatException(
          metadata.path()
              + " has RaBit codes of a layout that is newer than this version knows; rebuild the"
              + " index");
    }
  }

  private static Rotation fastRotation(MetadataJson metadata) {
    return new FastRotation(
        metadata.count("code_dim", MAX_DIMENSION), metadata.bytes("fast_rotation_signs"));
  }

  private static Rotation matrixRotation(MetadataJson metadata, LanceFileReader file) {
    int position = metadata.count("rotate_mat_position", Integer.MAX_VALUE);
    FloatMatrix matrix =
        Tensors.floats(Tensors.parse(globalBuffer(file, position), file.path()), file.path());
    if (matrix.rows() != matrix.columns()) {
      throw metadata.wrong("refers to a rotation that is not square");
    }
    return new MatrixRotation(matrix);
  }

  /** A global buffer that metadata refer to. */
  static ByteBuffer globalBuffer(LanceFileReader file, int index) {
    if (index <= 0 || index >= file.globalBufferCount()) {
      throw new CorruptFileException(
          file.path(),
          -1,
          "the metadata refer to global buffer " + index + " of " + file.globalBufferCount());
    }
    return file.globalBuffer(index);
  }

  /**
   * The metadata as JSON.
   *
   * @param buffer the global buffer with the codebook or rotation; 0 without one
   */
  String json(int buffer) {
    if (quantizer instanceof FlatQuantizer flat) {
      return "{\"dim\":" + flat.dimension() + "}";
    }
    if (quantizer instanceof ScalarQuantizer scalar) {
      return String.format(
          "{\"dim\":%d,\"num_bits\":%d,\"bounds\":{\"start\":%s,\"end\":%s}}",
          scalar.dimension(), ScalarQuantizer.BITS, scalar.start(), scalar.end());
    }
    if (quantizer instanceof ProductQuantizer product) {
      return String.format(
          "{\"codebook_position\":%d,\"nbits\":%d,\"num_sub_vectors\":%d,\"dimension\":%d,"
              + "\"codebook_tensor\":[],\"transposed\":%s}",
          buffer,
          product.bits(),
          product.subVectors(),
          product.dimension(),
          layout == CodeLayout.COLUMNS);
    }
    return rabitJson((RabitQuantizer) quantizer, buffer);
  }

  private String rabitJson(RabitQuantizer rabit, int buffer) {
    StringBuilder signs = new StringBuilder();
    boolean fast = rabit.rotation() instanceof FastRotation;
    if (rabit.rotation() instanceof FastRotation rotation) {
      for (byte sign : rotation.signs()) {
        signs.append(signs.length() > 0 ? "," : "").append(sign & 0xFF);
      }
    }
    return String.format(
        "{\"rotate_mat_position\":%s,\"fast_rotation_signs\":%s,\"rotation_type\":\"%s\","
            + "\"code_dim\":%d,\"num_bits\":%d,\"packed\":%s}",
        fast ? "null" : String.valueOf(buffer),
        fast ? "[" + signs + "]" : "null",
        fast ? "fast" : "matrix",
        rabit.rotation().codeDimension(),
        rabit.bits(),
        layout == CodeLayout.BLOCKS);
  }

  /** The codebook or rotation that goes into a global buffer, or null if there is none. */
  Tensor tensor() {
    if (quantizer instanceof ProductQuantizer product) {
      return Tensors.message(
          product.element(), 1 << product.bits(), product.dimension(), product.codebook());
    }
    if (quantizer instanceof RabitQuantizer rabit
        && rabit.rotation() instanceof MatrixRotation rotation) {
      FloatMatrix matrix = rotation.matrix();
      return Tensors.message(
          VectorElement.FLOAT32, matrix.rows(), matrix.columns(), matrix.values());
    }
    return null;
  }
}
