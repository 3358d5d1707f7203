package dev.lance4j.table;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.internal.MessageBytes;
import dev.lance4j.table.internal.TransactionJson;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;

/**
 * One segment of an index; the segments of one name form the index. Whatever of it this version
 * does not understand is carried from manifest to manifest as it is.
 *
 * @param uuid names the segment's directory
 * @param fieldIds the fields, the key first; system indices have none
 * @param name of the index
 * @param datasetVersion the version of the table whose data the segment covers
 * @param fragmentBytes the covered fragments as a portable Roaring bitmap; empty when not known
 * @param details what the kind of index records
 * @param indexVersion the version of the index's format; absent means 0
 * @param createdAtMillis milliseconds since the epoch
 * @param baseId the base that the segment lies in; the table's own root if absent
 * @param files all files of the segment; empty when not known
 * @param unknown fields of later writers
 */
public record IndexMetadata(
    UUID uuid,
    List<Integer> fieldIds,
    String name,
    long datasetVersion,
    ByteString fragmentBytes,
    Optional<IndexDetails> details,
    OptionalInt indexVersion,
    OptionalLong createdAtMillis,
    OptionalInt baseId,
    List<IndexFile> files,
    UnknownFieldSet unknown)
    implements Serializable {

  /** The name of the index that maps addresses of rewritten fragments to new ones. */
  public static final String FRAGMENT_REUSE = "__lance_frag_reuse";

  /** The name of the index that describes the table's write-ahead memory tables. */
  public static final String MEM_WAL = "__lance_mem_wal";

  private static final List<String> ZONE_DETAILS =
      List.of("ZoneMapIndexDetails", "BloomFilterIndexDetails");

  public IndexMetadata {
    fieldIds = List.copyOf(fieldIds);
    files = List.copyOf(files);
  }

  /** The ids of the covered fragments, or nothing if that is not known. The caller owns the set. */
  public Optional<RoaringBitmap> fragments() {
    return fragmentBytes.isEmpty()
        ? Optional.empty()
        : Optional.of(RoaringBytes.parse(fragmentBytes.asReadOnlyByteBuffer(), name, -1));
  }

  /** Whether this is one of the indices that the table keeps for itself. */
  public boolean isSystem() {
    return name.equals(FRAGMENT_REUSE) || name.equals(MEM_WAL);
  }

  /**
   * Whether the segment says something about ranges of rows by their addresses, so that it serves
   * no fragment but those it was built from, even if the table has stable row ids.
   */
  public boolean coversZones() {
    return details.isPresent() && ZONE_DETAILS.stream().anyMatch(details.get()::is);
  }

  /**
   * This segment with its content written anew to another directory of the table's own root.
   *
   * @param version of the new content's format
   * @param newFiles all files there; empty when not known
   */
  public IndexMetadata rewritten(UUID newUuid, int version, List<IndexFile> newFiles) {
    return new IndexMetadata(
        newUuid,
        fieldIds,
        name,
        datasetVersion,
        fragmentBytes,
        details,
        OptionalInt.of(version),
        createdAtMillis,
        OptionalInt.empty(),
        newFiles,
        unknown);
  }

  /** This segment as one of another index. */
  public IndexMetadata withName(String newName) {
    return new IndexMetadata(
        uuid,
        fieldIds,
        newName,
        datasetVersion,
        fragmentBytes,
        details,
        indexVersion,
        createdAtMillis,
        baseId,
        files,
        unknown);
  }

  /** This segment covering other fragments. */
  public IndexMetadata withFragments(RoaringBitmap covered) {
    return new IndexMetadata(
        uuid,
        fieldIds,
        name,
        datasetVersion,
        RoaringBytes.toBytes(covered),
        details,
        indexVersion,
        createdAtMillis,
        baseId,
        files,
        unknown);
  }

  /** This segment in a base. */
  public IndexMetadata withBaseId(int base) {
    return new IndexMetadata(
        uuid,
        fieldIds,
        name,
        datasetVersion,
        fragmentBytes,
        details,
        indexVersion,
        createdAtMillis,
        OptionalInt.of(base),
        files,
        unknown);
  }

  /** This segment as JSON: an object with the fields of the format's message of it. */
  public String toJson() {
    return TransactionJson.toJson(this);
  }

  /**
   * Reads what {@link #toJson} writes.
   *
   * @throws dev.lance4j.format.InvalidInputException if it is not the JSON of an index segment
   */
  public static IndexMetadata fromJson(String json) {
    return TransactionJson.index(json);
  }

  private Object writeReplace() {
    return MessageBytes.of(this);
  }
}
