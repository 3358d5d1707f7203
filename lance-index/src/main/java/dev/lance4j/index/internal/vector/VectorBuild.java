package dev.lance4j.index.internal.vector;

import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.FileVersion;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.vector.BuiltSegment;
import dev.lance4j.index.vector.VectorIndexDetails;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.index.vector.VectorSegmentBuilder;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;

/** Builds segments of vector indices on a column, without committing them. */
public final class VectorBuild {
  private final IndexSource source;
  private final IndexedColumn column;
  private final IndexOptions options;

  public VectorBuild(IndexSource source, IndexedColumn column, IndexOptions options) {
    this.source = source;
    this.column = column;
    this.options = options;
  }

  private VectorSegmentBuilder builder(VectorIndexSpec spec) {
    return VectorSegmentBuilder.of(spec)
        .parallel(Runtime.getRuntime().availableProcessors(), options.executor())
        .memory(options.memoryBytes())
        .progress(options.progress());
  }

  private TableVectors vectors(List<FragmentMetadata> fragments) {
    return new TableVectors(source, column, fragments, options.progress());
  }

  /** A specification with what segments can share that are built apart. */
  public VectorIndexSpec prepare(VectorIndexSpec spec, List<FragmentMetadata> fragments) {
    return builder(spec).train(vectors(fragments));
  }

  /** A segment of the rows of some fragments. */
  public IndexSegment train(String name, VectorIndexSpec spec, List<FragmentMetadata> fragments) {
    TableVectors vectors = vectors(fragments);
    Table table = source.version().table();
    UUID uuid = UUID.randomUUID();
    BuiltSegment built =
        builder(spec)
            .build(
                vectors,
                table.store(),
                table.indexPath(uuid),
                FileVersion.V2_1,
                source.allocator());
    RoaringBitmap covered = new RoaringBitmap();
    fragments.forEach(fragment -> covered.add((int) fragment.id()));
    IndexDetails details = VectorIndexDetails.of(spec, vectors.column().dimension());
    int version = VectorIndexDetails.formatVersion(spec.type());
    return segment(uuid, name, details, version, covered, built);
  }

  /**
   * A segment of the rows of older ones and of fragments that they do not cover.
   *
   * @param old older segments, at least one, with the same model
   * @param rows how the rows of each go into the new one
   * @param model whose name, details and version the new one has
   * @param fragments whose rows are added
   * @param covered the fragments that the segment covers
   */
  public IndexSegment merge(
      List<VectorSegment> old,
      List<RowTranslation> rows,
      IndexMetadata model,
      List<FragmentMetadata> fragments,
      RoaringBitmap covered) {
    Table table = source.version().table();
    UUID uuid = UUID.randomUUID();
    BuiltSegment built =
        builder(VectorIndexSpec.of(old.get(0).type()))
            .merge(
                old,
                rows,
                fragments.isEmpty() ? null : vectors(fragments),
                table.store(),
                table.indexPath(uuid),
                FileVersion.V2_1,
                source.allocator());
    IndexDetails details =
        model
            .details()
            .orElseGet(
                () ->
                    VectorIndexDetails.of(
                        VectorIndexSpec.of(old.get(0).type()).metric(old.get(0).metric()),
                        old.get(0).dimension()));
    int version = VectorIndexDetails.formatVersion(old.get(0).type());
    return segment(uuid, model.name(), details, version, covered, built);
  }

  private IndexSegment segment(
      UUID uuid,
      String name,
      IndexDetails details,
      int version,
      RoaringBitmap covered,
      BuiltSegment built) {
    return new IndexSegment(
        new IndexMetadata(
            uuid,
            List.of(column.field().id()),
            name,
            source.version().version(),
            RoaringBytes.toBytes(covered),
            Optional.of(details),
            OptionalInt.of(version),
            OptionalLong.of(System.currentTimeMillis()),
            OptionalInt.empty(),
            built.files(),
            UnknownFieldSet.getDefaultInstance()));
  }
}
