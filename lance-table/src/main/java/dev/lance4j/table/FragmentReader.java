package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.table.internal.FragmentFiles;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Reads some columns of one fragment. Rows are named by their offsets in the fragment's files,
 * where deleted rows count; {@link #deletions} says which those are. Safe for use by many threads;
 * readers that it made must be closed before it.
 */
public final class FragmentReader implements AutoCloseable {
  private final TableVersion version;
  private final FragmentMetadata fragment;
  private final LanceSchema projection;
  private final FragmentFiles files;
  private final Session session;
  private volatile DeletionVector deletions;

  private FragmentReader(
      TableVersion version,
      FragmentMetadata fragment,
      LanceSchema projection,
      FragmentFiles files,
      Session session) {
    this.session = session;
    this.version = version;
    this.fragment = fragment;
    this.projection = projection;
    this.files = files;
  }

  /**
   * Opens those files of a fragment that hold the columns.
   *
   * @param version the version that the fragment is of
   * @param projection the columns, perhaps none, with the field ids of the version's schema; fields
   *     that no file holds read as nulls
   * @param session keeps files and deletion vectors for the next time
   * @throws CorruptFileException if a file is damaged or missing, or has another number of rows
   *     than the manifest says
   * @throws UnsupportedFormatException if a file is of a version that cannot be read
   */
  public static FragmentReader open(
      TableVersion version, FragmentMetadata fragment, LanceSchema projection, Session session) {
    FragmentFiles files = FragmentFiles.open(version, fragment, projection, session);
    return new FragmentReader(version, fragment, projection, files, session);
  }

  /** As above, closing the files with the reader. */
  public static FragmentReader open(
      TableVersion version, FragmentMetadata fragment, LanceSchema projection) {
    return open(version, fragment, projection, Session.create(0));
  }

  /**
   * The path of the data file that holds a field, for errors.
   *
   * @param version the version that the fragment is of
   * @throws CorruptFileException if no file holds the field
   */
  public static String path(TableVersion version, FragmentMetadata fragment, LanceField field) {
    return FragmentFiles.path(version, fragment, field);
  }

  /**
   * Opens the data file that holds a field, for reading bytes that its pages refer to, such as
   * those of blobs.
   *
   * @param version the version that the fragment is of
   * @param session keeps the file open for the next time
   * @throws CorruptFileException if the file is missing, or no file holds the field
   */
  public static Session.Lease<ObjectReader> openObject(
      TableVersion version, FragmentMetadata fragment, LanceField field, Session session) {
    return FragmentFiles.openObject(version, fragment, field, session);
  }

  /**
   * Opens an object with blobs that belongs to the data file that holds a field.
   *
   * @param version the version that the fragment is of
   * @param blobId the number of the object
   * @param session keeps the object open for the next time
   * @throws CorruptFileException if the object is missing, or no file holds the field
   */
  public static Session.Lease<ObjectReader> openSidecar(
      TableVersion version,
      FragmentMetadata fragment,
      LanceField field,
      int blobId,
      Session session) {
    return FragmentFiles.openSidecar(version, fragment, field, blobId, session);
  }

  /**
   * Opens an object that a blob refers to and the table does not own.
   *
   * @param version the version that the blob is of
   * @param baseId the id of the base path that the object lies below; 0 for an absolute URI
   * @param path below the base path, or the URI
   * @param session keeps the object open for the next time
   * @throws CorruptFileException if there is no such base path or object
   */
  public static Session.Lease<ObjectReader> openExternal(
      TableVersion version, int baseId, String path, Session session) {
    return FragmentFiles.openExternal(version, baseId, path, session);
  }

  /**
   * The number of rows of a fragment that are not deleted, from the manifest where it records that.
   */
  public static long liveRows(TableVersion version, FragmentMetadata fragment, Session session) {
    boolean deletedKnown = fragment.deletionFile().isEmpty() || fragment.deletedRows() > 0;
    if (version.manifest().hasReliableRowCounts()
        && fragment.physicalRows() > 0
        && deletedKnown
        && fragment.deletedRows() <= fragment.physicalRows()) {
      return fragment.physicalRows() - fragment.deletedRows();
    }
    LanceSchema nothing = new LanceSchema(List.of(), Map.of());
    try (FragmentReader reader = open(version, fragment, nothing, session)) {
      return reader.liveRows();
    }
  }

  /**
   * Adds up the bytes that each field takes in the data files of a fragment. Opens the files, but
   * reads no data.
   *
   * @param bytes by field id, to add to
   * @throws UnsupportedFormatException if a file is of version 0.1, which does not tell
   */
  public static void addFieldBytes(
      TableVersion version, FragmentMetadata fragment, Session session, Map<Integer, Long> bytes) {
    FragmentFiles.addFieldBytes(version, fragment, session, bytes);
  }

  /** The fragment. */
  public FragmentMetadata fragment() {
    return fragment;
  }

  /** The columns. */
  public LanceSchema projection() {
    return projection;
  }

  /** The number of rows, deleted ones included. */
  public long physicalRows() {
    return files.rows();
  }

  /** The number of rows that are not deleted. */
  public long liveRows() {
    return physicalRows() - deletions().cardinality();
  }

  /**
   * The deleted rows, which are read when first asked for.
   *
   * @throws CorruptFileException if the deletion file is damaged or missing
   */
  public DeletionVector deletions() {
    DeletionVector known = deletions;
    if (known == null) {
      known = DeletionFiles.read(version, fragment, session);
      if (known.last() >= physicalRows()) {
        throw new CorruptFileException(
            version.location().path(),
            -1,
            "row "
                + known.last()
                + " of fragment "
                + fragment.id()
                + " is deleted, but it has only "
                + physicalRows());
      }
      deletions = known;
    }
    return known;
  }

  /**
   * The offsets of rows that are named by their number among those that are not deleted.
   *
   * @param live numbers of rows, less than {@link #liveRows}
   */
  public RowRanges toOffsets(RowRanges live) {
    return deletions().toOffsets(live);
  }

  /** The offsets of all rows that are not deleted. */
  public RowRanges liveRanges() {
    return deletions().liveRanges(0, physicalRows());
  }

  /**
   * Reads rows, deleted or not.
   *
   * @param offsets inside the fragment
   * @return one array for each column, owned by the caller
   */
  public List<ArrayData> read(RowRanges offsets, BufferAllocator allocator) {
    return files.read(offsets, allocator);
  }

  /**
   * Reads rows in any order, repeated where they are, deleted or not.
   *
   * @param offsets inside the fragment
   * @return one array for each column, owned by the caller
   */
  public List<ArrayData> take(long[] offsets, BufferAllocator allocator) {
    return files.take(offsets, allocator);
  }

  /**
   * Starts reading all rows that are not deleted.
   *
   * @param batchSize the most rows of a batch
   * @param allocator where the batches come from; must outlive the reader
   */
  public ArrowReader scan(int batchSize, BufferAllocator allocator) {
    return new ArrayBatchReader(
        allocator, projection.toArrow(), new Batches(liveRanges(), batchSize, allocator));
  }

  @Override
  public void close() {
    files.close();
  }

  /** The rows in batches. */
  private final class Batches implements ArrayBatchReader.Source {
    private final RowRanges offsets;
    private final int batchSize;
    private final BufferAllocator allocator;
    private long done;

    Batches(RowRanges offsets, int batchSize, BufferAllocator allocator) {
      this.offsets = offsets;
      this.batchSize = batchSize;
      this.allocator = allocator;
    }

    @Override
    public ArrayBatch next() {
      if (done >= offsets.rows()) {
        return null;
      }
      RowRanges batch = offsets.select(done, batchSize);
      done += batch.rows();
      return new ArrayBatch((int) batch.rows(), read(batch, allocator));
    }

    @Override
    public void close() {}
  }
}
