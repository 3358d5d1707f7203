package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.FlatColumns;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Indices of the set of rows of each value. */
public final class BitmapKind implements ScalarKind {
  @Override
  public String name() {
    return "bitmap";
  }

  @Override
  public String displayName() {
    return "Bitmap";
  }

  @Override
  public String typeUrl() {
    return "/lance.table.BitmapIndexDetails";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public int maxVersion() {
    return 0;
  }

  @Override
  public boolean builds(ScalarIndexSpec spec) {
    return spec instanceof ScalarIndexSpec.Bitmap;
  }

  @Override
  public void check(LanceField field) {
    FlatColumns.check(field, "A bitmap");
  }

  @Override
  public RowNumbers numbers() {
    return RowNumbers.IDS;
  }

  @Override
  public boolean isRemappable() {
    return true;
  }

  @Override
  public Support support(ScalarQuery query, SegmentFiles files) {
    boolean ofLists = query instanceof ScalarQuery.HasAny || query instanceof ScalarQuery.HasAll;
    return ofLists ? Support.NONE : Support.EXACT;
  }

  @Override
  public ScalarIndexSpec settings(SegmentFiles files) {
    return ScalarIndexSpec.bitmap();
  }

  @Override
  public void write(SegmentInput input, ScalarIndexSpec spec, SegmentWriter out) {
    write(input, input.domain(), out);
  }

  private static <S extends RowSet<S>> void write(
      SegmentInput input, RowDomain<S> domain, SegmentWriter out) {
    Field values = FlatColumns.values(input.field());
    List<ArrayBatchReader.Source> sources = BitmapSources.old(input, values, domain);
    sources.add(BitmapSources.grouped(input, input.rows(), values, domain));
    BitmapWriter.write(input, values, domain, sources, out, file -> {});
  }

  @Override
  public <S extends RowSet<S>> ScalarSegment<S> open(
      SegmentFiles files, RowDomain<S> rows, BufferAllocator allocator) {
    Field values = FlatColumns.values(files.field());
    return BitmapSegment.open(files, values, rows, allocator);
  }
}
