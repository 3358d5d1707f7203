package dev.lance4j.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.SequenceLocation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.internal.DataWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.roaringbitmap.RoaringBitmap;

/** Tables of numbers {@code k} and {@code v} that are changed by commits made by hand. */
final class StableTables {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("k", new ArrowType.Int(64, true)),
              Field.nullable("v", new ArrowType.Int(64, true))));

  private StableTables() {}

  /** Rows whose {@code k} are given and whose {@code v} is {@code k + plus}. */
  static ArrowTable rows(long[] keys, long plus, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    for (int i = 0; i < keys.length; i++) {
      ((BigIntVector) root.getVector("k")).setSafe(i, keys[i]);
      ((BigIntVector) root.getVector("v")).setSafe(i, keys[i] + plus);
    }
    root.setRowCount(keys.length);
    return new ArrowTable(root, new MapDictionaryProvider());
  }

  /** Consecutive keys. */
  static long[] keys(int from, int to) {
    long[] keys = new long[to - from];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (long) from + i;
    }
    return keys;
  }

  static Table table(String uri) {
    return Table.at(ObjectStores.resolve(uri, Map.of()));
  }

  static TableVersion commit(Table table, Operation operation) {
    TableVersion latest = table.latest();
    return new Committer(table, CommitOptions.DEFAULT)
        .commit(latest, Transaction.of(latest.version(), operation));
  }

  /** Which fragments lose rows, and which all of them. */
  record Removal(List<FragmentMetadata> updated, List<Long> removed) {}

  /** Writes deletion files for rows, given by fragment. */
  static Removal removal(Table table, SortedMap<Long, RoaringBitmap> offsets) {
    TableVersion latest = table.latest();
    List<FragmentMetadata> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    offsets.forEach(
        (id, bitmap) -> {
          FragmentMetadata fragment = latest.manifest().fragment(id).orElseThrow();
          DeletionVector vector = DeletionFiles.read(latest, fragment).plus(bitmap);
          if (vector.cardinality() == fragment.physicalRows()) {
            removed.add(id);
          } else {
            updated.add(
                fragment.withDeletionFile(
                    Optional.of(DeletionFiles.write(table, fragment, latest.version(), vector))));
          }
        });
    return new Removal(updated, removed);
  }

  static SortedMap<Long, RoaringBitmap> offsets(long fragmentId, int... offsets) {
    SortedMap<Long, RoaringBitmap> byFragment = new TreeMap<>();
    byFragment.put(fragmentId, RoaringBitmap.bitmapOf(offsets));
    return byFragment;
  }

  static TableVersion delete(Table table, SortedMap<Long, RoaringBitmap> offsets) {
    Removal removal = removal(table, offsets);
    return commit(
        table, new Operation.Delete(removal.updated(), removal.removed(), "rows by offset"));
  }

  /**
   * Gives rows new values and adds some.
   *
   * @param offsets where the rows are, by fragment
   * @param rowIds of the rows, which come first among {@code rows}
   */
  static TableVersion update(
      Table table,
      SortedMap<Long, RoaringBitmap> offsets,
      long[] rowIds,
      ArrowTable rows,
      BufferAllocator allocator) {
    FragmentMetadata written = write(table, rows, allocator);
    ByteString ids = RowIdSequence.of(rowIds).toByteString();
    Removal removal = removal(table, offsets);
    return commit(
        table,
        new Operation.Update(
            removal.removed(),
            removal.updated(),
            List.of(written.withRowIds(new SequenceLocation.Inline(ids))),
            List.of(),
            List.of(),
            List.of(0, 1),
            Operation.UpdateMode.REWRITE_ROWS,
            Optional.empty()));
  }

  private static FragmentMetadata write(Table table, ArrowTable rows, BufferAllocator allocator) {
    InsertOptions options =
        new InsertOptions(allocator, Optional.empty(), 1_000, Long.MAX_VALUE, false);
    try (DataWriter writer =
        new DataWriter(table, table.latest().manifest().schema(), FileVersion.V2_1, options)) {
      writer.writeAll(BatchSource.of(rows.root(), rows.dictionaries()));
      return writer.finish().get(0);
    }
  }

  /** The bytes in what the real library gives as a sequence. */
  static ByteString inline(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      JsonNode array = node.has("Inline") ? node.get("Inline") : node.get("inline");
      byte[] bytes = new byte[array.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) array.get(i).asInt();
      }
      return ByteString.copyFrom(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ByteString inline(Optional<SequenceLocation> location) {
    return ((SequenceLocation.Inline) location.orElseThrow()).bytes();
  }
}
