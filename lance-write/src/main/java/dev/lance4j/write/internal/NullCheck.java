package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.List;
import java.util.Map;

/** Looks for nulls in fields that may have none from now on. */
final class NullCheck {
  private final Scan.Source source;
  private final int batchSize;

  NullCheck(Scan.Source source, int batchSize) {
    this.source = source;
    this.batchSize = batchSize;
  }

  /**
   * Checks a field.
   *
   * @param path the field and those around it, the outermost first
   * @throws InvalidInputException if a live row has a null there
   */
  void check(List<LanceField> path, String name) {
    LanceField narrowed = path.get(path.size() - 1);
    for (int i = path.size() - 2; i >= 0; i--) {
      narrowed = path.get(i).withChildren(List.of(narrowed));
    }
    LanceSchema projection = new LanceSchema(List.of(BlobV2Fields.described(narrowed)), Map.of());
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      try (FragmentReader reader =
          FragmentReader.open(source.version(), fragment, projection, source.session())) {
        if (hasNull(reader, path)) {
          throw new InvalidInputException(
              "Column '" + name + "' contains NULL values and cannot be made non-nullable");
        }
      }
    }
  }

  private boolean hasNull(FragmentReader reader, List<LanceField> path) {
    RowRanges live = reader.liveRanges();
    for (long done = 0; done < live.rows(); done += batchSize) {
      List<ArrayData> read = reader.read(live.select(done, batchSize), source.allocator());
      try {
        if (hasNull(read.get(0), path)) {
          return true;
        }
      } finally {
        read.forEach(ArrayData::close);
      }
    }
    return false;
  }

  /** Whether a value of the innermost field is null, inside of structs that are not. */
  private static boolean hasNull(ArrayData data, List<LanceField> path) {
    ArrayData array = data;
    boolean[] visible = null;
    for (LanceField around : path.subList(0, path.size() - 1)) {
      visible = around.logicalType().equals("struct") ? visible(array, visible) : null;
      array = array.child(0);
    }
    if (array.bufferCount() == 0) {
      return array.length() > 0;
    }
    for (int i = 0; array.nullCount() > 0 && i < array.length(); i++) {
      if (!array.isValid(i) && (visible == null || visible[i])) {
        return true;
      }
    }
    return false;
  }

  /** The rows in which neither a struct nor those around it are null. */
  private static boolean[] visible(ArrayData struct, boolean[] around) {
    boolean[] visible = new boolean[struct.length()];
    for (int i = 0; i < visible.length; i++) {
      visible[i] = struct.isValid(i) && (around == null || around[i]);
    }
    return visible;
  }
}
