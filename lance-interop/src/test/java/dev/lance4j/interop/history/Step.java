package dev.lance4j.interop.history;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;

/**
 * A kind of change and the chance that makes one of it, whatever the table holds then: so that a
 * history can be cut down and the steps that are left still make sense.
 */
record Step(Kind kind, long seed) {
  /** What can happen; the more common ones come several times. */
  enum Kind {
    APPEND(5),
    OVERWRITE(1),
    DELETE(4),
    TRUNCATE(1),
    UPDATE(5),
    MERGE(7),
    ADD_EXPRESSION(1),
    ADD_ROWS(1),
    ADD_NULLS(1),
    JOIN(1),
    COMPUTE(1),
    DROP(2),
    RENAME(2),
    CAST(2),
    RESTORE(2),
    CLEAN_UP(1),
    COMPACT(2);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  static List<Step> random(Random random, int count, Set<Kind> without) {
    List<Kind> kinds = new ArrayList<>();
    for (Kind kind : EnumSet.complementOf(EnumSet.copyOf(without))) {
      for (int i = 0; i < kind.weight; i++) {
        kinds.add(kind);
      }
    }
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(new Step(kinds.get(random.nextInt(kinds.size())), random.nextLong()));
    }
    return steps;
  }

  /** The change of the newest of some versions; an append where the kind does not fit. */
  Change change(NavigableMap<Long, Content> versions) {
    Random random = new Random(seed);
    Content before = versions.lastEntry().getValue();
    Change change =
        switch (kind) {
          case APPEND -> null;
          case OVERWRITE -> RowChanges.Overwrite.random(before, random);
          case DELETE -> RowChanges.Delete.random(before, random);
          case TRUNCATE -> RowChanges.Delete.all(before);
          case UPDATE -> RowChanges.Update.random(before, random);
          case MERGE -> MergeRows.random(before, random);
          case ADD_EXPRESSION -> ColumnChanges.AddExpression.random(before, random);
          case ADD_ROWS -> ColumnChanges.AddRows.random(before, random);
          case ADD_NULLS -> ColumnChanges.AddNulls.random(before, random);
          case JOIN -> DerivedColumns.Join.random(before, random);
          case COMPUTE -> DerivedColumns.Compute.random(before, random);
          case DROP -> ColumnChanges.Alter.drop(before, random);
          case RENAME -> ColumnChanges.Alter.rename(before, random);
          case CAST -> ColumnChanges.Alter.cast(before, random);
          case RESTORE -> restore(versions, random);
          case CLEAN_UP -> new VersionChanges.CleanUp(before, any(versions, random));
          case COMPACT -> new VersionChanges.Compact(before, 1 + random.nextInt(40));
        };
    return change == null ? RowChanges.Append.random(before, random) : change;
  }

  private static Change restore(NavigableMap<Long, Content> versions, Random random) {
    long number = any(versions, random);
    return new VersionChanges.Restore(versions.get(number), number);
  }

  private static long any(NavigableMap<Long, Content> versions, Random random) {
    return List.copyOf(versions.keySet()).get(random.nextInt(versions.size()));
  }
}
