package dev.lance4j.format.testing;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Copies single values of any type between vectors, replacing dictionary keys by their values. */
final class ValueCopier {
  private final DictionaryProvider dictionaries;

  /**
   * @param dictionaries those that the vectors copied from refer to
   */
  ValueCopier(DictionaryProvider dictionaries) {
    this.dictionaries = dictionaries;
  }

  /** The field of a vector that takes the values of {@code field} without a dictionary. */
  Field decodedField(Field field) {
    if (field.getDictionary() != null) {
      return new Field(
          field.getName(),
          new FieldType(
              field.isNullable(), dictionary(field).getVectorType(), null, field.getMetadata()),
          dictionary(field).getVector().getField().getChildren());
    }
    List<Field> children = new ArrayList<>();
    for (Field child : field.getChildren()) {
      children.add(decodedField(child));
    }
    return new Field(field.getName(), field.getFieldType(), children);
  }

  private Dictionary dictionary(Field field) {
    Dictionary dictionary = dictionaries.lookup(field.getDictionary().getId());
    if (dictionary == null) {
      throw new IllegalArgumentException("The dictionary of " + field + " is missing");
    }
    return dictionary;
  }

  /**
   * Copies value {@code i} of a vector to value {@code j} of another, whose values before {@code j}
   * are set. Value counts are left alone.
   */
  void copy(FieldVector from, int i, FieldVector to, int j) {
    if (to instanceof NullVector) {
      return;
    }
    if (from.getField().getDictionary() != null) {
      copyDecoded(from, i, to, j);
    } else if (from instanceof StructVector struct) {
      copyStruct(struct, i, (StructVector) to, j);
    } else if (from instanceof FixedSizeListVector list) {
      copyFixedSizeList(list, i, (FixedSizeListVector) to, j);
    } else if (from instanceof ListVector list) {
      copyList(list, i, (ListVector) to, j);
    } else if (from instanceof LargeListVector list) {
      copyLargeList(list, i, (LargeListVector) to, j);
    } else {
      to.copyFromSafe(i, j, from);
    }
  }

  private void copyDecoded(FieldVector from, int i, FieldVector to, int j) {
    if (from.isNull(i)) {
      to.setNull(j);
    } else {
      FieldVector values = dictionary(from.getField()).getVector();
      copy(values, Math.toIntExact(((BaseIntVector) from).getValueAsLong(i)), to, j);
    }
  }

  private void copyStruct(StructVector from, int i, StructVector to, int j) {
    for (int child = 0; child < from.size(); child++) {
      copy(
          (FieldVector) from.getChildByOrdinal(child),
          i,
          (FieldVector) to.getChildByOrdinal(child),
          j);
    }
    if (from.isNull(i)) {
      to.setNull(j);
    } else {
      to.setIndexDefined(j);
    }
  }

  private void copyFixedSizeList(FixedSizeListVector from, int i, FixedSizeListVector to, int j) {
    int size = from.getListSize();
    for (int k = 0; k < size; k++) {
      copy(from.getDataVector(), i * size + k, to.getDataVector(), j * size + k);
    }
    if (from.isNull(i)) {
      to.setNull(j);
    } else {
      to.setNotNull(j);
    }
  }

  private void copyList(ListVector from, int i, ListVector to, int j) {
    if (from.isNull(i)) {
      to.setNull(j);
      return;
    }
    int first = from.getElementStartIndex(i);
    int count = from.getElementEndIndex(i) - first;
    int start = to.startNewValue(j);
    for (int k = 0; k < count; k++) {
      copy(from.getDataVector(), first + k, to.getDataVector(), start + k);
    }
    to.endValue(j, count);
  }

  private void copyLargeList(LargeListVector from, int i, LargeListVector to, int j) {
    if (from.isNull(i)) {
      to.setNull(j);
      return;
    }
    long first = from.getElementStartIndex(i);
    int count = (int) (from.getElementEndIndex(i) - first);
    int start = (int) to.startNewValue(j);
    for (int k = 0; k < count; k++) {
      copy(from.getDataVector(), (int) first + k, to.getDataVector(), start + k);
    }
    to.endValue(j, count);
  }
}
