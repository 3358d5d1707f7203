package dev.lance4j.index.internal.segment;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.IndexFile;
import dev.lance4j.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the files of a new segment. What is not {@linkplain #finish finished} is removed. */
public final class SegmentWriter implements AutoCloseable {
  /**
   * Metadata of each file that says that its rows were live in the segment's fragments when it was
   * written.
   */
  public static final String LIVE_ROWS = "lance4j:live_rows";

  private static final Logger LOG = LoggerFactory.getLogger(SegmentWriter.class);

  private final ObjectStore store;
  private final String directory;
  private final UUID uuid;
  private final BufferAllocator allocator;
  private final List<IndexFile> files = new ArrayList<>();
  private boolean finished;

  /** A new segment of a table, in a directory of its own. */
  public SegmentWriter(Table table, BufferAllocator allocator) {
    this.uuid = UUID.randomUUID();
    this.store = table.store();
    this.directory = table.indexPath(uuid);
    this.allocator = allocator;
  }

  /** Names the segment. */
  public UUID uuid() {
    return uuid;
  }

  public BufferAllocator allocator() {
    return allocator;
  }

  /**
   * Writes a file.
   *
   * @param name in the directory of the segment
   * @param content writes rows, metadata and global buffers
   */
  public void write(String name, Schema schema, Consumer<LanceFileWriter> content) {
    LanceSchema fields = LanceSchema.fromArrow(schema);
    String path = directory + '/' + name;
    try (LanceFileWriter writer =
        LanceFileWriter.create(store, path, fields, FileVersion.V2_1, allocator)) {
      content.accept(writer);
      writer.addMetadata(LIVE_ROWS, "true");
      files.add(new IndexFile(name, writer.finish()));
    }
  }

  /** The files of the segment, which from now on belong to whoever commits it. */
  public List<IndexFile> finish() {
    finished = true;
    return List.copyOf(files);
  }

  @Override
  public void close() {
    if (!finished) {
      files.forEach(file -> remove(store, directory + '/' + file.path()));
    }
  }

  /** Removes the files of a segment that is not committed, as far as that is possible. */
  public static void remove(Table table, UUID uuid, List<IndexFile> files) {
    String directory = table.indexPath(uuid);
    files.forEach(file -> remove(table.store(), directory + '/' + file.path()));
  }

  private static void remove(ObjectStore store, String path) {
    try {
      store.delete(path);
    } catch (RuntimeException e) {
      LOG.debug("could not remove {}, which a clean-up will", path, e);
    }
  }
}
