package dev.lance4j.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.write.internal.FragmentAdditions;
import dev.lance4j.write.internal.FragmentUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.roaringbitmap.RoaringBitmap;

/**
 * Changes the columns of one fragment, for engines that do so on many machines and commit the
 * results together. Nothing is committed here.
 */
public final class FragmentColumns {
  private final Scan.Source source;
  private final FragmentMetadata fragment;

  /**
   * A fragment with more columns. When all fragments have them, an {@link Operation.Merge} of the
   * fragments and the schema is to be committed.
   *
   * @param fragment with one more data file
   * @param schema of the table afterwards, the same for all fragments of a version
   */
  public record Added(FragmentMetadata fragment, LanceSchema schema) {}

  /**
   * A fragment with other values, to be committed by {@link #operation}.
   *
   * @param fragment with one more data file; the fields that it holds are tombstones elsewhere
   * @param fieldsModified the ids of the fields
   * @param offsets of the rows that were changed, ascending
   */
  public record Updated(
      FragmentMetadata fragment, List<Integer> fieldsModified, List<Long> offsets) {}

  /**
   * The operation that commits updates of several fragments together.
   *
   * @param updates of different fragments of one version, all of the same columns
   */
  public static Operation.Update operation(List<Updated> updates) {
    List<FragmentMetadata> fragments = new ArrayList<>();
    Set<Integer> fields = new TreeSet<>();
    RowAddressSet.Builder rows = RowAddressSet.builder();
    for (Updated update : updates) {
      if (!update.offsets().isEmpty()) {
        fragments.add(update.fragment());
        fields.addAll(update.fieldsModified());
        RoaringBitmap offsets = new RoaringBitmap();
        update.offsets().forEach(offset -> offsets.add((int) (long) offset));
        rows.addOffsets(update.fragment().id(), offsets);
      }
    }
    return new Operation.Update(
        List.of(),
        fragments,
        List.of(),
        List.copyOf(fields),
        List.of(),
        List.of(),
        Operation.UpdateMode.REWRITE_COLUMNS,
        Optional.empty(),
        rows.build());
  }

  /**
   * @param source the version
   * @param fragmentId a fragment of it
   * @throws InvalidInputException if there is no such fragment
   */
  public FragmentColumns(Scan.Source source, long fragmentId) {
    this.source = source;
    this.fragment =
        source
            .version()
            .manifest()
            .fragment(fragmentId)
            .orElseThrow(
                () ->
                    new InvalidInputException(
                        "There is no fragment " + fragmentId + " in " + source.version()));
  }

  /**
   * Adds columns; rows from elsewhere are those of the fragment.
   *
   * @throws SchemaMismatchException if a name is taken or reserved, or a type cannot be stored
   * @throws InvalidInputException if an expression does not fit the table, or there are more or
   *     fewer values than rows
   */
  public Added add(NewColumns columns) {
    FragmentAdditions additions = new FragmentAdditions(source, Scan.DEFAULT_BATCH_SIZE);
    return new Added(additions.add(fragment, columns), additions.schema());
  }

  /** Adds columns of rows that are found by a key; see {@link SchemaEvolution#joinColumns}. */
  public Added join(BatchSource right, String leftOn, String rightOn) {
    FragmentAdditions additions = new FragmentAdditions(source, Scan.DEFAULT_BATCH_SIZE);
    return new Added(additions.join(fragment, right, leftOn, rightOn), additions.schema());
  }

  /**
   * Gives columns the values of rows that are found by a key. Rows without a partner keep theirs.
   *
   * @param right the key and the columns, which the table has with the same types
   * @param leftOn the key in the table: a column, {@code _rowid} or {@code _rowaddr}
   * @param rightOn the key on the right side, of the same type; unsigned 64-bit for row ids
   * @throws SchemaMismatchException if a column does not exist or has another type
   * @throws InvalidInputException if a key does not exist, or the right side has no batches
   */
  public Updated update(BatchSource right, String leftOn, String rightOn) {
    return new FragmentUpdate(source, fragment).apply(right, leftOn, rightOn);
  }
}
