package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter in Substrait chooses the same rows in both libraries. */
@WithOracle
class SubstraitInteropTest {
  // id > 5 on the columns id and s, as a producer other than substrait-java wrote it.
  private static final String ID_ABOVE_FIVE =
      "0a1e0801121a2f66756e6374696f6e735f636f6d70617269736f6e2e79616d6c120a1a08080110011a0267741a"
          + "260a1e1a1c08011a040a021001220a1a0812060a021200220022061a040a0228051a046f757430"
          + "22170a0269640a0173120e0a042a0210010a04620210011802";

  @TempDir private Path folder;

  @Test
  void bothLibrariesChooseTheSameRows() {
    String uri = folder.resolve("rows.lance").toString();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowTable rows = rows(allocator)) {
      Oracle.shared().create(uri, "2.1", rows);
      try (ArrowTable theirs =
              Oracle.shared()
                  .fetch(
                      "scan", Oracle.args(uri).put("substraitFilter", ID_ABOVE_FIVE), allocator);
          Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
          ArrowTable ours =
              Tables.drain(
                  dataset
                      .scan()
                      .whereSubstrait(ByteBuffer.wrap(HexFormat.of().parseHex(ID_ABOVE_FIVE)))
                      .open(),
                  allocator)) {
        assertThat(theirs.rowCount()).isEqualTo(4);
        TableAssert.assertEqual(theirs, ours);
      }
    }
  }

  private static ArrowTable rows(BufferAllocator allocator) {
    IntVector ids = new IntVector("id", allocator);
    VarCharVector texts = new VarCharVector("s", allocator);
    for (int i = 0; i < 10; i++) {
      ids.setSafe(i, i);
      texts.setSafe(i, new Text("row " + i));
    }
    ids.setValueCount(10);
    texts.setValueCount(10);
    return ArrowTable.of(ids, texts);
  }
}
