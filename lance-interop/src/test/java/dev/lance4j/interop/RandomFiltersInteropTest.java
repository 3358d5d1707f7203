package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.Dataset;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.testing.RandomConditions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random conditions choose the same rows in both libraries. */
@WithOracle
class RandomFiltersInteropTest {
  private static final int ROWS = 300;
  private static final int CONDITIONS = Integer.getInteger("lance4j.filters", 400);
  // The real library merges lists of one column and loses nulls, see docs/differences.md.
  private static final Pattern TWO_LISTS = Pattern.compile("IN \\(.*IN \\(", Pattern.DOTALL);
  private static final String ROW_ID = "_rowid";

  @TempDir private Path folder;

  @Test
  void bothLibrariesChooseTheSameRows() {
    long seed = Long.getLong("lance4j.seed", System.nanoTime());
    RandomConditions generator = new RandomConditions(new Random(seed));
    String uri = folder.resolve("rows.lance").toString();
    List<String> differences = new ArrayList<>();
    int compared = 0;
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot rows = RandomConditions.batch(generator.rows(ROWS), allocator);
        Dataset dataset =
            Dataset.write(uri).allocator(allocator).maxRowsPerFile(ROWS / 3).from(rows)) {
      for (int i = 0; i < CONDITIONS; i++) {
        String condition = generator.condition(3).text();
        if (TWO_LISTS.matcher(condition).find()) {
          continue;
        }
        String ours = ours(dataset, condition);
        String theirs = theirs(uri, condition, allocator);
        // Which operands are looked at when a row cannot be computed is up to the library.
        if (ours.isEmpty() || theirs.isEmpty()) {
          continue;
        }
        compared++;
        if (!ours.equals(theirs)) {
          differences.add(condition + "\n  ours   " + ours + "\n  theirs " + theirs);
        }
      }
    }
    assertThat(differences).as("with seed %d", seed).isEmpty();
    assertThat(compared).as("conditions without an error").isGreaterThan(CONDITIONS / 2);
  }

  /** The ids of the rows, or nothing if one cannot be computed. */
  private static String ours(Dataset dataset, String condition) {
    try (ArrowTable table =
        Tables.drain(dataset.scan().where(condition).select(ROW_ID).open(), dataset.allocator())) {
      return ids(table);
    } catch (InvalidInputException e) {
      assertThat(e).as(condition).hasMessageMatching("(?s).*(by zero|overflow).*");
      return "";
    }
  }

  private static String theirs(String uri, String condition, BufferAllocator allocator) {
    try (ArrowTable table = Oracle.shared().scanWhere(uri, condition, allocator, ROW_ID)) {
      return ids(table);
    } catch (OracleError e) {
      assertThat(e).as(condition).hasMessageMatching("(?s).*([Oo]verflow|by zero).*");
      return "";
    }
  }

  private static String ids(ArrowTable table) {
    UInt8Vector ids = (UInt8Vector) table.column(ROW_ID);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < table.rowCount(); i++) {
      texts.add(Long.toUnsignedString(ids.get(i)));
    }
    return "rows " + String.join(",", texts);
  }
}
