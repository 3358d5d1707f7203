package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.internal.blob.Sidecars;
import dev.lance4j.format.internal.container.FileBatches;
import dev.lance4j.format.internal.container.FileProjection;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The open data files of a fragment, as far as a projection needs them. Rows are counted with the
 * deleted ones. Safe for use by many threads.
 */
public final class FragmentFiles implements AutoCloseable {
  // About what an open object takes in memory.
  private static final long OBJECT_BYTES = 1024;

  private final List<OpenDataFile> files;
  private final List<FragmentColumn> columns;
  private final long rows;

  private FragmentFiles(List<OpenDataFile> files, List<FragmentColumn> columns, long rows) {
    this.files = files;
    this.columns = columns;
    this.rows = rows;
  }

  /**
   * Opens the files.
   *
   * @param projection what to read, matched by field id
   * @param session keeps the files open
   * @throws CorruptFileException if a file is damaged or missing, or has another number of rows
   *     than the fragment
   */
  public static FragmentFiles open(
      TableVersion version, FragmentMetadata fragment, LanceSchema projection, Session session) {
    FieldOwners owners = new FieldOwners(fragment);
    SortedMap<Integer, List<LanceField>> wanted = new TreeMap<>();
    for (LanceField field : projection.fields()) {
      for (int file : owners.filesOf(field)) {
        wanted.computeIfAbsent(file, f -> new ArrayList<>()).add(owners.part(field, file));
      }
    }
    boolean rowsKnown = version.manifest().hasReliableRowCounts() && fragment.physicalRows() > 0;
    if (wanted.isEmpty() && !rowsKnown && !fragment.files().isEmpty()) {
      wanted.put(0, List.of());
    }
    List<OpenDataFile> files = new ArrayList<>();
    boolean complete = false;
    try {
      for (Map.Entry<Integer, List<LanceField>> entry : wanted.entrySet()) {
        DataFile file = fragment.files().get(entry.getKey());
        files.add(OpenDataFile.open(version, file, entry.getValue(), session));
      }
      long rows = rowsKnown || files.isEmpty() ? fragment.physicalRows() : files.get(0).rows();
      checkRows(files, rows, version, fragment);
      List<FragmentColumn> columns = columns(projection, owners, wanted, version, fragment);
      complete = true;
      return new FragmentFiles(files, columns, rows);
    } finally {
      if (!complete) {
        files.forEach(OpenDataFile::close);
      }
    }
  }

  /**
   * Opens the data file that holds a field for reading bytes that its pages refer to.
   *
   * @param field of one data file
   * @param session keeps the file open
   * @throws CorruptFileException if the file is missing, or no file holds the field
   */
  public static Session.Lease<ObjectReader> openObject(
      TableVersion version, FragmentMetadata fragment, LanceField field, Session session) {
    DataFile file = owner(version, fragment, field);
    StoreLocation location = version.table().locate(file, version.manifest());
    return acquire(location, file.sizeBytes(), version, "the data file", session);
  }

  /**
   * Opens an object with blobs that belongs to the data file that holds a field.
   *
   * @param blobId the number of the object
   * @throws CorruptFileException if the object is missing, or no file holds the field
   */
  public static Session.Lease<ObjectReader> openSidecar(
      TableVersion version,
      FragmentMetadata fragment,
      LanceField field,
      int blobId,
      Session session) {
    DataFile file = owner(version, fragment, field);
    StoreLocation dataFile = version.table().locate(file, version.manifest());
    String path = Sidecars.path(dataFile.path(), blobId);
    StoreLocation location =
        new StoreLocation(dataFile.store(), path, Sidecars.path(dataFile.uri(), blobId));
    return acquire(location, 0, version, "the object with the blobs of a data file", session);
  }

  /**
   * Opens an object that the table does not own.
   *
   * @param baseId the id of the base path that the object lies below; 0 for an absolute URI
   * @param path below the base path, or the URI
   * @throws CorruptFileException if there is no such base path or object
   */
  public static Session.Lease<ObjectReader> openExternal(
      TableVersion version, int baseId, String path, Session session) {
    StoreLocation location = version.table().locateExternal(baseId, path, version.manifest());
    return acquire(location, 0, version, "the object with an external blob", session);
  }

  /**
   * The path of the data file that holds a field.
   *
   * @throws CorruptFileException if no file holds it
   */
  public static String path(TableVersion version, FragmentMetadata fragment, LanceField field) {
    return version.table().locate(owner(version, fragment, field), version.manifest()).path();
  }

