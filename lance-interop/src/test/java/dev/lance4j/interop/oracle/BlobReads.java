package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.lance.BlobFile;
import org.lance.Dataset;

/** Reads whole values of a blob column. */
final class BlobReads {
  private BlobReads() {}

  /** The bytes by row position ({@code offsets}) or by row id ({@code rowIds}). */
  static List<byte[]> read(Dataset dataset, JsonNode args) throws IOException {
    String column = args.get("column").asText();
    List<BlobFile> blobs =
        args.has("offsets")
            ? dataset.takeBlobsByIndices(OracleContext.longs(args.get("offsets")), column)
            : dataset.takeBlobs(OracleContext.longs(args.get("rowIds")), column);
    List<byte[]> values = new ArrayList<>();
    for (BlobFile blob : blobs) {
      try (blob) {
        values.add(blob.read());
      }
    }
    return values;
  }
}
