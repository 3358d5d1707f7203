package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Puts rows of all columns of the table together: from the source what it has, and the rest from
 * the row of the table that is updated, or nulls.
 */
final class RowAssembler {
  private final LanceSchema table;
  private final SourceColumns source;
  private final LanceSchema rest;
  private final BufferAllocator allocator;

  RowAssembler(LanceSchema table, SourceColumns source, BufferAllocator allocator) {
    this.table = table;
    this.source = source;
    this.allocator = allocator;
    List<LanceField> incomplete = new ArrayList<>();
    for (LanceField field : table.fields()) {
      if (!field.equals(source.given().field(field.name()))) {
        incomplete.add(field);
      }
    }
    this.rest = new LanceSchema(incomplete, table.metadata());
  }

  /** The columns that the source lacks, or of which it has only a part. */
  LanceSchema rest() {
    return rest;
  }

  /**
   * The new values of updated rows.
   *
   * @param old the rest of the columns of these rows; taken over
   * @return all columns, owned by the caller
   */
  List<ArrayData> updated(SourcePart part, int[] rows, List<ArrayData> old) {
    return assemble(part, rows, old);
  }

  /** Inserted rows; all columns, owned by the caller. */
  List<ArrayData> inserted(SourcePart part, int[] rows) {
    List<ArrayData> nulls = new ArrayList<>(rest.fields().size());
    boolean complete = false;
    try {
      for (LanceField field : rest.fields()) {
        nulls.add(NullArrays.of(PendingBlobs.field(field).toArrow(), rows.length, allocator));
      }
      complete = true;
    } finally {
      if (!complete) {
        Columns.close(nulls);
      }
    }
    return assemble(part, rows, nulls);
  }

  private List<ArrayData> assemble(SourcePart part, int[] rows, List<ArrayData> others) {
    List<ArrayData> assembled = new ArrayList<>(table.fields().size());
    List<ArrayData> given = List.of();
    boolean complete = false;
    try {
      given = Columns.gather(source.fields(), part.columns(), rows, allocator);
      int other = 0;
      for (LanceField field : table.fields()) {
        int index = source.indexOf(field);
        LanceField known = index < 0 ? null : source.given().fields().get(index);
        if (field.equals(known)) {
          assembled.add(given.get(index).retain());
        } else if (known == null) {
          assembled.add(others.get(other++).retain());
        } else {
          assembled.add(
              PartialStructs.fill(field, known, given.get(index), others.get(other++), allocator));
        }
      }
      complete = true;
      return assembled;
    } finally {
      Columns.close(given);
      Columns.close(others);
      if (!complete) {
        Columns.close(assembled);
      }
    }
  }
}