  private static DataFile owner(TableVersion version, FragmentMetadata fragment, LanceField field) {
    SortedSet<Integer> owners = new FieldOwners(fragment).filesOf(field);
    if (owners.isEmpty()) {
      throw new CorruptFileException(
          version.location().path(),
          -1,
          "no data file of fragment " + fragment.id() + " holds field '" + field.name() + "'");
    }
    return fragment.files().get(owners.first());
  }

  private static Session.Lease<ObjectReader> acquire(
      StoreLocation location, long size, TableVersion version, String what, Session session) {
    return session.acquire(
        new ObjectKey(location.store(), location.path()),
        () -> openObject(location, size, version, what),
        reader -> OBJECT_BYTES);
  }

  private static ObjectReader openObject(
      StoreLocation location, long size, TableVersion version, String what) {
    try {
      return size > 0
          ? location.store().open(location.path(), size)
          : location.store().open(location.path());
    } catch (ObjectNotFoundException e) {
      throw new CorruptFileException(
          location.path(),
          -1,
          what + " is missing, but " + version.location().path() + " refers to it",
          e);
    }
  }

  /**
   * The bytes that each field takes in the data files of a fragment.
   *
   * @param bytes by field id, to add to
   */
  public static void addFieldBytes(
      TableVersion version, FragmentMetadata fragment, Session session, Map<Integer, Long> bytes) {
    for (DataFile file : fragment.files()) {
      try (OpenDataFile open = OpenDataFile.open(version, file, List.of(), session)) {
        open.fieldBytes(file).forEach((field, more) -> bytes.merge(field, more, Long::sum));
      }
    }
  }

  /** Data files never change, so that store and path identify what is in one. */
  private record ObjectKey(ObjectStore store, String path) {}

  private static void checkRows(
      List<OpenDataFile> files, long rows, TableVersion version, FragmentMetadata fragment) {
    for (OpenDataFile file : files) {
      if (file.rows() != rows) {
        throw new CorruptFileException(
            file.path(),
            -1,
            String.format(
                "the file has %d rows, but fragment %d of %s has %d",
                file.rows(), fragment.id(), version.location().path(), rows));
      }
    }
  }

  private static List<FragmentColumn> columns(
      LanceSchema projection,
      FieldOwners owners,
      SortedMap<Integer, List<LanceField>> wanted,
      TableVersion version,
      FragmentMetadata fragment) {
    List<Integer> numbers = new ArrayList<>(wanted.keySet());
    int[] positions = new int[numbers.size()];
    List<FragmentColumn> columns = new ArrayList<>(projection.fields().size());
    for (LanceField field : projection.fields()) {
      SortedSet<Integer> from = owners.filesOf(field);
      if (from.isEmpty() && !field.nullable()) {
        throw new CorruptFileException(
            version.location().path(),
            -1,
            "no data file of fragment "
                + fragment.id()
                + " has values of field '"
                + field.name()
                + "', which must not be null");
      }
      List<FragmentColumn.Source> sources = new ArrayList<>(from.size());
      for (int number : from) {
        int file = numbers.indexOf(number);
        int position = positions[file]++;
        sources.add(new FragmentColumn.Source(file, position, wanted.get(number).get(position)));
      }
      columns.add(new FragmentColumn(field, sources));
    }
    return columns;
  }

  /** The number of rows, deleted ones included. */
  public long rows() {
    return rows;
  }

  /**
   * Reads rows of all fields of the projection.
   *
   * @param offsets inside the fragment
   * @return one array for each field, owned by the caller
   */
  public List<ArrayData> read(RowRanges offsets, BufferAllocator allocator) {
    return read(Math.toIntExact(offsets.rows()), allocator, file -> file.read(offsets, allocator));
  }

  /**
   * Reads rows in any order, repeated where they are.
   *
   * @param offsets inside the fragment
   * @return one array for each field, owned by the caller
   */
  public List<ArrayData> take(long[] offsets, BufferAllocator allocator) {
    return read(offsets.length, allocator, file -> FileBatches.take(file, offsets, allocator));
  }

  private List<ArrayData> read(
      int count, BufferAllocator allocator, Function<FileProjection, List<ArrayData>> readFile) {
    List<List<ArrayData>> arrays = new ArrayList<>(files.size());
    List<ArrayData> assembled = new ArrayList<>(columns.size());
    boolean complete = false;
    try {
      for (OpenDataFile file : files) {
        arrays.add(readFile.apply(file.projection()));
      }
      for (FragmentColumn column : columns) {
        assembled.add(column.assemble(arrays, count, allocator));
      }
      complete = true;
      return assembled;
    } finally {
      arrays.forEach(list -> list.forEach(ArrayData::close));
      if (!complete) {
        assembled.forEach(ArrayData::close);
      }
    }
  }

  @Override
  public void close() {
    files.forEach(OpenDataFile::close);
  }
}
