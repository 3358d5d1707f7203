package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.scan.internal.expr.eval.Casts;
import dev.lance4j.scan.internal.expr.type.ArrowTypes;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.VectorWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes values that indices are asked for of the constants of conditions. */
final class QueryValues {
  private static final int LONGEST_TEXT = 60;

  private QueryValues() {}

  /** Whether values of a type can be asked for. */
  static boolean isAskable(Type type) {
    return switch (type.kind()) {
      case NULL, INTERVAL, LIST, LARGE_LIST, FIXED_LIST, STRUCT, MAP, DICTIONARY -> false;
      default -> true;
    };
  }

  /**
   * The values that are not null.
   *
   * @param type of the column, which is that of the values
   */
  static List<ScalarValue> of(Type type, Values values, BufferAllocator allocator) {
    Field field = ArrowTypes.field("value", type);
    Values texts = texts(type, values);
    List<ScalarValue> made = new ArrayList<>(values.size());
    try (FieldVector vector = VectorWriter.write(field, type, values, allocator);
        ArrayData array = ArrayDataVectors.of(vector, values.size(), field.getName(), null)) {
      for (int row = 0; row < values.size(); row++) {
        if (!values.isNull(row)) {
          made.add(ScalarValue.of(field, array, row, text(type, texts, row)));
        }
      }
    }
    return made;
  }

  /** Null for values that are too large to be written. */
  private static Values texts(Type type, Values values) {
    return type.kind().isBinary() ? values : Casts.cast(values, type, Type.UTF8, true);
  }

  private static String text(Type type, Values texts, int row) {
    BytesValues bytes = (BytesValues) texts;
    if (type.kind().isBinary()) {
      return "X'" + shortened(HexFormat.of().formatHex(bytes.copy(row))) + "'";
    }
    String text = texts.isNull(row) ? "?" : shortened(bytes.string(row));
    return type.kind().isNumeric() || type.equals(Type.BOOLEAN) ? text : "'" + text + "'";
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }
}
