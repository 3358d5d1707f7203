package dev.lance4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.Dataset;
import dev.lance4j.WriteMode;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.*;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.*;

/** Creates a table of songs, appends, reads back, takes rows, and travels in time. */
public final class QuickStart {
  public static void main(String[] args) throws IOException {
    Field item = Field.nullable("item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
    FieldType vector = FieldType.nullable(new ArrowType.FixedSizeList(3));
    Field title = Field.nullable("title", ArrowType.Utf8.INSTANCE);
    Schema schema = new Schema(List.of(title, new Field("embedding", vector, List.of(item))));
    try (RootAllocator allocator = new RootAllocator();
        VectorSchemaRoot songs = VectorSchemaRoot.create(schema, allocator)) {
      fill(songs, "Sinnerman", "Feeling Good", "Strange Fruit");
      try (Dataset created =
          Dataset.write(args[0] + "/songs.lance").mode(WriteMode.OVERWRITE).from(songs)) {
        fill(songs, "Wild Is the Wind", "Four Women");
        try (Dataset appended = created.append(songs);
            Dataset before = appended.checkout(created.version())) {
          print("All " + appended.countRows() + " rows", appended.scan().withRowId().open());
          print("Rows 4 and 0", appended.take(new long[] {4, 0}, "title", "embedding"));
          print("Before the append", before.scan().select("title").open());
        }
      }
    }
  }

  private static void fill(VectorSchemaRoot songs, String... titles) {
    FixedSizeListVector embeddings = (FixedSizeListVector) songs.getVector("embedding");
    for (int i = 0; i < titles.length; i++) {
      ((VarCharVector) songs.getVector("title")).setSafe(i, titles[i].getBytes(UTF_8));
      embeddings.setNotNull(i);
      for (int d = 0; d < 3; d++) {
        ((Float4Vector) embeddings.getDataVector()).setSafe(3 * i + d, titles[i].charAt(d) / 100f);
      }
    }
    songs.setRowCount(titles.length);
  }

  private static void print(String heading, ArrowReader rows) throws IOException {
    System.out.println("== " + heading);
    try (rows) {
      while (rows.loadNextBatch()) {
        System.out.println(rows.getVectorSchemaRoot().contentToTSVString());
      }
    }
  }
}
