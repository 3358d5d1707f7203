package dev.lance4j.interop.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bit-packed integers of every width: both libraries write the same bytes, which read back. The
 * real library packs a column only when that makes it a good deal smaller, so that not all groups
 * are wide.
 */
@WithOracle
class PackedBytesTest {
  private static final int GROUP = 1024;
  // Three groups and the beginning of a fourth.
  private static final int ROWS = 3 * GROUP + 100;

  private final BufferAllocator allocator = new RootAllocator();
  private final SplittableRandom random = new SplittableRandom(11);

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @CsvSource({"8,2.1", "16,2.1", "32,2.1", "64,2.1", "8,2.2", "16,2.2", "32,2.2", "64,2.2"})
  void areTheSameAsThoseOfTheRealLibrary(int bits, String version) throws IOException {
    Path ours = folder.resolve("ours.lance");
    Path theirs = folder.resolve("theirs.lance");
    FieldVector[] columns = new FieldVector[bits - 1];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = column(bits, i + 1);
    }
    try (ArrowTable table = ArrowTable.of(columns)) {
      Oracle.shared().writeFile(theirs, version, table);
      write(ours, FileVersion.parse(version), table);
      for (int i = 0; i < columns.length; i++) {
        String name = columns[i].getName();
        Set<String> features = PageFeatures.of(theirs, i);
        assertThat(features).as(name).contains("inline_bitpacking");
        // The positions in a dictionary depend on the order of its values, which is not prescribed.
        if (!features.contains("num_dictionary_items")) {
          assertThat(PageFeatures.buffers(ours, i))
              .as(name)
              .isEqualTo(PageFeatures.buffers(theirs, i));
        }
        FileChecks.check(theirs, table, name, allocator);
      }
    }
  }

  /** Random values, in the first group of this width, and of half of it in the others. */
  private FieldVector column(int bits, int width) {
    Field field = Field.nullable("width " + width, new ArrowType.Int(bits, true));
    FieldVector vector = field.createVector(allocator);
    vector.setInitialCapacity(ROWS);
    vector.allocateNew();
    for (int i = 0; i < ROWS; i++) {
      int groupWidth = i < GROUP ? width : (width + 1) / 2;
      long top = i % GROUP == 0 ? 1L << (groupWidth - 1) : 0;
      long value = random.nextLong() >>> (Long.SIZE - groupWidth);
      ((BaseIntVector) vector).setWithPossibleTruncate(i, value | top);
    }
    vector.setValueCount(ROWS);
    return vector;
  }

  private void write(Path file, FileVersion version, ArrowTable table) {
    try (LanceFileWriter writer =
        LanceFileWriter.create(file.toString(), table.root().getSchema(), version, allocator)) {
      writer.write(table.root());
      writer.finish();
    }
  }
}
