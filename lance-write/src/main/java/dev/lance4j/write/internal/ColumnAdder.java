package dev.lance4j.write.internal;

import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Writes new columns of fragments, each to one more data file. */
final class ColumnAdder {
  private static final LanceSchema NOTHING = new LanceSchema(List.of(), Map.of());

  private final Scan.Source source;
  private final LanceSchema columns;
  private final LanceSchema after;

  /**
   * @param source the version that the fragments are of
   * @param columns to write
   * @param after the schema that the table will have
   */
  ColumnAdder(Scan.Source source, LanceSchema columns, LanceSchema after) {
    this.source = source;
    this.columns = columns;
    this.after = after;
  }

  /**
   * All fragments with the columns. When it fails, the files are removed unless the values are to
   * be found there next time.
   */
  List<FragmentMetadata> addAll(ColumnValues values) {
    return addAll(values, fragment -> true);
  }

  /** As above, leaving fragments as they are for which a condition does not hold. */
  List<FragmentMetadata> addAll(ColumnValues values, Predicate<FragmentMetadata> wanted) {
    TableVersion version = source.version();
    List<FragmentMetadata> added = new ArrayList<>();
    boolean complete = false;
    try {
      for (FragmentMetadata fragment : version.manifest().fragments()) {
        added.add(wanted.test(fragment) ? add(fragment, values) : fragment);
      }
      values.end();
      complete = true;
      return added;
    } finally {
      if (!complete && !values.keepsFiles()) {
        WrittenFiles.remove(version, added);
      }
    }
  }

  /** One fragment with the columns. */
  FragmentMetadata add(FragmentMetadata fragment, ColumnValues values) {
    DataFile file = values.finished(fragment).orElseGet(() -> write(fragment, values));
    return FragmentFileLists.with(fragment, file, after);
  }

  private DataFile write(FragmentMetadata fragment, ColumnValues values) {
    TableVersion version = source.version();
    try (FragmentReader reader = FragmentReader.open(version, fragment, NOTHING, source.session());
        ColumnFileWriter writer = ColumnFileWriter.ofLiveRows(source, reader, columns, values)) {
      values.write(fragment, writer);
      DataFile file = writer.finish();
      values.finish(fragment, file);
      return file;
    }
  }
}
