package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.types.pojo.Field;

/** The rows whose list is null: a global buffer of the file, whose number is in the metadata. */
final class ListNulls {
  private static final String BUFFER = "lance:label_list_nulls";

  private ListNulls() {}

  static <S extends RowSet<S>> void write(LanceFileWriter file, S nulls) {
    int buffer = file.addGlobalBuffer(ByteBuffer.wrap(nulls.toBytes()));
    file.addMetadata(BUFFER, Integer.toString(buffer));
  }

  /**
   * Reads the rows.
   *
   * @throws CorruptFileException if they are missing or damaged
   */
  static <S extends RowSet<S>> S read(LanceFileReader file, RowDomain<S> domain) {
    String number = file.metadata().get(BUFFER);
    if (number == null) {
      throw new CorruptFileException(file.path(), -1, "the metadata '" + BUFFER + "' is missing");
    }
    int buffer;
    try {
      buffer = Integer.parseInt(number);
    } catch (NumberFormatException e) {
      throw noBuffer(file, number, e);
    }
    if (buffer <= 0 || buffer >= file.globalBufferCount()) {
      throw noBuffer(file, number, null);
    }
    return domain.parse(file.globalBuffer(buffer), file.path());
  }

  private static CorruptFileException noBuffer(
      LanceFileReader file, String number, RuntimeException cause) {
    return new CorruptFileException(
        file.path(),
        -1,
        "the metadata '" + BUFFER + "' is '" + number + "', no global buffer of the file",
        cause);
  }

  /** Those rows of an older segment that go into a new one, under their new numbers. */
  static <S extends RowSet<S>> S takenOver(
      SegmentInput.Old old, Field itemField, RowDomain<S> domain) {
    try (LanceFileReader file = BitmapFile.open(old.files(), itemField)) {
      StoredRows<S> rows = new StoredRows<>(domain, file.path());
      return rows.translate(read(file, domain), old.rows());
    }
  }
}
