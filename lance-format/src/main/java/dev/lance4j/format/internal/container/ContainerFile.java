package dev.lance4j.format.internal.container;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.ColumnShape;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.v20.V20FieldReaders;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.apache.arrow.vector.types.pojo.Field;

/** A file of version 2.0 or later. Keeps what the readers of its columns learn. */
public final class ContainerFile implements FileContents {
  private final ObjectReader reader;
  private final FileMetadata file;
  private final List<ColumnInfo> columns;
  private final Map<ColumnNode, FieldReader> readers = new ConcurrentHashMap<>();
  private volatile Map<Integer, Integer> ownColumns;

  ContainerFile(ObjectReader reader, FileMetadata file) {
    this.reader = reader;
    this.file = file;
    this.columns =
        new AbstractList<>() {
          @Override
          public ColumnInfo get(int index) {
            return file.column(index);
          }

          @Override
          public int size() {
            return file.columnCount();
          }
        };
  }

  @Override
  public FileVersion version() {
    return file.version();
  }

  @Override
  public long rows() {
    return file.rows();
  }

  @Override
  public LanceSchema schema() {
    return file.schema();
  }

  @Override
  public long metadataBytes() {
    return file.memoryBytes();
  }

  @Override
  public long[] columnBytes() {
    long[] bytes = new long[columns.size()];
    for (int i = 0; i < bytes.length; i++) {
      ColumnInfo column = columns.get(i);
      for (long size : column.metadata().getBufferSizesList()) {
        bytes[i] += size;
      }
      for (PageInfo page : column.pages()) {
        for (int buffer = 0; buffer < page.bufferCount(); buffer++) {
          bytes[i] += page.bufferSize(buffer);
        }
      }
    }
    return bytes;
  }

  @Override
  public int globalBufferCount() {
    return file.globalBufferCount();
  }

  @Override
  public ByteBuffer globalBuffer(int index) {
    long size = file.globalBufferSize(index);
    if (size > Integer.MAX_VALUE) {
      throw new UnsupportedFormatException(
          file.path() + ": global buffer " + index + " has " + size + " bytes, more than 2 GiB");
    }
    return reader.read(file.globalBufferPosition(index), (int) size);
  }

  @Override
  public FileProjection ownSchema(LanceSchema fields, boolean absentAsNull) {
    Map<Integer, Integer> own = ownColumns;
    if (own == null) {
      IntFunction<ColumnShape> shapes = version() == FileVersion.V2_0 ? this::shape : null;
      own = ColumnLayout.columns(file.schema(), version(), shapes);
      own.values().removeIf(column -> column >= file.columnCount());
      ownColumns = own;
    }
    return byId(fields, own, absentAsNull);
  }

  /** A projection by a manifest's columns; what it does not list reads as nulls. */
  public FileProjection byId(LanceSchema fields, Map<Integer, Integer> columnsById) {
    return byId(fields, columnsById, true);
  }

  private FileProjection byId(
      LanceSchema fields, Map<Integer, Integer> columnsById, boolean absentAsNull) {
    List<ColumnNode> nodes = new ProjectionResolver(file, columnsById).resolve(fields);
    List<Field> arrow = new ArrayList<>(nodes.size());
    List<FieldReader> fieldReaders = new ArrayList<>(nodes.size());
    for (ColumnNode node : nodes) {
      if (!node.present() && !absentAsNull) {
        throw new InvalidInputException(
            file.path() + " has no column '" + node.field().getName() + "'");
      }
      arrow.add(node.field());
      fieldReaders.add(
          node.present()
              ? readers.computeIfAbsent(node, this::fieldReader)
              : new NullFieldReader(node.field()));
    }
    return new FileProjection(reader, arrow, fieldReaders, file.rows());
  }

  private FieldReader fieldReader(ColumnNode node) {
    return PageFormats.reader(file.path(), file.version(), node, columns);
  }

  private ColumnShape shape(int column) {
    return column < file.columnCount()
        ? V20FieldReaders.shape(file.column(column))
        : ColumnShape.PLAIN;
  }
}
