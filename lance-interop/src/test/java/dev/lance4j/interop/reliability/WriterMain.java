package dev.lance4j.interop.reliability;

import dev.lance4j.interop.reliability.Change.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A process that makes random changes to rows of its own in a table that others change too, and
 * keeps a log of them.
 *
 * <p>Arguments: the table's URI, which library writes, the first key of the writer, how many
 * changes to make, the seed, the log.
 */
final class WriterMain {
  private static final int MOST_ROWS = 6;
  private static final List<Kind> KINDS = List.of(Kind.values());

  private final SharedTable table;
  private final ChangeLog log;
  private final Random random;
  private final TreeMap<Long, Long> mine = new TreeMap<>();
  private long nextKey;

  private WriterMain(SharedTable table, ChangeLog log, long firstKey, long seed) {
    this.table = table;
    this.log = log;
    this.random = new Random(seed);
    this.nextKey = firstKey;
  }

  public static void main(String[] arguments) {
    String uri = arguments[0];
    long seed = Long.parseLong(arguments[4]);
    try (SharedTable table =
        arguments[1].equals(Writers.ORACLE) ? new OracleTable(uri) : new Lance4jTable(uri, seed)) {
      ChangeLog log = new ChangeLog(Path.of(arguments[5]));
      new WriterMain(table, log, Long.parseLong(arguments[2]), seed)
          .run(Integer.parseInt(arguments[3]));
    }
  }

  private void run(int changes) {
    for (int number = 0; number < changes; number++) {
      Change change = next(number);
      log.begin(change);
      try {
        table.carryOut(change);
      } catch (RuntimeException e) {
        log.fail(e);
        continue;
      }
      change.applyTo(mine);
      log.acknowledge();
    }
  }

  private Change next(int number) {
    Kind kind = mine.isEmpty() ? Kind.APPEND : KINDS.get(random.nextInt(KINDS.size()));
    return switch (kind) {
      case APPEND -> new Change(number, kind, fresh(), List.of());
      case DELETE -> new Change(number, kind, new TreeMap<>(), some());
      case COMPACT -> new Change(number, kind, new TreeMap<>(), List.of());
      case UPDATE -> new Change(number, kind, revalued(), List.of());
      case MERGE -> {
        SortedMap<Long, Long> rows = revalued();
        rows.putAll(fresh());
        yield new Change(number, kind, rows, List.of());
      }
    };
  }

  private SortedMap<Long, Long> fresh() {
    SortedMap<Long, Long> rows = new TreeMap<>();
    for (int i = 1 + random.nextInt(MOST_ROWS); i > 0; i--) {
      rows.put(nextKey++, random.nextLong());
    }
    return rows;
  }

  private SortedMap<Long, Long> revalued() {
    SortedMap<Long, Long> rows = new TreeMap<>();
    some().forEach(key -> rows.put(key, random.nextLong()));
    return rows;
  }

  /** Some of the keys that are there. */
  private List<Long> some() {
    List<Long> keys = new ArrayList<>(mine.keySet());
    Collections.shuffle(keys, random);
    return List.copyOf(keys.subList(0, Math.min(keys.size(), 1 + random.nextInt(MOST_ROWS))));
  }
}
