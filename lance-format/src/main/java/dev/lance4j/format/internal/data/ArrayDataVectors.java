package dev.lance4j.format.internal.data;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;

/** Between {@link ArrayData} and Arrow's vectors, sharing memory. */
public final class ArrayDataVectors {
  private ArrayDataVectors() {}

  /**
   * The buffers of a batch, retained.
   *
   * @param dictionaries where to find the values of dictionary-encoded vectors; may be null
   * @throws InvalidInputException as {@link #of} does
   */
  public static ArrayBatch batchOf(VectorSchemaRoot root, DictionaryProvider dictionaries) {
    List<ArrayData> arrays = new ArrayList<>();
    boolean complete = false;
    try {
      for (FieldVector vector : root.getFieldVectors()) {
        arrays.add(of(vector, root.getRowCount(), vector.getName(), dictionaries));
      }
      complete = true;
      return new ArrayBatch(root.getRowCount(), arrays);
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  /**
   * The buffers of the first values of a vector, retained.
   *
   * @param vector with its value count set
   * @param length number of values
   * @param path the field's name, for errors
   * @param dictionaries where to find the values of dictionary-encoded vectors; may be null
   * @throws InvalidInputException if the vector or a child is shorter than needed, or a dictionary
   *     is missing
   */
  public static ArrayData of(
      FieldVector vector, int length, String path, DictionaryProvider dictionaries) {
    if (vector.getValueCount() < length) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' has "
              + vector.getValueCount()
              + " values where "
              + length
              + " are needed; set the value count of every vector, children included");
    }
    if (vector instanceof ExtensionTypeVector<?> extension) {
      return of((FieldVector) extension.getUnderlyingVector(), length, path, dictionaries);
    }
    if (vector instanceof NullVector) {
      return new ArrayData(length, length, new ArrowBuf[0]);
    }
    int nulls = nullCount(vector, length);
    ArrowBuf validity = nulls == 0 ? null : vector.getValidityBuffer();
    if (vector instanceof BaseFixedWidthVector) {
      ArrayData dictionary = dictionary(vector, path, dictionaries);
      ArrowBuf[] buffers = retain(validity, vector.getDataBuffer());
      return new ArrayData(length, nulls, buffers, new ArrayData[0], dictionary);
    }
    if (vector instanceof BaseVariableWidthVector
        || vector instanceof BaseLargeVariableWidthVector) {
      return new ArrayData(
          length,
          nulls,
          retain(validity, length == 0 ? null : vector.getOffsetBuffer(), vector.getDataBuffer()));
    }
    if (vector instanceof StructVector struct) {
      ArrayData[] children = new ArrayData[struct.size()];
      int done = 0;
      try {
        for (FieldVector child : struct.getChildrenFromFields()) {
          children[done] = of(child, length, path + '.' + child.getName(), dictionaries);
          done++;
        }
        return new ArrayData(length, nulls, retain(validity), children);
      } finally {
        closeUnless(done == children.length, children);
      }
    }
    if (vector instanceof FixedSizeListVector list) {
      ArrayData child = of(list.getDataVector(), length * list.getListSize(), path, dictionaries);
      return new ArrayData(length, nulls, retain(validity), child);
    }
    if (vector instanceof ListVector list) {
      int items = length == 0 ? 0 : list.getOffsetBuffer().getInt(4L * length);
      ArrayData child = of(list.getDataVector(), items, path + ".item", dictionaries);
      return new ArrayData(
          length, nulls, retain(validity, length == 0 ? null : list.getOffsetBuffer()), child);
    }
    if (vector instanceof LargeListVector list) {
      long items = length == 0 ? 0 : list.getOffsetBuffer().getLong(8L * length);
      ArrayData child =
          of(list.getDataVector(), Math.toIntExact(items), path + ".item", dictionaries);
      return new ArrayData(
          length, nulls, retain(validity, length == 0 ? null : list.getOffsetBuffer()), child);
    }
    throw new UnsupportedFormatException(
        "Field '" + path + "' has the type " + vector.getField().getType() + ", which Lance lacks");
  }

  private static int nullCount(FieldVector vector, int length) {
    if (length == vector.getValueCount()) {
      return vector.getNullCount();
    }
    int nulls = 0;
    for (int i = 0; i < length; i++) {
      nulls += vector.isNull(i) ? 1 : 0;
    }
    return nulls;
  }

  private static ArrayData dictionary(
      FieldVector vector, String path, DictionaryProvider dictionaries) {
    DictionaryEncoding encoding = vector.getField().getDictionary();
    if (encoding == null) {
      return null;
    }
    Dictionary found = dictionaries == null ? null : dictionaries.lookup(encoding.getId());
    if (found == null) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' is encoded with dictionary "
              + encoding.getId()
              + ", which was not given; pass the DictionaryProvider that holds it");
    }
    return of(found.getVector(), found.getVector().getValueCount(), path, dictionaries);
  }

  private static ArrowBuf[] retain(ArrowBuf... buffers) {
    for (ArrowBuf buffer : buffers) {
      if (buffer != null) {
        buffer.getReferenceManager().retain();
      }
    }
    return buffers;
  }

  private static void closeUnless(boolean complete, ArrayData[] arrays) {
    if (complete) {
      return;
    }
    for (ArrayData array : arrays) {
      if (array != null) {
        array.close();
      }
    }
  }

  /**
   * Makes a vector hold the array, sharing its buffers; what the vector held before is released.
   *
   * @param data still owned by the caller
   * @param vector of the type that the data was decoded for, made with {@code allocator}
   */
  public static void load(ArrayData data, FieldVector vector, BufferAllocator allocator) {
    if (vector instanceof ExtensionTypeVector<?> extension) {
      load(data, (FieldVector) extension.getUnderlyingVector(), allocator);
      return;
    }
    if (vector instanceof NullVector) {
      vector.setValueCount(data.length());
      return;
    }
    List<ArrowBuf> buffers = new ArrayList<>(data.bufferCount());
    for (int i = 0; i < data.bufferCount(); i++) {
      ArrowBuf buffer = data.buffer(i);
      buffers.add(buffer == null ? allocator.getEmpty() : buffer);
    }
    vector.loadFieldBuffers(new ArrowFieldNode(data.length(), data.nullCount()), buffers);
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < children.size(); i++) {
      load(data.child(i), children.get(i), allocator);
    }
  }
}
