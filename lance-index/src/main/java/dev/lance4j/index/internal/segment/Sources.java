package dev.lance4j.index.internal.segment;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import java.util.List;
import java.util.function.Consumer;

/** What is done with sources of batches in many places. */
public final class Sources {
  private Sources() {}

  /**
   * Uses all batches that a source still has.
   *
   * @param source stays the caller's
   * @param use of a batch, which is closed after it
   */
  public static void forEach(ArrayBatchReader.Source source, Consumer<ArrayBatch> use) {
    while (true) {
      try (ArrayBatch batch = source.next()) {
        if (batch == null) {
          return;
        }
        use.accept(batch);
      }
    }
  }

  /** Closes all sources; a failure is thrown when all are closed. */
  public static void closeAll(List<? extends ArrayBatchReader.Source> sources) {
    RuntimeException failure = null;
    for (ArrayBatchReader.Source source : sources) {
      try {
        source.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
