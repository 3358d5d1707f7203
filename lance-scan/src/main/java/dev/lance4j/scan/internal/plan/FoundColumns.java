package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.internal.column.ColumnNeed;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.VirtualColumn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of rows that a search found: first what the search says of them, then what is read.
 */
final class FoundColumns {
  private final LanceSchema table;
  private final List<Field> found;
  private final List<OutputColumn> read = new ArrayList<>();

  /**
   * @param found what the search says of a row
   */
  FoundColumns(LanceSchema table, List<Field> found) {
    this.table = table;
    this.found = found;
  }

  /** What is read of the rows. */
  List<OutputColumn> read() {
    return read;
  }

  /** The position of a column, which is read from now on unless the search gives it. */
  int position(OutputColumn column) {
    if (column instanceof OutputColumn.Found given) {
      return foundPosition(given.origin());
    }
    int at = read.indexOf(column);
    if (at < 0) {
      at = read.size();
      read.add(column);
    }
    return found.size() + at;
  }

  private int foundPosition(String name) {
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).getName().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether some columns, each given by a path, are not all of the table. */
  boolean usesFound(List<List<String>> paths) {
    return paths.stream().anyMatch(path -> foundPosition(path.get(0)) >= 0);
  }

  /** What an expression needs, which is read from now on. */
  BatchColumns input(List<List<String>> paths) {
    Set<OutputColumn> columns = new LinkedHashSet<>();
    for (ColumnNeed need : ColumnNeed.ofStored(paths, table)) {
      Field field = table.projectPaths(need.paths()).fields().get(0).toArrow();
      columns.add(new OutputColumn.Part(need, List.of(), OutputColumn.Change.NONE, field));
    }
    for (List<String> path : paths) {
      String name = path.get(0);
      if (table.field(name) == null) {
        VirtualColumn virtual = VirtualColumn.named(name);
        columns.add(
            virtual == null
                ? new OutputColumn.Found(name, found.get(foundPosition(name)))
                : new OutputColumn.Place(virtual, virtual.field()));
      }
    }
    int[] positions = columns.stream().mapToInt(this::position).toArray();
    return new BatchColumns(
        positions, new Schema(columns.stream().map(OutputColumn::field).toList()));
  }
}
