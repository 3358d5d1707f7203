package dev.lance4j.compaction;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.roaringbitmap.RoaringBitmap;

/** Tables without files, whose metadata is all that planning needs. */
final class PlannedTables {
  private static final LanceSchema SCHEMA =
      LanceSchema.fromArrow(new Schema(List.of(Field.nullable("k", new ArrowType.Int(64, true)))));
  private static final int BYTES_PER_ROW = 8;

  private final Table table =
      Table.at(new StoreLocation(new MemoryObjectStore(), "songs.lance", "memory://songs.lance"));
  private final BufferAllocator allocator;

  /**
   * @param allocator of what reads the table
   */
  PlannedTables(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Makes the table.
   *
   * @param fragments such as {@code "10 10-3 4"}: rows, and how many of them are deleted
   */
  Compaction create(String fragments, boolean stable) {
    List<FragmentMetadata> all = new ArrayList<>();
    for (String text : fragments.split(" ", -1)) {
      String[] rows = text.split("-", -1);
      all.add(fragment(Long.parseLong(rows[0]), rows.length > 1 ? Long.parseLong(rows[1]) : 0));
    }
    return create(all, stable);
  }

  /** Makes the table with so many fragments of so many rows. */
  Compaction create(int fragments, long rows) {
    List<FragmentMetadata> all = new ArrayList<>();
    for (int i = 0; i < fragments; i++) {
      all.add(fragment(rows, 0));
    }
    return create(all, false);
  }

  private Compaction create(List<FragmentMetadata> fragments, boolean stable) {
    return compaction(
        new Committer(table, CommitOptions.DEFAULT.withStableRowIds(stable))
            .create(Transaction.of(0, new Operation.Overwrite(fragments, SCHEMA))));
  }

  private static FragmentMetadata fragment(long rows, long deleted) {
    List<DataFile> files =
        List.of(
            DataFile.of(
                "none.lance",
                List.of(0),
                List.of(0),
                FileVersion.V2_1,
                Math.max(1, rows * BYTES_PER_ROW)));
    FragmentMetadata fragment = FragmentMetadata.of(files, rows);
    return deleted == 0
        ? fragment
        : fragment.withDeletionFile(
            Optional.of(
                new DeletionFile(
                    DeletionFile.Form.ARROW_ARRAY, 1, 7, deleted, OptionalInt.empty())));
  }

  /** Makes an index of one segment that covers some fragments. */
  Compaction index(String name, int... fragments) {
    return segments(name, fragments);
  }

  /** Makes an index of a segment for each of some sets of fragments. */
  Compaction segments(String name, int[]... fragments) {
    List<IndexMetadata> segments = new ArrayList<>();
    for (int[] covered : fragments) {
      segments.add(segment(name).withFragments(RoaringBitmap.bitmapOf(covered)));
    }
    return commit(new Operation.CreateIndex(segments, List.of()));
  }

  /** Makes an index as early writers did, which did not say what it covers. */
  Compaction indexOfUnknownCoverage(String name) {
    return commit(new Operation.CreateIndex(List.of(segment(name)), List.of()));
  }

  private static IndexMetadata segment(String name) {
    return new IndexMetadata(
        UUID.randomUUID(),
        List.of(0),
        name,
        1,
        ByteString.EMPTY,
        Optional.of(new IndexDetails("/lance.table.BTreeIndexDetails", ByteString.EMPTY)),
        OptionalInt.of(0),
        OptionalLong.of(1),
        OptionalInt.empty(),
        List.of(),
        UnknownFieldSet.getDefaultInstance());
  }

  /** Adds a fragment. */
  Compaction append(long rows) {
    return commit(Operation.append(List.of(fragment(rows, 0))));
  }

  /** Changes a setting of the table. */
  Compaction config(String key, String value) {
    return commit(Operation.UpdateConfig.ofConfig(MapUpdate.set(Map.of(key, value))));
  }

  Compaction commit(Operation operation) {
    TableVersion latest = table.latest();
    return compaction(
        new Committer(table, CommitOptions.DEFAULT)
            .commit(latest, Transaction.of(latest.version(), operation)));
  }

  private Compaction compaction(TableVersion version) {
    return new Compaction(new Scan.Source(version, Session.create(0), allocator));
  }

  Table table() {
    return table;
  }
}
