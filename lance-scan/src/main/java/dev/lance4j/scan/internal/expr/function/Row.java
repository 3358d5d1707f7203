package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.DecimalValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.math.BigInteger;

/** The arguments of a function for the row that is being computed. */
public final class Row {
  private final Values[] arguments;
  private int position;

  Row(Values[] arguments) {
    this.arguments = arguments;
  }

  void moveTo(int row) {
    position = row;
  }

  /** The row's position in the argument's values. */
  int position() {
    return position;
  }

  Values values(int argument) {
    return arguments[argument];
  }

  int count() {
    return arguments.length;
  }

  boolean isNull(int argument) {
    return arguments[argument].isNull(position);
  }

  String text(int argument) {
    return ((BytesValues) arguments[argument]).string(position);
  }

  byte[] bytes(int argument) {
    return ((BytesValues) arguments[argument]).copy(position);
  }

  BytesValues bytesValues(int argument) {
    return (BytesValues) arguments[argument];
  }

  long integer(int argument) {
    return ((LongValues) arguments[argument]).get(position);
  }

  double number(int argument) {
    return ((DoubleValues) arguments[argument]).get(position);
  }

  boolean truth(int argument) {
    return ((BoolValues) arguments[argument]).get(position);
  }

  BigInteger decimal(int argument) {
    return ((DecimalValues) arguments[argument]).get(position);
  }

  ListValues list(int argument) {
    return (ListValues) arguments[argument];
  }
}
