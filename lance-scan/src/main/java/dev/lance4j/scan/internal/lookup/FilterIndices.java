package dev.lance4j.scan.internal.lookup;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.IndexCatalog;
import dev.lance4j.scan.Scan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The indices on the columns of a filter.
 *
 * @param usable in the order in which they are asked
 * @param unused why others are not used, a sentence for each
 */
record FilterIndices(List<FilterIndex> usable, List<String> unused) {
  private static final FilterIndices NONE = new FilterIndices(List.of(), List.of());

  FilterIndices {
    usable = List.copyOf(usable);
    unused = List.copyOf(unused);
  }

  /**
   * Finds the indices on some columns.
   *
   * @param columns each as the names from a top-level column down
   */
  static FilterIndices on(List<List<String>> columns, Scan.Source source) {
    if (source.version().indices().isEmpty()) {
      return NONE;
    }
    Set<Integer> fieldIds = new HashSet<>();
    for (List<String> column : columns) {
      addFieldId(column, source.version().manifest().schema(), fieldIds);
    }
    IndexCatalog catalog =
        IndexCatalog.of(
            new IndexSource(source.version(), source.session(), source.allocator()), fieldIds);
    List<FilterIndex> usable =
        catalog.scalar().stream().<FilterIndex>map(StoredIndex::new).toList();
    return new FilterIndices(usable, catalog.unused());
  }

  private static void addFieldId(List<String> column, LanceSchema schema, Set<Integer> fieldIds) {
    LanceField field = schema.field(column.get(0));
    for (String name : column.subList(1, column.size())) {
      field = field == null ? null : field.child(name);
    }
    if (field != null) {
      fieldIds.add(field.id());
    }
  }
}
