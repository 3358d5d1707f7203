package dev.lance4j.format.internal.blob;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects with blobs that belong to one data file: in the folder of its name without {@code
 * .lance}, numbered from 1 on. They are removed unless the data file is finished.
 */
public final class Sidecars implements AutoCloseable {
  private static final String DATA_FILE = ".lance";
  // A reader of one blob need not hold more open, and a lost object loses no more.
  private static final long MAX_PACK_BYTES = 1L << 30;

  private final ObjectStore store;
  private final String dataFile;
  private final List<String> complete = new ArrayList<>();
  private ObjectWriter pack;
  private int packId;
  private int lastId;
  private boolean finished;

  /**
   * @param dataFile the path of the data file that the blobs belong to
   */
  public Sidecars(ObjectStore store, String dataFile) {
    this.store = store;
    this.dataFile = dataFile;
  }

  /** The path of an object that belongs to a data file. */
  public static String path(String dataFile, int blobId) {
    String bits = Integer.toBinaryString(Integer.reverse(blobId));
    return folder(dataFile) + '/' + "0".repeat(Integer.SIZE - bits.length()) + bits + ".blob";
  }

  private static String folder(String dataFile) {
    return dataFile.endsWith(DATA_FILE)
        ? dataFile.substring(0, dataFile.length() - DATA_FILE.length())
        : dataFile;
  }

  /** Removes all objects that belong to a data file; others than data files have none. */
  public static void remove(ObjectStore store, String dataFile) {
    if (!dataFile.endsWith(DATA_FILE)) {
      return;
    }
    List<String> paths = new ArrayList<>();
    store.walk(folder(dataFile), object -> paths.add(object.path()));
    paths.forEach(store::delete);
  }

  /**
   * A blob in an object that it shares with others.
   *
   * @param blobId the number of the object
   * @param position where the blob begins in it
   */
  record Place(int blobId, long position) {}

  /** Appends a blob to the object that is being filled. */
  Place pack(BlobContent blob) {
    if (pack != null && pack.position() > 0 && pack.position() + blob.size() > MAX_PACK_BYTES) {
      commitPack();
    }
    if (pack == null) {
      packId = nextId();
      pack = store.create(path(dataFile, packId));
    }
    Place place = new Place(packId, pack.position());
    blob.forEachPart(pack::write);
    return place;
  }

  /** Writes a blob to an object of its own; its number. */
  int dedicate(BlobContent blob) {
    int blobId = nextId();
    String path = path(dataFile, blobId);
    try (ObjectWriter writer = store.create(path)) {
      blob.forEachPart(writer::write);
      commit(writer);
    }
    return blobId;
  }

  private int nextId() {
    if (!dataFile.endsWith(DATA_FILE)) {
      throw new InvalidInputException(
          "Large blobs are stored in a folder beside the file, so that its name must end in "
              + DATA_FILE
              + ": "
              + dataFile);
    }
    return ++lastId;
  }

  private void commitPack() {
    try (ObjectWriter writer = pack) {
      pack = null;
      commit(writer);
    }
  }

  private void commit(ObjectWriter writer) {
    // Before the commit, whose failure may leave the object behind.
    complete.add(writer.path());
    writer.commit();
  }

  /** Makes the last object visible. The data file may be finished after that. */
  public void complete() {
    if (pack != null) {
      commitPack();
    }
  }

  /** Keeps the objects, since the data file that refers to them is there. */
  public void keep() {
    finished = true;
  }

  @Override
  public void close() {
    if (pack != null) {
      pack.close();
      pack = null;
    }
    if (!finished) {
      complete.forEach(store::delete);
      complete.clear();
    }
  }
}
