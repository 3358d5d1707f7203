package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.VectorReader;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** The rows on which an expression is evaluated; reads each column once, when it is needed. */
public final class Batch {
  private final int size;
  private final Values[] columns;
  private final List<List<String>> paths;
  private final VectorSchemaRoot root;
  private final VectorReader reader;
  private final Batch parent;
  private final int[] rows;

  /**
   * @param paths the columns that the expression uses, each as names from the top
   * @param dictionaries of the dictionary-encoded columns; may be null if there are none
   */
  public Batch(VectorSchemaRoot root, DictionaryProvider dictionaries, List<List<String>> paths) {
    this.size = root.getRowCount();
    this.columns = new Values[paths.size()];
    this.paths = paths;
    this.root = root;
    this.reader = new VectorReader(dictionaries);
    this.parent = null;
    this.rows = null;
  }

  private Batch(Batch parent, int[] rows) {
    this.size = rows.length;
    this.columns = new Values[parent.columns.length];
    this.paths = parent.paths;
    this.root = null;
    this.reader = null;
    this.parent = parent;
    this.rows = rows;
  }

  /** A batch of one row without columns, for constant expressions. */
  public static Batch single() {
    VectorSchemaRoot none = VectorSchemaRoot.of();
    none.setRowCount(1);
    return new Batch(none, null, List.of());
  }

  public int size() {
    return size;
  }

  /** Some of the rows. */
  public Batch select(int[] chosen) {
    return new Batch(this, chosen);
  }

  /** The values of a column. */
  public Values column(int index) {
    if (columns[index] == null) {
      columns[index] = parent == null ? read(paths.get(index)) : parent.column(index).gather(rows);
    }
    return columns[index];
  }

  private Values read(List<String> path) {
    FieldVector vector = root.getVector(path.get(0));
    long[] valid = null;
    for (int depth = 1; depth < path.size(); depth++) {
      if (!(vector instanceof StructVector struct)) {
        throw missing(path);
      }
      valid = Bits.and(valid, VectorReader.validity(struct, size));
      vector = struct.getChild(path.get(depth));
    }
    if (vector == null) {
      throw missing(path);
    }
    Values values = reader.read(vector, size);
    return valid == null ? values : values.withValid(Bits.and(valid, values.valid()));
  }

  private static SchemaMismatchException missing(List<String> path) {
    return new SchemaMismatchException(
        "The batch lacks column '" + String.join(".", path) + "' of the expression");
  }
}
