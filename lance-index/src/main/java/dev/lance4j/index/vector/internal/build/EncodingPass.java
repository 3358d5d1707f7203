package dev.lance4j.index.vector.internal.build;

import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.vector.VectorSource;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.storage.SegmentModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Reads all vectors, encodes them on many threads, and sorts the records by partition, in the order
 * in which the rows are read.
 */
final class EncodingPass {
  private final RecordEncoder encoder;
  private final Shuffle shuffle;
  private final ParallelRanges parallel;
  private final ArrayDeque<FutureTask<RecordEncoder.Encoded>> running = new ArrayDeque<>();
  private double loss;

  EncodingPass(SegmentModel model, Shuffle shuffle, ParallelRanges parallel) {
    this.encoder =
        new RecordEncoder(model.metric(), model.centroids(), model.quantization().quantizer());
    this.shuffle = shuffle;
    this.parallel = parallel;
  }

  /** Reads the vectors; the sum of their distances to their centroids. */
  double run(VectorSource source, BatchDecoder decoder, IndexProgress progress) {
    long rows = 0;
    long total = source.rowCount();
    progress.advanced("encoding rows", 0, total);
    try (ArrowReader reader = source.scan()) {
      while (reader.loadNextBatch()) {
        VectorBatch batch = decoder.decode(reader.getVectorSchemaRoot());
        start(batch);
        while (running.size() > 2 * parallel.threads()) {
          takeOldest();
        }
        rows += reader.getVectorSchemaRoot().getRowCount();
        progress.advanced("encoding rows", rows, total);
      }
      while (!running.isEmpty()) {
        takeOldest();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      running.forEach(task -> task.cancel(false));
    }
    return loss;
  }

  private void start(VectorBatch batch) {
    FutureTask<RecordEncoder.Encoded> task = new FutureTask<>(() -> encoder.encode(batch));
    running.add(task);
    if (parallel.threads() > 1) {
      try {
        parallel.executor().execute(task);
      } catch (RejectedExecutionException e) {
        task.run();
      }
    }
  }

  private void takeOldest() {
    FutureTask<RecordEncoder.Encoded> task = running.remove();
    // Does nothing unless no other thread had time for it.
    task.run();
    RecordEncoder.Encoded encoded = join(task);
    int recordBytes = encoded.count() == 0 ? 0 : encoded.records().length / encoded.count();
    for (int i = 0; i < encoded.count(); i++) {
      shuffle.add(encoded.partitions()[i], encoded.records(), i * recordBytes);
    }
    shuffle.spillIfNeeded();
    loss += encoded.loss();
  }

  private static RecordEncoder.Encoded join(FutureTask<RecordEncoder.Encoded> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
