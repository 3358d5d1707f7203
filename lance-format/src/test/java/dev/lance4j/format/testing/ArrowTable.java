package dev.lance4j.format.testing;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;

/**
 * Columns with the dictionaries that they refer to. Closing it releases both.
 *
 * @param root the columns
 * @param dictionaries of the dictionary-encoded ones
 */
public record ArrowTable(VectorSchemaRoot root, MapDictionaryProvider dictionaries)
    implements AutoCloseable {
  /** Columns none of which is dictionary-encoded. */
  public static ArrowTable of(VectorSchemaRoot root) {
    return new ArrowTable(root, new MapDictionaryProvider());
  }

  /** Columns none of which is dictionary-encoded; takes over the vectors. */
  public static ArrowTable of(FieldVector... vectors) {
    return of(VectorSchemaRoot.of(vectors));
  }

  public int rowCount() {
    return root.getRowCount();
  }

  /** A column by name. */
  public FieldVector column(String name) {
    FieldVector vector = root.getVector(name);
    if (vector == null) {
      throw new IllegalArgumentException(
          "There is no column " + name + " among " + root.getSchema().getFields());
    }
    return vector;
  }

  /** The names of the columns, in order. */
  public List<String> columnNames() {
    return root.getSchema().getFields().stream().map(field -> field.getName()).toList();
  }

  @Override
  public void close() {
    root.close();
    for (long id : dictionaries.getDictionaryIds()) {
      Dictionary dictionary = dictionaries.lookup(id);
      dictionary.getVector().close();
    }
  }
}
