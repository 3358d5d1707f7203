package dev.lance4j.compaction.internal;

import com.google.protobuf.ByteString;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowVersionSequence;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.SequenceLocation;
import dev.lance4j.table.StableRows;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** The stable ids of rows that move, and the versions in which they were created and changed. */
final class StableIdentity {
  private final Scan.Source source;
  private final StableRows rows;

  StableIdentity(Scan.Source source) {
    this.source = source;
    this.rows = new StableRows(source.version(), source.session());
  }

  /**
   * New fragments with the identity of the live rows of old ones, which they hold in order.
   *
   * @throws dev.lance4j.format.CorruptFileException if what is recorded about the rows is damaged
   */
  List<FragmentMetadata> carry(List<FragmentMetadata> old, List<FragmentMetadata> fresh) {
    List<RowIdSequence> ids = new ArrayList<>(old.size());
    List<RowVersionSequence> created = new ArrayList<>(old.size());
    List<RowVersionSequence> updated = new ArrayList<>(old.size());
    for (FragmentMetadata fragment : old) {
      RoaringBitmap deleted =
          DeletionFiles.read(source.version(), fragment, source.session()).offsets();
      RowVersionSequence births = rows.createdVersions(fragment);
      RowVersionSequence changes =
          fragment.lastUpdatedVersions().isPresent() ? rows.lastUpdatedVersions(fragment) : births;
      ids.add(rows.rowIds(fragment).mask(deleted));
      created.add(births.mask(deleted));
      updated.add(changes.mask(deleted));
    }
    long[] lengths = fresh.stream().mapToLong(FragmentMetadata::physicalRows).toArray();
    List<RowIdSequence> newIds = RowIdSequence.rechunk(ids, lengths, false);
    List<RowVersionSequence> newCreated = RowVersionSequence.rechunk(created, lengths);
    List<RowVersionSequence> newUpdated = RowVersionSequence.rechunk(updated, lengths);
    List<FragmentMetadata> identified = new ArrayList<>(fresh.size());
    for (int i = 0; i < lengths.length; i++) {
      identified.add(
          fresh
              .get(i)
              .withRowIds(inline(newIds.get(i).toByteString()))
              .withRowVersions(
                  inline(newUpdated.get(i).toByteString()),
                  inline(newCreated.get(i).toByteString())));
    }
    return identified;
  }

  private static SequenceLocation inline(ByteString bytes) {
    return new SequenceLocation.Inline(bytes);
  }
}
