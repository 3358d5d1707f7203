package dev.lance4j.write.internal;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import java.util.ArrayList;
import java.util.List;

/** Gives the batches of another source and keeps the arrays of the last one at hand. */
final class KeptBatches implements ArrayBatchReader.Source {
  private final ArrayBatchReader.Source source;
  private List<ArrayData> kept = List.of();

  /**
   * @param source closed with this
   */
  KeptBatches(ArrayBatchReader.Source source) {
    this.source = source;
  }

  @Override
  public ArrayBatch next() {
    drop();
    ArrayBatch batch = source.next();
    if (batch != null) {
      kept = batch.arrays().stream().map(ArrayData::retain).toList();
    }
    return batch;
  }

  /** The first arrays of the last batch, which from now on are the caller's. */
  List<ArrayData> take(int count) {
    List<ArrayData> taken = new ArrayList<>(kept.subList(0, count));
    kept.subList(count, kept.size()).forEach(ArrayData::close);
    kept = List.of();
    return taken;
  }

  private void drop() {
    kept.forEach(ArrayData::close);
    kept = List.of();
  }

  @Override
  public void close() {
    drop();
    source.close();
  }
}
