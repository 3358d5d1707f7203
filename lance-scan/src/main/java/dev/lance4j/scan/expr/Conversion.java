package dev.lance4j.scan.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Casts;
import dev.lance4j.scan.internal.expr.type.ArrowTypes;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.VectorReader;
import dev.lance4j.scan.internal.expr.values.VectorWriter;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Converts values from the type of one field to that of another, as {@code CAST} does. Immutable,
 * safe for use by several threads.
 */
public final class Conversion {
  private final Type from;
  private final Type to;
  private final Field target;

  private Conversion(Type from, Type to, Field target) {
    this.from = from;
    this.to = to;
    this.target = target;
  }

  /**
   * The conversion between two types.
   *
   * @param from without dictionary
   * @param to without dictionary
   * @throws InvalidInputException if there is none
   */
  public static Conversion between(Field from, Field to) {
    Type source = ArrowTypes.of(from);
    Type target = ArrowTypes.of(to);
    if (!Casts.allowed(source, target)) {
      throw new InvalidInputException("Cannot cast " + source + " to " + target);
    }
    return new Conversion(source, target, to);
  }

  /**
   * Converts values.
   *
   * @param values of the type that is converted from
   * @return a new vector of the other field, which the caller closes
   * @throws InvalidInputException if a value has no counterpart
   */
  public FieldVector apply(FieldVector values, BufferAllocator allocator) {
    Values read = new VectorReader(null).read(values, values.getValueCount());
    return VectorWriter.write(target, to, Casts.cast(read, from, to, false), allocator);
  }
}
