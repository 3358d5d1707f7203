package dev.lance4j.index.internal.scalar;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.IndexKinds;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.IndexedRows;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/** Builds segments of scalar indices on a column, without committing them. */
public final class ScalarBuild {
  private final IndexSource source;
  private final IndexedColumn column;
  private final IndexOptions options;

  public ScalarBuild(IndexSource source, IndexedColumn column, IndexOptions options) {
    this.source = source;
    this.column = column;
    this.options = options;
  }

  /** A segment of the rows of some fragments. */
  public IndexSegment train(String name, ScalarIndexSpec spec, List<FragmentMetadata> fragments) {
    RoaringBitmap covered = new RoaringBitmap();
    fragments.forEach(fragment -> covered.add((int) fragment.id()));
    return build(name, spec, List.of(), fragments, covered);
  }

  /**
   * A segment of the rows of older ones and of fragments that they do not cover.
   *
   * @param spec of the older segments' kind
   * @param old older segments
   * @param fragments whose rows are added
   * @param covered the fragments that the segment covers
   */
  public IndexSegment build(
      String name,
      ScalarIndexSpec spec,
      List<SegmentInput.Old> old,
      List<FragmentMetadata> fragments,
      RoaringBitmap covered) {
    ScalarKind kind = IndexKinds.of(spec);
    try (SegmentWriter out = new SegmentWriter(source.version().table(), source.allocator());
        IndexedRows rows =
            new IndexedRows(source, column, fragments, kind.numbers(), options.progress())) {
      SegmentInput input =
          new SegmentInput(
              column.field(),
              old,
              rows,
              rows.schema(),
              new SortedRows.Memory(options.memoryBytes(), options.spillFolder().orElse(null)),
              source.allocator(),
              options.progress());
      kind.write(input, spec, out);
      return new IndexSegment(
          new IndexMetadata(
              out.uuid(),
              List.of(column.field().id()),
              name,
              source.version().version(),
              RoaringBytes.toBytes(covered),
              Optional.of(new IndexDetails(kind.typeUrl(), ByteString.EMPTY)),
              OptionalInt.of(kind.version()),
              OptionalLong.of(System.currentTimeMillis()),
              OptionalInt.empty(),
              out.finish(),
              UnknownFieldSet.getDefaultInstance()));
    }
  }
}
