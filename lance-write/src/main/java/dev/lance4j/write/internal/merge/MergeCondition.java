package dev.lance4j.write.internal.merge;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.RowFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A condition of a merge, bound to the columns that it may use: those of the source and of the
 * table, told apart as {@code source.x} and {@code target.x}, or those of the table alone.
 */
final class MergeCondition {
  private static final String SOURCE = "source";
  private static final String TARGET = "target";
  // Dictionaries are found by number, and both sides count from the same one.
  private static final long SOURCE_DICTIONARIES = 1L << 40;

  private final RowFilter filter;
  private final LanceSchema target;
  private final List<Use> uses;

  /** A column that the condition uses; {@code struct} is null where it has no prefix. */
  private record Use(boolean ofSource, int index, String struct, Field field) {}

  private MergeCondition(RowFilter filter, LanceSchema target, List<Use> uses) {
    this.filter = filter;
    this.target = target;
    this.uses = uses;
  }

  /**
   * A condition about pairs of a source row and a row of the table. A name without prefix is that
   * of the side that alone has such a column.
   *
   * @throws InvalidInputException if it does not fit the columns or is no condition
   */
  static MergeCondition ofPairs(String text, LanceSchema source, LanceSchema table) {
    List<Field> fields = new ArrayList<>();
    List<Field> sourceFields = source.fields().stream().map(MergeCondition::sourceField).toList();
    List<Field> targetFields = table.toArrow().getFields();
    fields.add(struct(SOURCE, sourceFields));
    fields.add(struct(TARGET, targetFields));
    for (LanceField field : table.fields()) {
      String name = field.name();
      if (source.field(name) == null && !name.equals(SOURCE) && !name.equals(TARGET)) {
        fields.add(field.toArrow());
      }
    }
    RowFilter filter;
    try {
      filter = RowFilter.of(text, new Schema(fields));
    } catch (InvalidInputException e) {
      throw new InvalidInputException(
          "The condition of the merge is wrong: "
              + e.getMessage()
              + "; columns that both sides have are written source.x and target.x",
          e);
    }
    Set<Use> uses = new LinkedHashSet<>();
    for (List<String> path : filter.columns()) {
      String first = path.get(0);
      if (path.size() == 1 && (first.equals(SOURCE) || first.equals(TARGET))) {
        throw new InvalidInputException(
            "The condition of the merge names '" + first + "' without a column");
      }
      if (first.equals(SOURCE)) {
        int index = indexOf(source, path.get(1));
        uses.add(new Use(true, index, SOURCE, sourceFields.get(index)));
      } else {
        boolean prefixed = first.equals(TARGET);
        int index = indexOf(table, path.get(prefixed ? 1 : 0));
        uses.add(new Use(false, index, prefixed ? TARGET : null, targetFields.get(index)));
      }
    }
    return new MergeCondition(filter, table, List.copyOf(uses));
  }

  /**
   * A condition about rows of the table, whose columns have no prefix.
   *
   * @throws InvalidInputException if it does not fit the columns or is no condition
   */
  static MergeCondition ofTarget(String text, LanceSchema table) {
    List<Field> fields = table.toArrow().getFields();
    RowFilter filter = RowFilter.of(text, new Schema(fields));
    Set<Use> uses = new LinkedHashSet<>();
    for (List<String> path : filter.columns()) {
      int index = indexOf(table, path.get(0));
      uses.add(new Use(false, index, null, fields.get(index)));
    }
    return new MergeCondition(filter, table, List.copyOf(uses));
  }

  private static Field struct(String name, List<Field> children) {
    return new Field(name, FieldType.notNullable(ArrowType.Struct.INSTANCE), children);
  }

  private static Field sourceField(LanceField field) {
    return withOwnDictionaries(field.toArrow());
  }

  private static Field withOwnDictionaries(Field field) {
    DictionaryEncoding encoding = field.getDictionary();
    DictionaryEncoding own =
        encoding == null
            ? null
            : new DictionaryEncoding(
                encoding.getId() + SOURCE_DICTIONARIES,
                encoding.isOrdered(),
                encoding.getIndexType());
    return new Field(
        field.getName(),
        new FieldType(field.isNullable(), field.getType(), own, field.getMetadata()),
        field.getChildren().stream().map(MergeCondition::withOwnDictionaries).toList());
  }

  private static int indexOf(LanceSchema schema, String name) {
    int index = 0;
    while (!schema.fields().get(index).name().equals(name)) {
      index++;
    }
    return index;
  }

  /** The columns of the table that the condition uses. */
  List<LanceField> targetColumns() {
    return uses.stream()
        .filter(use -> !use.ofSource())
        .map(use -> target.fields().get(use.index()))
        .toList();
  }

  /**
   * The pairs for which the condition is true, as ascending positions.
   *
   * @param read the columns of the batch
   */
  int[] select(
      SourcePart source,
      int[] sourceRows,
      TargetBatch batch,
      LanceSchema read,
      int[] targetRows,
      BufferAllocator allocator) {
    if (targetRows.length == 0) {
      return targetRows;
    }
    List<ArrayData> columns = new ArrayList<>(uses.size());
    boolean complete = false;
    try {
      for (Use use : uses) {
        if (use.ofSource()) {
          ArrayData column = source.columns().get(use.index());
          columns.add(
              Columns.gather(List.of(use.field()), List.of(column), sourceRows, allocator).get(0));
        } else {
          LanceField field = target.fields().get(use.index());
          ArrayData column = batch.columns().get(indexOf(read, field.name()));
          columns.add(
              Columns.gather(List.of(use.field()), List.of(column), targetRows, allocator).get(0));
        }
      }
      complete = true;
    } finally {
      if (!complete) {
        Columns.close(columns);
      }
    }
    return evaluate(columns, targetRows.length, allocator);
  }

  private int[] evaluate(List<ArrayData> columns, int rows, BufferAllocator allocator) {
    List<Field> fields = new ArrayList<>();
    List<ArrayData> arrays = new ArrayList<>();
    for (String struct : List.of(SOURCE, TARGET)) {
      List<Field> children = new ArrayList<>();
      List<ArrayData> values = new ArrayList<>();
      for (int i = 0; i < uses.size(); i++) {
        if (struct.equals(uses.get(i).struct())) {
          children.add(uses.get(i).field());
          values.add(columns.get(i));
        }
      }
      if (!children.isEmpty()) {
        fields.add(struct(struct, children));
        arrays.add(new ArrayData(rows, 0, new ArrowBuf[1], values.toArray(ArrayData[]::new)));
      }
    }
    for (int i = 0; i < uses.size(); i++) {
      if (uses.get(i).struct() == null) {
        fields.add(uses.get(i).field());
        arrays.add(columns.get(i));
      }
    }
    ArrayBatch batch = new ArrayBatch(rows, arrays);
    try (ArrayBatchReader reader =
        new ArrayBatchReader(allocator, new Schema(fields), new OneBatch(batch))) {
      reader.loadNextBatch();
      return filter.select(reader.getVectorSchemaRoot(), reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives one batch. */
  private static final class OneBatch implements ArrayBatchReader.Source {
    private ArrayBatch batch;

    OneBatch(ArrayBatch batch) {
      this.batch = batch;
    }

    @Override
    public ArrayBatch next() {
      ArrayBatch given = batch;
      batch = null;
      return given;
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
      }
    }
  }
}
