package dev.lance4j.format.internal.v20;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.encodings.ColumnEncoding;
import java.util.List;

/** The columns of a file, and what their metadata says. */
record FileColumns(List<ColumnInfo> all) {
  private static final String MESSAGE = "lance.encodings.ColumnEncoding";

  ColumnInfo get(int index) {
    if (index < 0 || index >= all.size()) {
      String path = all.isEmpty() ? "without columns" : path(all.get(0));
      throw new CorruptFileException(
          path, -1, "the schema needs column " + index + ", the file has " + all.size());
    }
    return all.get(index);
  }

  /** Whether a column's values are blobs stored elsewhere in the file. */
  static boolean isBlob(ColumnInfo column) {
    try {
      Any any = Any.parseFrom(column.metadata().getEncoding().getDirect().getEncoding());
      String url = any.getTypeUrl();
      if (!url.substring(url.lastIndexOf('/') + 1).equals(MESSAGE)) {
        throw corrupt(column, "its encoding is a '" + url + "'");
      }
      ColumnEncoding encoding = ColumnEncoding.parseFrom(any.getValue());
      return switch (encoding.getColumnEncodingCase()) {
        case VALUES -> false;
        case BLOB -> true;
        case ZONE_INDEX, COLUMNENCODING_NOT_SET ->
            throw new UnsupportedFormatException(
                path(column)
                    + ", column "
                    + column.index()
                    + ": a column encoding of kind "
                    + encoding.getColumnEncodingCase()
                    + " is not supported");
      };
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path(column), -1, "column " + column.index() + ": unreadable encoding", e);
    }
  }

  /** The encoding of the first page that has rows, or of the first page, or null without pages. */
  static ArrayEncoding firstEncoding(ColumnInfo column) {
    if (column.pages().isEmpty()) {
      return null;
    }
    for (PageInfo page : column.pages()) {
      if (page.rows() > 0) {
        return PageArrays.encoding(page);
      }
    }
    return PageArrays.encoding(column.pages().get(0));
  }

  /** Checks that rows are inside a column. */
  static void checkRows(ColumnInfo column, RowRanges rows) {
    if (rows.limit() > column.rows()) {
      throw corrupt(column, column.rows() + " rows, " + rows.limit() + " are needed");
    }
  }

  static CorruptFileException corrupt(ColumnInfo column, String message) {
    return new CorruptFileException(path(column), -1, "column " + column.index() + ": " + message);
  }

  private static String path(ColumnInfo column) {
    return column.pages().isEmpty() ? "without pages" : column.pages().get(0).path();
  }
}
