package dev.lance4j.index.vector;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.vector.internal.build.ModelTraining;
import dev.lance4j.index.vector.internal.build.OldRows;
import dev.lance4j.index.vector.internal.build.SegmentBuild;
import dev.lance4j.index.vector.internal.hnsw.HnswOptions;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.storage.SegmentModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Builds segments of vector indices: learns from a sample, reads all vectors once, and writes the
 * segment's files. Immutable: each method returns a refined copy.
 *
 * <p>Rows whose vector is null, or has a component that is null or not finite, are left out, and for
 * cosine those whose vector is zero.
 *
 * @param spec what to build
 * @param threads the most threads to use, the caller's included
 * @param executor runs the others
 * @param memoryBytes how much memory rows may take until they are written; what does not fit goes
 *     into temporary files
 * @param progress hears how far the build is
 */
public record VectorSegmentBuilder(
    VectorIndexSpec spec,
    int threads,
    Executor executor,
    long memoryBytes,
    IndexProgress progress) {
  private static final long DEFAULT_MEMORY = 1L << 30;

  /** Builds in the caller's thread, with 1 GiB of memory for rows. */
  public static VectorSegmentBuilder of(VectorIndexSpec spec) {
    return new VectorSegmentBuilder(spec, 1, Runnable::run, DEFAULT_MEMORY, IndexProgress.NONE);
  }

  /** With more threads. */
  public VectorSegmentBuilder parallel(int newThreads, Executor newExecutor) {
    return new VectorSegmentBuilder(spec, newThreads, newExecutor, memoryBytes, progress);
  }

  /** With another amount of memory for rows. */
  public VectorSegmentBuilder memory(long bytes) {
    return new VectorSegmentBuilder(spec, threads, executor, bytes, progress);
  }

  /** With somebody who hears how far the build is. */
  public VectorSegmentBuilder progress(IndexProgress listener) {
    return new VectorSegmentBuilder(spec, threads, executor, memoryBytes, listener);
  }

  private ParallelRanges ranges() {
    return threads <= 1 ? ParallelRanges.SEQUENTIAL : new ParallelRanges(executor, threads);
  }

  /**
   * Learns what segments can share that are built apart: the same specification with centroids,
   * and with a codebook in product quantization.
   *
   * @throws InvalidInputException if there are too few vectors, or the column cannot have such an
   *     index
   */
  public VectorIndexSpec train(VectorSource source) {
    SegmentModel model = ModelTraining.train(spec, source, progress, ranges());
    return model.shared(spec);
  }

  /**
   * Builds a segment. No file is left if that fails.
   *
   * @param directory takes the files; must have none
   * @param version of the files, 2.0 at least
   * @param allocator for rows on their way; must outlive the call
   * @throws InvalidInputException if there are too few vectors, or the column cannot have such an
   *     index
   */
  public BuiltSegment build(
      VectorSource source,
      ObjectStore store,
      String directory,
      FileVersion version,
      BufferAllocator allocator) {
    SegmentModel model = ModelTraining.train(spec, source, progress, ranges());
    HnswOptions graphs =
        new HnswOptions(spec.maxLevel(), spec.maxConnections(), spec.constructionEf());
    return build(model, graphs, store, directory, version, allocator).run(List.of(), source);
  }

  /**
   * Writes a segment with the rows of others, and with further ones: merges segments, brings one up
   * to date, or gives its rows other numbers. The others' model is taken over, whatever the
   * specification. No file is left if that fails.
   *
   * @param old at least one segment, and how the rows of each go into the new one
   * @param added vectors of rows that are in none of them; null for none
   * @param directory takes the files; must have none
   * @param version of the files, 2.0 at least
   * @param allocator for rows on their way; must outlive the call
   * @throws InvalidInputException if the segments were not built with the same model
   */
  public BuiltSegment merge(
      List<VectorSegment> old,
      List<RowTranslation> translations,
      VectorSource added,
      ObjectStore store,
      String directory,
      FileVersion version,
      BufferAllocator allocator) {
    SegmentModel model = old.get(0).model();
    List<OldRows> rows = new ArrayList<>();
    for (int i = 0; i < old.size(); i++) {
      if (!model.fits(old.get(i).model())) {
        throw new InvalidInputException(
            "Segments that were trained apart cannot be merged: their centroids or codes differ;"
                + " build the index anew");
      }
      rows.add(new OldRows(old.get(i).partitions(), translations.get(i)));
    }
    return build(model.forScans(), old.get(0).graphOptions(), store, directory, version, allocator)
        .run(rows, added);
  }

  private SegmentBuild build(
      SegmentModel model,
      HnswOptions graphs,
      ObjectStore store,
      String directory,
      FileVersion version,
      BufferAllocator allocator) {
    FileVersion atLeast = version.atLeast(FileVersion.V2_0) ? version : FileVersion.V2_0;
    return new SegmentBuild(
        graphs,
        spec.seed(),
        model,
        store,
        directory,
        atLeast,
        memoryBytes,
        progress,
        ranges(),
        allocator);
  }
}
