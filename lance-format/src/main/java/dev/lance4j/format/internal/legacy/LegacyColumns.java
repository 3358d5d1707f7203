package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.store.ObjectReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Makes the readers of the fields of one 0.1 file. */
public final class LegacyColumns {
  private final LegacyMetadata file;
  private final int firstField;
  private final int lastField;
  private final ObjectReader schemaFile;

  /**
   * @param firstField the lowest field id of the file's page table
   * @param lastField the highest
   * @param schemaFile the file that holds the schema, and so the values of dictionary fields
   */
  public LegacyColumns(
      LegacyMetadata file, int firstField, int lastField, ObjectReader schemaFile) {
    this.file = file;
    this.firstField = firstField;
    this.lastField = lastField;
    this.schemaFile = schemaFile;
  }

  /** Whether the page table covers the field. */
  public boolean has(LanceField field) {
    return field.id() >= firstField && field.id() <= lastField;
  }

  /** The reader of a top-level field. */
  public FieldReader reader(LanceField field) {
    LegacyColumn column = column(field, field.toArrow());
    return rows -> column.read(BatchRange.of(rows, file));
  }

  private LegacyColumn column(LanceField field, Field arrow) {
    if (!has(field)) {
      throw file.corrupt("the page table has no entry for field '" + field.name() + "'");
    }
    ArrayLayout layout = ArrayLayout.of(arrow);
    return switch (layout.kind()) {
      case NULL -> new LegacyNullColumn();
      case STRUCT -> {
        List<LegacyColumn> children = new ArrayList<>(field.children().size());
        for (int i = 0; i < field.children().size(); i++) {
          children.add(column(field.children().get(i), arrow.getChildren().get(i)));
        }
        yield new LegacyStructColumn(children);
      }
      case LIST, LARGE_LIST -> {
        LanceField item = field.children().get(0);
        LegacyColumn items = column(item, arrow.getChildren().get(0));
        boolean large = layout.kind() == ArrayLayout.Kind.LARGE_LIST;
        yield new LegacyListColumn(file, pages(field), items, large);
      }
      case VARIABLE, LARGE_VARIABLE -> {
        boolean large = layout.kind() == ArrayLayout.Kind.LARGE_VARIABLE;
        yield new LegacyVariableColumn(file, pages(field), field.nullable(), large);
      }
      case FIXED, FIXED_SIZE_LIST -> {
        LegacyColumn keys = new LegacyFixedColumn(file, pages(field), arrow);
        yield arrow.getDictionary() == null ? keys : dictionary(field, arrow, keys);
      }
    };
  }

  private LegacyMetadata.Page[] pages(LanceField field) {
    return file.pages(field.id() - firstField);
  }

  private LegacyColumn dictionary(LanceField field, Field arrow, LegacyColumn keys) {
    LanceField.LegacyDictionary location = field.dictionary();
    if (location == null) {
      throw file.corrupt(
          "the schema does not say where field '" + field.name() + "' has its values");
    }
    Field values = new Field(field.name(), FieldType.nullable(arrow.getType()), null);
    LegacyMetadata.Page page = new LegacyMetadata.Page(location.offset(), location.length());
    if (page.position() < 0 || page.length() < 0 || page.position() > schemaFile.size()) {
      throw file.corrupt("the values of field '" + field.name() + "' are outside the file");
    }
    LegacyMetadata.Page[] pages = {page};
    ArrayLayout layout = ArrayLayout.of(values);
    boolean large = layout.kind() == ArrayLayout.Kind.LARGE_VARIABLE;
    LegacyColumn items =
        large || layout.kind() == ArrayLayout.Kind.VARIABLE
            ? new LegacyVariableColumn(file, pages, true, large)
            : new LegacyFixedColumn(file, pages, values);
    return new LegacyDictionaryColumn(file, keys, items, schemaFile, page.length(), arrow);
  }
}
