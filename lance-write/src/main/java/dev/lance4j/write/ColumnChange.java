package dev.lance4j.write;

import dev.lance4j.format.InvalidInputException;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * What to change of a column. Immutable: methods give refined copies.
 *
 * @param path the column's name; {@code a.b} for the field {@code b} inside of {@code a}
 * @param newName its name afterwards, without the path before it
 * @param nullable whether it may be null afterwards
 * @param newType its type afterwards; name, nullability and metadata of the field do not count
 */
public record ColumnChange(
    String path, Optional<String> newName, Optional<Boolean> nullable, Optional<Field> newType) {

  /** Another name. */
  public static ColumnChange rename(String path, String newName) {
    return none(path).renamedTo(newName);
  }

  /** Whether the column may be null. */
  public static ColumnChange nullable(String path, boolean nullable) {
    return none(path).madeNullable(nullable);
  }

  /**
   * Another type of the same family; the values are converted and written anew.
   *
   * @throws InvalidInputException if the type has children, which only a field can say
   */
  public static ColumnChange cast(String path, ArrowType type) {
    return none(path).castTo(type);
  }

  /** Another type of the same family, given by a field; the values are written anew. */
  public static ColumnChange cast(String path, Field type) {
    return none(path).castTo(type);
  }

  private static ColumnChange none(String path) {
    return new ColumnChange(path, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** This change and another name. */
  public ColumnChange renamedTo(String name) {
    return new ColumnChange(path, Optional.of(name), nullable, newType);
  }

  /** This change, and whether the column may be null. */
  public ColumnChange madeNullable(boolean mayBeNull) {
    return new ColumnChange(path, newName, Optional.of(mayBeNull), newType);
  }

  /**
   * This change and another type.
   *
   * @throws InvalidInputException if the type has children, which only a field can say
   */
  public ColumnChange castTo(ArrowType type) {
    if (type.isComplex()) {
      throw new InvalidInputException(
          "The type " + type + " of '" + path + "' does not say its items; give a Field instead");
    }
    return castTo(new Field(path, FieldType.nullable(type), List.of()));
  }

  /** This change and another type, given by a field. */
  public ColumnChange castTo(Field type) {
    return new ColumnChange(path, newName, nullable, Optional.of(type));
  }
}
