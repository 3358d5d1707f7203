package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Conversion;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Columns converted to other types. */
final class CastValues implements ColumnValues {
  private final Scan.Source source;
  private final LanceSchema before;
  private final LanceSchema after;
  private final int batchSize;

  /**
   * @param before the columns to read
   * @param after the same columns in the same shape, where fields with another id have another type
   */
  CastValues(Scan.Source source, LanceSchema before, LanceSchema after, int batchSize) {
    this.source = source;
    this.before = before;
    this.after = after;
    this.batchSize = batchSize;
  }

  @Override
  public void write(FragmentMetadata fragment, ColumnFileWriter writer) {
    BufferAllocator allocator = source.allocator();
    try (FragmentReader reader =
        FragmentReader.open(source.version(), fragment, before, source.session())) {
      RowRanges live = reader.liveRanges();
      for (long done = 0; done < live.rows(); done += batchSize) {
        RowRanges offsets = live.select(done, batchSize);
        List<ArrayData> read = reader.read(offsets, allocator);
        List<ArrayData> converted = new ArrayList<>();
        try {
          for (int i = 0; i < read.size(); i++) {
            LanceField from = before.fields().get(i);
            LanceField to = after.fields().get(i);
            converted.add(convert(from, to, read.get(i), from.name()));
          }
          writer.write(converted, (int) offsets.rows());
        } finally {
          read.forEach(ArrayData::close);
          converted.forEach(ArrayData::close);
        }
      }
    }
  }

  private ArrayData convert(LanceField from, LanceField to, ArrayData data, String path) {
    if (from.id() != to.id()) {
      return convertLeaf(from, to, data, path);
    }
    ArrayData[] children = new ArrayData[from.children().size()];
    int done = 0;
    try {
      for (; done < children.length; done++) {
        LanceField child = from.children().get(done);
        String childPath = path + '.' + child.name();
        children[done] = convert(child, to.children().get(done), data.child(done), childPath);
      }
      ArrowBuf validity = data.validity();
      if (validity != null) {
        validity.getReferenceManager().retain();
      }
      return new ArrayData(data.length(), data.nullCount(), new ArrowBuf[] {validity}, children);
    } finally {
      for (int i = 0; done < children.length && i < done; i++) {
        children[i].close();
      }
    }
  }

  private ArrayData convertLeaf(LanceField from, LanceField to, ArrayData data, String path) {
    Conversion conversion = Conversion.between(from.toArrow(), to.toArrow());
    try (FieldVector values = VectorArrays.vector(from.toArrow(), data, source.allocator())) {
      FieldVector converted = conversion.apply(values, source.allocator());
      return VectorArrays.take(List.of(converted), data.length()).get(0);
    } catch (InvalidInputException e) {
      throw new InvalidInputException("Column '" + path + "': " + e.getMessage(), e);
    }
  }
}
