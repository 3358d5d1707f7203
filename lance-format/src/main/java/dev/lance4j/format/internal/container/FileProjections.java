package dev.lance4j.format.internal.container;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectReader;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes projections of one file, keeping what its columns' readers learn. */
public final class FileProjections {
  private final ObjectReader reader;
  private final FileMetadata file;
  private final List<ColumnInfo> columns;
  private final Map<ColumnNode, FieldReader> readers = new ConcurrentHashMap<>();
  private volatile Map<Integer, Integer> ownColumns;

  public FileProjections(ObjectReader reader, FileMetadata file) {
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

  /** A projection of the schema in the file. */
  public FileProjection ownSchema(LanceSchema fields, boolean absentAsNull) {
    Map<Integer, Integer> own = ownColumns;
    if (own == null) {
      own = ColumnLayout.columns(file.schema(), file.version(), this::isPackedColumn);
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
    return PageFormats.reader(file.version(), node, columns);
  }

  private boolean isPackedColumn(int column) {
    if (file.version() != FileVersion.V2_0 || column >= file.columnCount()) {
      return false;
    }
    List<PageInfo> pages = file.column(column).pages();
    if (pages.isEmpty()) {
      return false;
    }
    try {
      return ArrayEncoding.parseFrom(pages.get(0).encoding("lance.encodings.ArrayEncoding"))
          .hasPackedStruct();
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(file.path(), -1, "unreadable encoding", e);
    }
  }
}
