package dev.lance4j.index.internal.segment;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Checks that an index file has the columns that it must have. */
public final class IndexFileSchema {
  private IndexFileSchema() {}

  /**
   * Checks the columns of a file, whose order does not matter.
   *
   * @param what the file is, for errors
   * @throws CorruptFileException if a column is missing or of another type
   */
  public static void check(LanceFileReader file, Schema expected, String what) {
    LanceSchema wanted = LanceSchema.fromArrow(expected);
    for (LanceField column : wanted.fields()) {
      LanceField found = file.schema().field(column.name());
      if (found == null) {
        throw damaged(file, what + ": missing '" + column.name() + "' column");
      }
      if (!found.logicalType().equals(column.logicalType())) {
        throw damaged(
            file,
            what
                + ": column '"
                + column.name()
                + "' is of type "
                + found.logicalType()
                + ", not "
                + column.logicalType());
      }
    }
  }

  /** The names of the columns of a schema. */
  public static String[] names(Schema schema) {
    List<Field> fields = schema.getFields();
    return fields.stream().map(Field::getName).toArray(String[]::new);
  }

  private static CorruptFileException damaged(LanceFileReader file, String message) {
    return new CorruptFileException(file.path(), -1, message);
  }
}
