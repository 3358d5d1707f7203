package dev.lance4j.format.internal.page;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.proto.file.v2.Encoding;

/** One page of one column: where its buffers are and how they are encoded. */
public final class PageInfo {
  private final String path;
  private final int column;
  private final int page;
  private final ColumnMetadata.Page message;
  private final long firstRow;

  /**
   * @param path the file
   * @param column the column's index
   * @param page the page's index in the column
   * @param message the page's metadata
   * @param firstRow the sum of the lengths of the column's earlier pages
   */
  public PageInfo(String path, int column, int page, ColumnMetadata.Page message, long firstRow) {
    this.path = path;
    this.column = column;
    this.page = page;
    this.message = message;
    this.firstRow = firstRow;
  }

  /** The file. */
  public String path() {
    return path;
  }

  /** The number of rows of the column in this page; checked to be non-negative. */
  public long rows() {
    return message.getLength();
  }

  /** The number of the page's first row in the column. */
  public long firstRow() {
    return firstRow;
  }

  public int bufferCount() {
    return message.getBufferOffsetsCount();
  }

  /** The absolute file position of a buffer; checked to lie inside the file with its size. */
  public long bufferOffset(int i) {
    checkBuffer(i);
    return message.getBufferOffsets(i);
  }

  /** The size of a buffer in bytes, without padding. */
  public long bufferSize(int i) {
    checkBuffer(i);
    return message.getBufferSizes(i);
  }

  private void checkBuffer(int i) {
    if (i < 0 || i >= bufferCount()) {
      throw corrupt("the encoding uses buffer " + i + " of " + bufferCount());
    }
  }

  /**
   * The value of the page's encoding message.
   *
   * @param messageName the protobuf name that is expected, without a package authority
   */
  public ByteString encoding(String messageName) {
    Encoding encoding = message.getEncoding();
    if (!encoding.hasDirect()) {
      throw new UnsupportedFormatException(
          path + ", column " + column + ", page " + page + ": the encoding is not stored in place");
    }
    try {
      Any any = Any.parseFrom(encoding.getDirect().getEncoding());
      String url = any.getTypeUrl();
      if (!url.substring(url.lastIndexOf('/') + 1).equals(messageName)) {
        throw corrupt("the encoding is a '" + url + "', expected " + messageName);
      }
      return any.getValue();
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, where() + "unreadable encoding", e);
    }
  }

  /** An error that names the file, column and page. */
  public CorruptFileException corrupt(String message) {
    return new CorruptFileException(path, -1, where() + message);
  }

  /** As above, with the failure that revealed it. */
  public CorruptFileException corrupt(String message, Throwable cause) {
    return new CorruptFileException(path, -1, where() + message, cause);
  }

  /** An error for an encoding that is known but not supported here. */
  public UnsupportedFormatException unsupported(String what) {
    return new UnsupportedFormatException(path + ", " + where() + what + " is not supported");
  }

  private String where() {
    return "column " + column + ", page " + page + ": ";
  }
}
