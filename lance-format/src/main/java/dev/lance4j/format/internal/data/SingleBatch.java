package dev.lance4j.format.internal.data;

/** One batch, or none. */
public final class SingleBatch implements ArrayBatchReader.Source {
  private ArrayBatch batch;

  /**
   * @param batch taken over; null for none
   */
  public SingleBatch(ArrayBatch batch) {
    this.batch = batch;
  }

  @Override
  public ArrayBatch next() {
    ArrayBatch result = batch;
    batch = null;
    return result;
  }

  @Override
  public void close() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }
}
