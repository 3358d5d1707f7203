package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.InvalidInputException;
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
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Indices of the set of rows of each item of lists. Since version 1 they know which lists are null;
 * of earlier ones the answers must be checked, as the opposite of a condition needs to know.
 */
public final class LabelListKind implements ScalarKind {
  private static final int WITH_NULLS = 1;

  @Override
  public String name() {
    return "labellist";
  }

  @Override
  public String displayName() {
    return "LabelList";
  }

  @Override
  public String typeUrl() {
    return "/lance.table.LabelListIndexDetails";
  }

  @Override
  public int version() {
    return WITH_NULLS;
  }

  @Override
  public int maxVersion() {
    return WITH_NULLS;
  }

  @Override
  public boolean builds(ScalarIndexSpec spec) {
    return spec instanceof ScalarIndexSpec.LabelList;
  }

  @Override
  public void check(LanceField field) {
    ArrowType type = field.toArrow().getType();
    if (!(type instanceof ArrowType.List || type instanceof ArrowType.LargeList)) {
      throw new InvalidInputException(
          "LabelList index can only be created on List or LargeList type columns. Column has type "
              + type);
    }
    FlatColumns.check(item(field), "A label list");
  }

  private static LanceField item(LanceField list) {
    return list.children().get(0);
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
  public boolean canTakeOver(SegmentFiles files) {
    return knowsNulls(files);
  }

  private static boolean knowsNulls(SegmentFiles files) {
    return files.metadata().indexVersion().orElse(0) >= WITH_NULLS;
  }

  @Override
  public Support support(ScalarQuery query, SegmentFiles files) {
    boolean asksForItems =
        (query instanceof ScalarQuery.HasAny any && (any.nullToo() || !any.items().isEmpty()))
            || (query instanceof ScalarQuery.HasAll all
                && (all.nullToo() || !all.items().isEmpty()));
    if (!asksForItems) {
      return Support.NONE;
    }
    return knowsNulls(files) ? Support.EXACT : Support.CANDIDATES;
  }

  @Override
  public ScalarIndexSpec settings(SegmentFiles files) {
    return ScalarIndexSpec.labelList();
  }

  @Override
  public void write(SegmentInput input, ScalarIndexSpec spec, SegmentWriter out) {
    write(input, input.domain(), out);
  }

  private static <S extends RowSet<S>> void write(
      SegmentInput input, RowDomain<S> domain, SegmentWriter out) {
    Field items = FlatColumns.values(item(input.field()));
    RowSet.Builder<S> nulls = domain.builder();
    for (SegmentInput.Old old : input.old()) {
      nulls.addAll(ListNulls.takenOver(old, items, domain));
    }
    List<ArrayBatchReader.Source> sources = BitmapSources.old(input, items, domain);
    ListItems rows = new ListItems(input, items, nulls::add);
    sources.add(BitmapSources.grouped(input, rows, items, domain));
    BitmapWriter.write(
        input, items, domain, sources, out, file -> ListNulls.write(file, nulls.build()));
  }

  @Override
  public <S extends RowSet<S>> ScalarSegment<S> open(
      SegmentFiles files, RowDomain<S> rows, BufferAllocator allocator) {
    Field items = FlatColumns.values(item(files.field()));
    return LabelListSegment.open(files, items, rows, knowsNulls(files), allocator);
  }
}
