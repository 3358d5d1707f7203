package dev.lance4j.write;

import dev.lance4j.format.InvalidInputException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;

/** Columns to be added to a table, and where their values come from. */
public sealed interface NewColumns {
  /** A column that is computed from others by an expression; further ones may follow. */
  static Expressions expression(String name, String expression) {
    return new Expressions(Map.of(name, expression));
  }

  /** Columns that are computed from others by expressions, in the order of the map. */
  static Expressions expressions(Map<String, String> expressions) {
    return new Expressions(expressions);
  }

  /** Columns of a source that has a row for each row of the table, in the order of a scan. */
  static Rows rows(BatchSource source) {
    return new Rows(source, false);
  }

  /** Columns that a function computes batch by batch from other columns. */
  static Computed computed(List<String> read, Schema schema, BatchFunction function) {
    return new Computed(read, schema, function, Optional.empty());
  }

  /** Columns in which all rows are null; nothing is written but the schema. */
  static Nulls nulls(Schema schema) {
    return new Nulls(schema);
  }

  /**
   * Columns by expressions, which see the table as it was before. If all are constant nulls,
   * nothing is written but the schema.
   *
   * @param byName the expressions in the order of the new columns
   */
  record Expressions(Map<String, String> byName) implements NewColumns {
    public Expressions {
      byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
      if (byName.isEmpty()) {
        throw new InvalidInputException("There are no columns to add");
      }
    }

    /**
     * These columns and another one.
     *
     * @throws InvalidInputException if there is one of this name already
     */
    public Expressions and(String name, String expression) {
      Map<String, String> more = new LinkedHashMap<>(byName);
      if (more.put(name, expression) != null) {
        throw new InvalidInputException("Column '" + name + "' is added twice");
      }
      return new Expressions(more);
    }
  }

  /**
   * Columns from elsewhere.
   *
   * @param source used up, but not closed
   * @param externalBlobs whether blobs may lie in objects outside of the table and its base paths
   */
  record Rows(BatchSource source, boolean externalBlobs) implements NewColumns {
    /** The same, where blobs may be given by the URIs of objects that the table does not own. */
    public Rows withExternalBlobs() {
      return new Rows(source, true);
    }
  }

  /**
   * Columns by a function.
   *
   * @param read the columns that it needs; blobs are given by their bytes
   * @param schema of what it gives
   * @param function called with the batches of each fragment in order
   * @param checkpoints what was computed is found there when the same is tried again
   */
  record Computed(
      List<String> read, Schema schema, BatchFunction function, Optional<Checkpoints> checkpoints)
      implements NewColumns {
    public Computed {
      read = List.copyOf(read);
    }

    /** The same, going on after a failure from what is kept there. */
    public Computed resumingFrom(Checkpoints kept) {
      return new Computed(read, schema, function, Optional.of(kept));
    }
  }

  /**
   * Columns without values.
   *
   * @param schema of the columns, all nullable
   */
  record Nulls(Schema schema) implements NewColumns {}
}
