package dev.lance4j.table;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The fields that a schema declares to identify rows. Nothing enforces that they do; merges that
 * use exactly these fields see to it that two of them at once do not insert the same key.
 */
public final class PrimaryKey {
  private static final String DECLARED = "lance-schema:unenforced-primary-key";
  private static final String POSITION = "lance-schema:unenforced-primary-key:position";
  private static final Set<String> TRUE = Set.of("true", "1", "yes");

  private PrimaryKey() {}

  /** The fields in the order of the key; none when there is no primary key. */
  public static List<LanceField> of(LanceSchema schema) {
    return schema.flatten().stream()
        .filter(PrimaryKey::isDeclared)
        .sorted(Comparator.comparingLong(PrimaryKey::position).thenComparing(LanceField::id))
        .toList();
  }

  private static boolean isDeclared(LanceField field) {
    String value = field.metadata().get(DECLARED);
    return (value != null && TRUE.contains(value.toLowerCase(Locale.ROOT)))
        || position(field) < Long.MAX_VALUE;
  }

  /** Fields without a position come after those that have one. */
  private static long position(LanceField field) {
    String text = field.metadata().get(POSITION);
    try {
      long position = text == null ? 0 : Long.parseLong(text);
      return position > 0 ? position : Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
