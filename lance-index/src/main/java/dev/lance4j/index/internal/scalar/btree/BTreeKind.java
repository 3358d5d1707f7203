package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Sorted pages of values with the numbers of their rows. */
public final class BTreeKind implements ScalarKind {
  @Override
  public String name() {
    return "btree";
  }

  @Override
  public String displayName() {
    return "BTree";
  }

  @Override
  public String typeUrl() {
    return "/lance.table.BTreeIndexDetails";
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
    return spec instanceof ScalarIndexSpec.BTree;
  }

  @Override
  public void check(LanceField field) {
    Field values = values(field);
    if (!values.getChildren().isEmpty()) {
      throw new InvalidInputException(
          "A btree index can only be created on a non-nested field. Field '"
              + field.name()
              + "' has type "
              + field.logicalType());
    }
    if (!KeyType.has(values) || field.metadata().containsKey(BlobV2Fields.MARK)) {
      throw new InvalidInputException(
          "A btree index cannot be created on field '"
              + field.name()
              + "' of type "
              + field.logicalType()
              + ": choose a field of numbers, times, text or binary that is not dictionary encoded");
    }
  }

  /** The column of values: as the field's, but without a meaning that only applications know. */
  static Field values(LanceField field) {
    Field arrow = field.toArrow();
    ArrowType type = arrow.getType();
    ArrowType storage =
        type instanceof ArrowType.ExtensionType extension ? extension.storageType() : type;
    FieldType stored = new FieldType(true, storage, arrow.getDictionary());
    return new Field(PageFile.VALUES, stored, arrow.getChildren());
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
    boolean answers =
        query instanceof ScalarQuery.Equals
            || query instanceof ScalarQuery.In
            || query instanceof ScalarQuery.Range
            || query instanceof ScalarQuery.IsNull;
    return answers && KeyType.has(values(files.field())) ? Support.EXACT : Support.NONE;
  }

  @Override
  public ScalarIndexSpec settings(SegmentFiles files) {
    return new ScalarIndexSpec.BTree((int) Math.min(BTreeFiles.pageRows(files), Integer.MAX_VALUE));
  }

  @Override
  public void write(SegmentInput input, ScalarIndexSpec spec, SegmentWriter out) {
    BTreeBuild.write(input, (ScalarIndexSpec.BTree) spec, out);
  }

  @Override
  public <S extends RowSet<S>> ScalarSegment<S> open(
      SegmentFiles files, RowDomain<S> rows, BufferAllocator allocator) {
    BTreeFiles open = BTreeFiles.open(files, values(files.field()), allocator);
    return new BTreeSegment<>(files, open, rows);
  }
}
