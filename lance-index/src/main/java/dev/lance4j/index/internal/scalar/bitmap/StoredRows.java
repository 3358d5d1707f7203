package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.nio.ByteBuffer;
import java.util.PrimitiveIterator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Sets of rows as a file holds them. For use by one thread. */
final class StoredRows<S extends RowSet<S>> {
  private final RowDomain<S> domain;
  private final String path;
  private final ValueKeys bytes =
      ValueKeys.of(Field.nullable(BitmapFile.BITMAPS, ArrowType.Binary.INSTANCE));

  /**
   * @param path of the file, for errors
   */
  StoredRows(RowDomain<S> domain, String path) {
    this.domain = domain;
    this.path = path;
  }

  /**
   * A set of an array.
   *
   * @throws CorruptFileException if the value is no set
   */
  S parse(ArrayData bitmaps, int row) {
    if (bytes.isNull(bitmaps, row)) {
      throw new CorruptFileException(path, -1, "the rows of a key are null");
    }
    return domain.parse(ByteBuffer.wrap(bytes.bytes(bitmaps, row)), path);
  }

  /** The rows of a set that go into a new segment, under their new numbers. */
  S translate(S rows, RowTranslation translation) {
    if (rows.cardinality().isEmpty()) {
      throw new UnsupportedFormatException(
          path + " names whole fragments, whose rows cannot be told apart; rebuild the index");
    }
    if (translation == RowTranslation.KEEP) {
      return rows;
    }
    RowSet.Builder<S> translated = domain.builder();
    for (PrimitiveIterator.OfLong each = rows.iterator(); each.hasNext(); ) {
      long row = translation.translate(each.nextLong());
      if (row != RowTranslation.GONE) {
        translated.add(row);
      }
    }
    return translated.build();
  }
}
