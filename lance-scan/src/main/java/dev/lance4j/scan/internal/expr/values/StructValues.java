package dev.lance4j.scan.internal.expr.values;

/** Structs; a field is null wherever its struct is. */
public final class StructValues extends Values {
  private final Values[] fields;

  public StructValues(int size, Values[] fields, long[] valid) {
    super(size, valid);
    this.fields = fields;
  }

  public int width() {
    return fields.length;
  }

  /** A field with the nulls of the struct. */
  public Values field(int index) {
    Values field = fields[index];
    return valid() == null ? field : field.withValid(Bits.and(valid(), field.valid()));
  }

  @Override
  public Values gather(int[] rows) {
    Values[] newFields = new Values[fields.length];
    for (int i = 0; i < fields.length; i++) {
      newFields[i] = fields[i].gather(rows);
    }
    return new StructValues(rows.length, newFields, Bits.gather(valid(), rows));
  }

  @Override
  public Values withValid(long[] valid) {
    return new StructValues(size(), fields, valid);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    StructValues right = (StructValues) other;
    for (int i = 0; i < fields.length; i++) {
      int order = Rows.compareNullable(fields[i], row, right.fields[i], otherRow);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
