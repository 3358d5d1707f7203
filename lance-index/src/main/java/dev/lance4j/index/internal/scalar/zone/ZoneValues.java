package dev.lance4j.index.internal.scalar.zone;

/**
 * What is known of the values of a zone.
 *
 * @param zone where it is
 * @param least the least value, or null if it is not known or there is none
 * @param greatest the greatest one
 * @param nulls the number of nulls
 * @param nans the number of values that are no numbers
 */
record ZoneValues(ZoneRange zone, Value least, Value greatest, long nulls, long nans) {
  /**
   * A value.
   *
   * @param key orders values, see {@link dev.lance4j.format.internal.sort.ValueKeys}
   * @param bytes as the value is stored
   */
  record Value(byte[] key, byte[] bytes) {}
}
