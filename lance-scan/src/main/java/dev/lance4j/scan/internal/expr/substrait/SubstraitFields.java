package dev.lance4j.scan.internal.expr.substrait;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import io.substrait.proto.Expression.FieldReference;
import io.substrait.proto.Expression.ReferenceSegment;
import io.substrait.proto.NamedStruct;
import io.substrait.proto.Type;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** The fields of a base schema, which references name by number. */
final class SubstraitFields {
  private final List<Named> columns;

  /** A field with its name and, if it is a struct, the fields in it. */
  private record Named(String name, List<Named> fields) {}

  private SubstraitFields(List<Named> columns) {
    this.columns = columns;
  }

  /**
   * @throws InvalidInputException if the table has another number of columns, or fields lack names
   */
  static SubstraitFields of(NamedStruct base, Schema schema) {
    List<Type> types = base.getStruct().getTypesList();
    if (types.size() != schema.getFields().size()) {
      throw new InvalidInputException(
          "The base schema of a Substrait filter must list all columns of the table in order: it"
              + " has "
              + types.size()
              + " columns, the table "
              + schema.getFields().size());
    }
    Names names = new Names(base.getNamesList());
    SubstraitFields fields = new SubstraitFields(names.fields(types));
    names.checkAllUsed();
    return fields;
  }

  /** Deals out names to fields, each before the fields inside it. */
  private static final class Names {
    private final List<String> names;
    private int next;

    Names(List<String> names) {
      this.names = names;
    }

    List<Named> fields(List<Type> types) {
      List<Named> fields = new ArrayList<>(types.size());
      for (Type type : types) {
        if (next == names.size()) {
          throw new InvalidInputException(
              "The base schema of a Substrait filter has more fields than its "
                  + names.size()
                  + " names");
        }
        fields.add(new Named(names.get(next++), inside(type)));
      }
      return fields;
    }

    /** The fields in a type; those in the items of lists and maps have names, but no references. */
    private List<Named> inside(Type type) {
      return switch (type.getKindCase()) {
        case STRUCT -> fields(type.getStruct().getTypesList());
        case LIST -> {
          inside(type.getList().getType());
          yield List.of();
        }
        case MAP -> {
          inside(type.getMap().getKey());
          inside(type.getMap().getValue());
          yield List.of();
        }
        default -> List.of();
      };
    }

    void checkAllUsed() {
      if (next < names.size()) {
        throw new InvalidInputException(
            "The base schema of a Substrait filter has "
                + names.size()
                + " names for its "
                + next
                + " fields");
      }
    }
  }

  /**
   * The column, or field of struct columns, that a reference is to.
   *
   * @throws InvalidInputException if it is to anything else, or out of range
   */
  Expression.Column column(FieldReference reference) {
    boolean direct =
        reference.hasDirectReference()
            && reference.getRootTypeCase() != FieldReference.RootTypeCase.EXPRESSION
            && reference.getRootTypeCase() != FieldReference.RootTypeCase.OUTER_REFERENCE;
    if (!direct) {
      throw new InvalidInputException(
          "A field reference of a Substrait filter must be a direct one to the table's row");
    }
    List<String> path = new ArrayList<>();
    List<Named> fields = columns;
    ReferenceSegment segment = reference.getDirectReference();
    while (true) {
      Named field = field(segment, fields);
      path.add(field.name());
      if (!segment.getStructField().hasChild()) {
        return new Expression.Column(path, true);
      }
      segment = segment.getStructField().getChild();
      fields = field.fields();
    }
  }

  private static Named field(ReferenceSegment segment, List<Named> fields) {
    if (!segment.hasStructField()) {
      throw new InvalidInputException(
          "A field reference of a Substrait filter must be to fields of structs, not to items of"
              + " lists or maps");
    }
    int number = segment.getStructField().getField();
    if (number < 0 || number >= fields.size()) {
      throw new InvalidInputException(
          "A Substrait filter refers to field "
              + number
              + " of a row or struct that has "
              + fields.size());
    }
    return fields.get(number);
  }
}
