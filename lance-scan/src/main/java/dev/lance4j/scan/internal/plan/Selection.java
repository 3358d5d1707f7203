package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.ValueForm;
import dev.lance4j.scan.internal.column.VirtualColumn;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Which columns a scan gives.
 *
 * @param items what was selected, in order; null for all columns of the table
 * @param added virtual columns at the end
 * @param form how values are given
 */
public record Selection(List<Item> items, Set<VirtualColumn> added, ValueForm form) {
  // The order in which virtual columns are added, whatever the order of the calls.
  private static final List<VirtualColumn> LAST =
      List.of(
          VirtualColumn.ROW_OFFSET,
          VirtualColumn.CREATED_VERSION,
          VirtualColumn.LAST_UPDATED_VERSION,
          VirtualColumn.ROW_ID,
          VirtualColumn.ROW_ADDRESS);

  /** All columns of a table. */
  public static final Selection ALL = new Selection(null, Set.of(), ValueForm.DESCRIBED);

  private static final String EVERYTHING = "*";

  /**
   * A column to give.
   *
   * @param name what to call it
   * @param path the path to a column; null if it is computed
   * @param expression what computes it; null if it is a column
   */
  public record Item(String name, String path, Expression expression) {}

  /** One more column, the first one in place of all. */
  public Selection and(List<Item> more) {
    List<Item> all = items == null ? new ArrayList<>() : new ArrayList<>(items);
    all.addAll(more);
    return new Selection(List.copyOf(all), added, form);
  }

  /** One more virtual column. */
  public Selection with(VirtualColumn column) {
    Set<VirtualColumn> more = EnumSet.of(column);
    more.addAll(added);
    return new Selection(items, more, form);
  }

  /** The same with values in another form. */
  public Selection with(ValueForm other) {
    return new Selection(items, added, other);
  }

  /**
   * The columns, found in the schema of a table.
   *
   * @throws InvalidInputException if there is no such column or two have the same name
   */
  public List<OutputColumn> columns(LanceSchema table) {
    return columns(table, List.of());
  }

  /**
   * As above, with what a search adds, which comes after the columns of the table unless it is
   * selected.
   */
  public List<OutputColumn> columns(LanceSchema table, List<Field> found) {
    OutputColumns known = new OutputColumns(table, form, found);
    List<OutputColumn> columns = new ArrayList<>();
    if (items == null) {
      columns.addAll(known.all());
    } else {
      items.forEach(item -> add(item, known, columns));
    }
    columns.removeIf(column -> isAdded(column));
    for (Field field : found) {
      OutputColumn column = known.named(field.getName(), field.getName());
      if (!columns.contains(column)) {
        columns.add(column);
      }
    }
    for (VirtualColumn column : LAST) {
      if (added.contains(column)) {
        columns.add(new OutputColumn.Place(column, column.field()));
      }
    }
    requireDistinctNames(columns);
    return columns;
  }

  private static void add(Item item, OutputColumns known, List<OutputColumn> columns) {
    if (item.expression() != null) {
      columns.add(known.computed(item.name(), item.expression()));
    } else if (item.path().equals(EVERYTHING)) {
      columns.addAll(known.all());
    } else {
      columns.add(known.named(item.name(), item.path()));
    }
  }

  private boolean isAdded(OutputColumn column) {
    return column instanceof OutputColumn.Place place
        && added.contains(place.column())
        && place.field().getName().equals(place.column().columnName());
  }

  private static void requireDistinctNames(List<OutputColumn> columns) {
    Set<String> names = new HashSet<>();
    for (OutputColumn column : columns) {
      String name = column.field().getName();
      if (!names.add(name)) {
        throw new InvalidInputException(
            "Two columns of the scan are called '" + name + "'; give one of them another name");
      }
    }
  }
}
