package dev.lance4j.index.vector.internal.storage;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.index.IndexProto.Tensor;
import dev.lance4j.index.vector.VectorElement;
import java.nio.ByteBuffer;

/** Matrices between messages and arrays. */
public final class Tensors {
  private Tensors() {}

  /** Parses a message. */
  static Tensor parse(ByteBuffer bytes, String path) {
    try {
      return Tensor.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, "unreadable tensor", e);
    }
  }

  /**
   * What a tensor consists of.
   *
   * @throws CorruptFileException if vectors cannot consist of that
   */
  static VectorElement element(Tensor tensor, String path) {
    return switch (tensor.getDataType()) {
      case BFLOAT16 -> VectorElement.BFLOAT16;
      case FLOAT16 -> VectorElement.FLOAT16;
      case FLOAT32 -> VectorElement.FLOAT32;
      case FLOAT64 -> VectorElement.FLOAT64;
      case UINT8 -> VectorElement.UINT8;
      default ->
          throw new CorruptFileException(
              path, -1, "a tensor of vectors has the data type " + tensor.getDataTypeValue());
    };
  }

  /** The numbers of a tensor. */
  static FloatMatrix floats(Tensor tensor, String path) {
    int rows = rows(tensor, path);
    int columns = columns(tensor, path);
    VectorElement element = element(tensor, path);
    checkSize(tensor, rows, columns, element, path);
    float[] values = new float[rows * columns];
    Elements.toFloats(element, tensor.getData().asReadOnlyByteBuffer(), values, 0, values.length);
    return new FloatMatrix(rows, columns, values);
  }

  /** The bytes of a tensor of vectors of bits. */
  static byte[] bits(Tensor tensor, String path) {
    checkSize(tensor, rows(tensor, path), columns(tensor, path), VectorElement.UINT8, path);
    return tensor.getData().toByteArray();
  }

  static int rows(Tensor tensor, String path) {
    return extent(tensor, 0, path);
  }

  static int columns(Tensor tensor, String path) {
    return extent(tensor, 1, path);
  }

  private static int extent(Tensor tensor, int axis, String path) {
    if (tensor.getShapeCount() != 2) {
      throw new CorruptFileException(
          path, -1, "a tensor has " + tensor.getShapeCount() + " dimensions instead of 2");
    }
    int extent = tensor.getShape(axis);
    if (extent < 0) {
      throw new CorruptFileException(
          path, -1, "a tensor claims " + Integer.toUnsignedString(extent) + " rows or columns");
    }
    return extent;
  }

  private static void checkSize(
      Tensor tensor, int rows, int columns, VectorElement element, String path) {
    long expected = (long) rows * columns * element.bytes();
    if (tensor.getData().size() != expected) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "a tensor of %d by %d values of %d bytes has %d bytes",
              rows, columns, element.bytes(), tensor.getData().size()));
    }
  }

  /** The message of a matrix. */
  public static Tensor message(VectorElement element, int rows, int columns, float[] values) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(values.length, element.bytes()));
    Elements.fromFloats(element, values, 0, values.length, bytes);
    return message(type(element), rows, columns, ByteString.copyFrom(bytes.flip()));
  }

  /** The message of vectors of bits. */
  public static Tensor message(int rows, int columns, byte[] bits) {
    return message(Tensor.DataType.UINT8, rows, columns, ByteString.copyFrom(bits));
  }

  private static Tensor message(Tensor.DataType type, int rows, int columns, ByteString data) {
    return Tensor.newBuilder()
        .setDataType(type)
        .addShape(rows)
        .addShape(columns)
        .setData(data)
        .build();
  }

  private static Tensor.DataType type(VectorElement element) {
    return switch (element) {
      case BFLOAT16 -> Tensor.DataType.BFLOAT16;
      case FLOAT16 -> Tensor.DataType.FLOAT16;
      case FLOAT32, INT8 -> Tensor.DataType.FLOAT32;
      case FLOAT64 -> Tensor.DataType.FLOAT64;
      case UINT8 -> Tensor.DataType.UINT8;
    };
  }
}
