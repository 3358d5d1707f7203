package dev.lance4j.scan.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.json.MalformedJsonbException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Which columns a scan gives, in order. Immutable. */
public final class ScanProjection {
  private final List<ScanColumn> columns;
  private final LanceSchema stored;

  private ScanProjection(List<ScanColumn> columns, Map<String, String> metadata) {
    this.columns = List.copyOf(columns);
    List<LanceField> fields = new ArrayList<>();
    for (ScanColumn column : columns) {
      if (column instanceof ScanColumn.Stored part) {
        fields.add(part.stored());
      }
    }
    this.stored = new LanceSchema(fields, metadata);
  }

  /** All columns of a schema. */
  public static ScanProjection all(LanceSchema schema) {
    List<ScanColumn> columns = new ArrayList<>(schema.fields().size());
    schema.fields().forEach(field -> columns.add(ScanColumn.Stored.of(field)));
    return new ScanProjection(columns, schema.metadata());
  }

  /**
   * Some columns; nested ones by dotted paths, virtual ones by their names.
   *
   * @throws dev.lance4j.format.InvalidInputException if there is no such column
   */
  public static ScanProjection of(LanceSchema schema, List<String> names) {
    List<String> storedNames = new ArrayList<>();
    for (String name : names) {
      if (ScanColumn.Virtual.named(name) == null) {
        storedNames.add(name);
      }
    }
    LanceSchema projected = schema.project(storedNames);
    refusePartsOfBlobs(schema.fields(), projected.fields());
    List<ScanColumn> columns = new ArrayList<>();
    List<String> done = new ArrayList<>();
    for (String name : names) {
      ScanColumn.Virtual virtual = ScanColumn.Virtual.named(name);
      if (virtual != null) {
        columns.add(virtual);
        continue;
      }
      LanceField field = projected.field(name);
      String top = field != null ? name : name.substring(0, name.indexOf('.'));
      if (!done.contains(top)) {
        done.add(top);
        columns.add(ScanColumn.Stored.of(projected.field(top)));
      }
    }
    return new ScanProjection(columns, schema.metadata());
  }

  private static void refusePartsOfBlobs(List<LanceField> fields, List<LanceField> projected) {
    Map<Integer, LanceField> whole = new HashMap<>();
    fields.forEach(field -> whole.put(field.id(), field));
    for (LanceField field : projected) {
      List<LanceField> all = whole.get(field.id()).children();
      if (BlobFields.isBlob(field) && field.children().size() < all.size()) {
        throw new InvalidInputException(
            "Column '" + field.name() + "' is a blob, of which no part can be selected; select it");
      }
      refusePartsOfBlobs(all, field.children());
    }
  }

  /** The columns of a schema, then all virtual ones: whatever an expression may use. */
  public static Schema allWithVirtual(LanceSchema schema) {
    List<Field> fields = new ArrayList<>(BlobFields.forConditions(schema).toArrow().getFields());
    for (ScanColumn.Virtual column : ScanColumn.Virtual.values()) {
      fields.add(column.field());
    }
    return new Schema(fields, schema.metadata());
  }

  /** These columns and one more at the end, unless it is there already. */
  public ScanProjection with(ScanColumn.Virtual column) {
    if (columns.contains(column)) {
      return this;
    }
    List<ScanColumn> more = new ArrayList<>(columns);
    more.add(column);
    return new ScanProjection(more, stored.metadata());
  }

  /** The same columns, with blobs as their bytes instead of their descriptors. */
  public ScanProjection withBlobBytes() {
    return mapStored(ScanColumn.Stored::withBlobBytes);
  }

  /** The same columns with their values as the schema of the table says: what expressions need. */
  public ScanProjection asStored() {
    return mapStored(ScanColumn.Stored::asStored);
  }

  private ScanProjection mapStored(UnaryOperator<ScanColumn.Stored> change) {
    List<ScanColumn> changed = new ArrayList<>(columns.size());
    for (ScanColumn column : columns) {
      changed.add(column instanceof ScanColumn.Stored part ? change.apply(part) : column);
    }
    return new ScanProjection(changed, stored.metadata());
  }

  /** The columns that files hold. */
  public LanceSchema stored() {
    return stored;
  }

  /** Whether a virtual column is asked for. */
  public boolean has(ScanColumn.Virtual column) {
    return columns.contains(column);
  }

  /** The schema of the batches. */
  public Schema schema() {
    List<Field> fields = new ArrayList<>(columns.size());
    columns.forEach(column -> fields.add(column.field()));
    return new Schema(fields, stored.metadata());
  }

  /**
   * Reads rows of a fragment.
   *
   * @param reader of the fragment and the stored columns
   * @return all columns in order, owned by the caller
   */
  public List<ArrayData> read(FragmentReader reader, FragmentRows rows) {
    BufferAllocator allocator = rows.source().allocator();
    List<ArrayData> arrays =
        stored.fields().isEmpty() ? List.of() : reader.read(rows.offsets(), allocator);
    return assemble(change(arrays, rows), rows, allocator);
  }

  /**
   * Turns binary JSON into text and descriptors into bytes where that is wanted.
   *
   * @param arrays of the stored columns, in order; taken over
   * @return owned by the caller
   */
  private List<ArrayData> change(List<ArrayData> arrays, FragmentRows rows) {
    List<ArrayData> result = new ArrayList<>(arrays);
    int next = 0;
    boolean complete = false;
    try {
      for (ScanColumn column : columns) {
        if (column instanceof ScanColumn.Stored part) {
          ArrayData read = result.get(next);
          result.set(next++, change(part, read, rows));
          read.close();
        }
      }
      complete = true;
      return result;
    } finally {
      if (!complete) {
        result.forEach(ArrayData::close);
      }
    }
  }

  private static ArrayData change(ScanColumn.Stored column, ArrayData read, FragmentRows rows) {
    Scan.Source source = rows.source();
    return switch (column.change()) {
      case NONE -> read.retain();
      case JSON_TEXT -> jsonText(column.stored(), read, rows);
      case BLOB_BYTES -> new BlobBytes(source, rows.fragment()).read(column.stored(), read);
    };
  }

  private static ArrayData jsonText(LanceField field, ArrayData read, FragmentRows rows) {
    try {
      return JsonColumn.toText(field, read, rows.source().allocator());
    } catch (MalformedJsonbException e) {
      throw JsonColumn.corrupt(rows.source(), rows.fragment(), field, e);
    }
  }

  /**
   * Puts stored and virtual columns in order.
   *
   * @param arrays of the stored columns, in order; taken over
   * @param rows where each row is
   * @return all columns, owned by the caller
   */
  private List<ArrayData> assemble(
      List<ArrayData> arrays, RowPositions rows, BufferAllocator allocator) {
    List<ArrayData> all = new ArrayList<>(columns.size());
    int next = 0;
    boolean complete = false;
    try {
      for (ScanColumn column : columns) {
        all.add(
            column instanceof ScanColumn.Virtual virtual
                ? numbers(rows.of(virtual), allocator)
                : arrays.get(next++));
      }
      complete = true;
      return all;
    } finally {
      if (!complete) {
        all.forEach(ArrayData::close);
        arrays.subList(next, arrays.size()).forEach(ArrayData::close);
      }
    }
  }

  private static ArrayData numbers(long[] values, BufferAllocator allocator) {
    ArrowBuf buffer = allocator.buffer(8L * values.length);
    for (int i = 0; i < values.length; i++) {
      buffer.setLong(8L * i, values[i]);
    }
    buffer.writerIndex(8L * values.length);
    return new ArrayData(values.length, 0, new ArrowBuf[] {null, buffer});
  }
}
