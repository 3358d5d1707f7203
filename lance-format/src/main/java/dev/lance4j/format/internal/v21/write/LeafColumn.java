package dev.lance4j.format.internal.v21.write;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.proto.file.v2.DirectEncoding;
import dev.lance4j.format.proto.file.v2.Encoding;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** One column of a file: gathers the batches of a leaf and writes them as pages. */
final class LeafColumn implements AutoCloseable {
  private static final Encoding COLUMN_ENCODING =
      direct(
          Any.newBuilder()
              .setTypeUrl("/lance.encodings.ColumnEncoding")
              .setValue(ByteString.copyFrom(new byte[] {0x0A, 0x00}))
              .build());

  private final Leaf leaf;
  private final PageLimits limits;
  private final BufferSink sink;
  private final PageEncoder encoder;
  private final LevelBuffer levels;
  private final BlockBuffer block;
  private final ColumnMetadata.Builder metadata =
      ColumnMetadata.newBuilder().setEncoding(COLUMN_ENCODING);
  private int pendingRows;
  private long pendingBytes;
  private long rowsWritten;

  LeafColumn(
      Leaf leaf,
      FileVersion version,
      PageLimits limits,
      BufferSink sink,
      BufferAllocator allocator) {
    this.leaf = leaf;
    this.limits = limits;
    this.sink = sink;
    this.encoder = new PageEncoder(leaf, version, allocator);
    this.levels = new LevelBuffer(leaf.lists() > 0);
    this.block = leaf.type().buffer(allocator);
  }

  /** Takes rows; a batch that fills a page alone is written from where it lies. */
  void append(LeafBatch batch) {
    if (leaf.type() instanceof BlobType) {
      FixedBlock descriptions = BlobPage.store((VariableBlock) batch.block(), sink);
      gather(new LeafBatch(batch.rows(), batch.levels(), descriptions));
    } else {
      gather(batch);
    }
  }

  private void gather(LeafBatch batch) {
    if (pendingRows > 0 && !accepts(batch)) {
      flush(false);
    }
    if (pendingRows == 0 && batch.bytes() >= limits.pageBytes()) {
      write(batch, false);
      return;
    }
    levels.append(batch.levels());
    block.append(batch.block());
    pendingRows += batch.rows();
    pendingBytes += batch.bytes();
    if (pendingBytes >= limits.pageBytes()) {
      flush(false);
    }
  }

  private boolean accepts(LeafBatch batch) {
    return block.accepts(batch.block())
        && pendingBytes + batch.bytes() <= limits.maxPageBytes()
        && (long) pendingRows + batch.rows() <= Integer.MAX_VALUE / leaf.elementsPerRow();
  }

  /** Writes what is left. */
  void finish() {
    flush(metadata.getPagesCount() == 0);
  }

  /**
   * Writes what was gathered.
   *
   * @param alone whether it is the column's only page
   */
  private void flush(boolean alone) {
    if (pendingRows > 0) {
      write(new LeafBatch(pendingRows, levels.view(), block.view()), alone);
      levels.clear();
      block.clear();
      pendingRows = 0;
      pendingBytes = 0;
    }
  }

  private void write(LeafBatch batch, boolean alone) {
    boolean tooLarge = batch.bytes() > limits.maxPageBytes() && batch.rows() > 1;
    try (EncodedPage page = tooLarge ? null : encoder.encode(batch, alone)) {
      if (page != null) {
        write(page, batch.rows());
        return;
      }
    }
    if (batch.rows() == 1) {
      throw new InvalidInputException(
          "Row "
              + rowsWritten
              + " of field '"
              + leaf.path()
              + "' has more null and empty lists, or larger values beside null structs, than a"
              + " page of this file version can hold; write fewer items per row or file version"
              + " 2.2");
    }
    int middle = batch.rows() / 2;
    write(batch.slice(leaf, 0, middle), false);
    write(batch.slice(leaf, middle, batch.rows()), false);
  }

  private void write(EncodedPage encoded, int rows) {
    ColumnMetadata.Page.Builder page =
        ColumnMetadata.Page.newBuilder()
            .setLength((long) rows * leaf.elementsPerRow())
            .setPriority(rowsWritten)
            .setEncoding(
                direct(
                    Any.newBuilder()
                        .setTypeUrl("/lance.encodings21.PageLayout")
                        .setValue(encoded.layout().toByteString())
                        .build()));
    for (ByteBuffer buffer : encoded.buffers()) {
      long size = buffer.remaining();
      page.addBufferOffsets(sink.write(buffer)).addBufferSizes(size);
    }
    metadata.addPages(page);
    rowsWritten += rows;
  }

  private static Encoding direct(Any any) {
    return Encoding.newBuilder()
        .setDirect(DirectEncoding.newBuilder().setEncoding(any.toByteString()))
        .build();
  }

  /** The column's metadata so far. */
  ColumnMetadata metadata() {
    return metadata.build();
  }

  @Override
  public void close() {
    block.close();
  }
}
