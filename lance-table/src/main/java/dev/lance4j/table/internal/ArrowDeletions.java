package dev.lance4j.table.internal;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.kernel.Compression;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.roaringbitmap.RoaringBitmap;

/**
 * Deleted offsets as an Arrow IPC file with one batch of one column, {@code row_id: uint32 not
 * null}. Writers may compress the batch with zstd and give the offsets in any order.
 */
public final class ArrowDeletions {
  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final String COLUMN = "row_id";
  private static final int CONTINUATION = -1;
  private static final int TRAILER_BYTES = 4 + MAGIC.length;
  private static final int ALIGNMENT = 8;
  private static final int BUFFERS = 2;
  private static final long UNCOMPRESSED = -1;
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new org.apache.arrow.vector.types.pojo.Field(
                  COLUMN, FieldType.notNullable(new ArrowType.Int(32, false)), null)));

  private final ByteBuffer file;
  private final String path;

  private ArrowDeletions(ByteBuffer file, String path) {
    this.file = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.path = path;
  }

  /**
   * Parses a file.
   *
   * @param rows how many offsets there can be
   * @throws CorruptFileException if it is damaged or has another form
   * @throws UnsupportedFormatException if it is compressed otherwise than with zstd
   */
  public static RoaringBitmap parse(ByteBuffer bytes, String path, long rows) {
    try {
      return new ArrowDeletions(bytes, path).parse(rows);
    } catch (IndexOutOfBoundsException | BufferUnderflowException | IllegalArgumentException e) {
      throw new CorruptFileException(path, -1, "the Arrow metadata is damaged", e);
    }
  }

  private RoaringBitmap parse(long rows) {
    int size = file.capacity();
    require(size >= MAGIC.length + TRAILER_BYTES, 0, "the file is too short");
    requireMagic(0);
    requireMagic(size - MAGIC.length);
    int footerLength = file.getInt(size - TRAILER_BYTES);
    int footerStart = size - TRAILER_BYTES - footerLength;
    require(
        footerLength > 0 && footerStart >= MAGIC.length,
        size - TRAILER_BYTES,
        "the footer of " + footerLength + " bytes does not fit in the file");
    Footer footer = Footer.getRootAsFooter(copy(footerStart, footerLength));
    checkSchema(footer.schema(), footerStart);
    require(
        footer.recordBatchesLength() == 1,
        footerStart,
        "there are " + footer.recordBatchesLength() + " record batches instead of one");
    return parseBatch(footer.recordBatches(0), footerStart, rows);
  }

  private void requireMagic(int position) {
    for (int i = 0; i < MAGIC.length; i++) {
      require(file.get(position + i) == MAGIC[i], position, "ARROW1 was expected");
    }
  }

  private ByteBuffer copy(int start, int length) {
    byte[] bytes = new byte[length];
    file.get(start, bytes);
    return ByteBuffer.wrap(bytes);
  }

  private void checkSchema(org.apache.arrow.flatbuf.Schema schema, int position) {
    require(schema != null && schema.fieldsLength() == 1, position, "there is not one column");
    require(schema.endianness() == Endianness.Little, position, "the file is big-endian");
    Field field = schema.fields(0);
    boolean fits =
        COLUMN.equals(field.name())
            && !field.nullable()
            && field.typeType() == Type.Int
            && field.dictionary() == null;
    if (fits) {
      Int type = (Int) field.type(new Int());
      fits = type.bitWidth() == 32 && !type.isSigned();
    }
    require(fits, position, "the column is not row_id: uint32 not null");
  }

  private RoaringBitmap parseBatch(Block block, int footerStart, long rows) {
    long offset = block.offset();
    long metadata = block.metaDataLength();
    long body = block.bodyLength();
    boolean inside =
        offset >= MAGIC.length
            && metadata >= ALIGNMENT
            && body >= 0
            && offset <= footerStart - metadata
            && body <= footerStart - metadata - offset;
    require(inside, footerStart, "the record batch is not inside the file");
    int start = (int) offset;
    // Before Arrow 0.15 there was no continuation marker in front of the length.
    int prefix = file.getInt(start) == CONTINUATION ? 8 : 4;
    Message message = Message.getRootAsMessage(copy(start + prefix, (int) metadata - prefix));
    require(message.headerType() == MessageHeader.RecordBatch, start, "no record batch is there");
    RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
    require(batch != null, start, "the record batch has no header");
    long count = batch.length();
    boolean fits =
        count >= 0
            && count <= rows
            && batch.nodesLength() == 1
            && batch.nodes(0).length() == count
            && batch.nodes(0).nullCount() == 0
            && batch.buffersLength() == BUFFERS;
    require(fits, start, "the record batch is not one column of at most " + rows + " rows");
    Buffer buffer = batch.buffers(1);
    require(
        buffer.offset() >= 0
            && buffer.length() >= 0
            && buffer.offset() <= body
            && buffer.length() <= body - buffer.offset(),
        start,
        "the buffer of the offsets is not inside the record batch");
    int at = (int) (offset + metadata + buffer.offset());
    ByteBuffer data = file.slice(at, (int) buffer.length()).order(ByteOrder.LITTLE_ENDIAN);
    return toBitmap(decompress(data, batch, count, at), count, at);
  }

  private ByteBuffer decompress(ByteBuffer data, RecordBatch batch, long count, int position) {
    if (batch.compression() == null || !data.hasRemaining()) {
      return data;
    }
    if (batch.compression().codec() != CompressionType.ZSTD) {
      throw new UnsupportedFormatException(path + ": the offsets are not compressed with zstd");
    }
    require(data.remaining() >= Long.BYTES, position, "the compressed offsets have no length");
    long length = data.getLong(0);
    if (length == UNCOMPRESSED) {
      return data.slice(Long.BYTES, data.remaining() - Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
    long expected = count * Integer.BYTES;
    require(
        length >= expected && length <= expected + 64,
        position,
        "the offsets have " + length + " bytes instead of " + expected);
    return Compression.decompress(Compression.Scheme.ZSTD, data, length);
  }

  private RoaringBitmap toBitmap(ByteBuffer data, long count, int position) {
    require(
        data.remaining() / Integer.BYTES >= count,
        position,
        "the offsets have " + data.remaining() + " bytes, too few for " + count + " rows");
    int[] offsets = new int[(int) count];
    data.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(offsets);
    RoaringBitmap bitmap = new RoaringBitmap();
    bitmap.addN(offsets, 0, offsets.length);
    return bitmap;
  }

  private void require(boolean condition, long position, String otherwise) {
    if (!condition) {
      throw new CorruptFileException(path, position, otherwise);
    }
  }

  /** The bytes of a file with these offsets in ascending order, uncompressed. */
  public static ByteBuffer write(RoaringBitmap offsets) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(MAGIC);
    align(out);
    writeMessage(out, schemaMessage());
    int batchStart = out.size();
    int count = offsets.getCardinality();
    int validityBytes = aligned((count + 7) / 8);
    int dataBytes = aligned(count * Integer.BYTES);
    writeMessage(out, batchMessage(count, validityBytes, dataBytes));
    int metadataLength = out.size() - batchStart;
    out.writeBytes(body(offsets, validityBytes, dataBytes));
    writeInt(out, CONTINUATION);
    writeInt(out, 0);
    byte[] footer = footer(batchStart, metadataLength, validityBytes + dataBytes);
    out.writeBytes(footer);
    writeInt(out, footer.length);
    out.writeBytes(MAGIC);
    return ByteBuffer.wrap(out.toByteArray());
  }

  private static void writeInt(ByteArrayOutputStream out, int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      out.write(value >>> shift);
    }
  }

  private static int aligned(int size) {
    return Math.addExact(size, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private static void align(ByteArrayOutputStream out) {
    out.writeBytes(new byte[aligned(out.size()) - out.size()]);
  }

  private static void writeMessage(ByteArrayOutputStream out, byte[] message) {
    writeInt(out, CONTINUATION);
    writeInt(out, aligned(message.length));
    out.writeBytes(message);
    align(out);
  }

  private static byte[] schemaMessage() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int schema = SCHEMA.getSchema(builder);
    return message(builder, MessageHeader.Schema, schema, 0);
  }

  private static byte[] batchMessage(int count, int validityBytes, int dataBytes) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    RecordBatch.startNodesVector(builder, 1);
    FieldNode.createFieldNode(builder, count, 0);
    int nodes = builder.endVector();
    // Vectors are built from their end.
    RecordBatch.startBuffersVector(builder, BUFFERS);
    Buffer.createBuffer(builder, validityBytes, (long) count * Integer.BYTES);
    Buffer.createBuffer(builder, 0, (count + 7) / 8);
    int buffers = builder.endVector();
    RecordBatch.startRecordBatch(builder);
    RecordBatch.addLength(builder, count);
    RecordBatch.addNodes(builder, nodes);
    RecordBatch.addBuffers(builder, buffers);
    int batch = RecordBatch.endRecordBatch(builder);
    return message(builder, MessageHeader.RecordBatch, batch, validityBytes + dataBytes);
  }

  private static byte[] message(FlatBufferBuilder builder, byte type, int header, long bodyLength) {
    Message.startMessage(builder);
    Message.addHeaderType(builder, type);
    Message.addHeader(builder, header);
    Message.addVersion(builder, MetadataVersion.V5);
    Message.addBodyLength(builder, bodyLength);
    builder.finish(Message.endMessage(builder));
    return builder.sizedByteArray();
  }

  private static byte[] body(RoaringBitmap offsets, int validityBytes, int dataBytes) {
    byte[] bytes = new byte[Math.addExact(validityBytes, dataBytes)];
    ByteBuffer body = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int count = offsets.getCardinality();
    for (int i = 0; i < count; i++) {
      bytes[i / 8] |= (byte) (1 << (i % 8));
    }
    body.position(validityBytes);
    for (int offset : offsets.toArray()) {
      body.putInt(offset);
    }
    return bytes;
  }

  private static byte[] footer(long batchStart, int metadataLength, long bodyLength) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int schema = SCHEMA.getSchema(builder);
    Footer.startDictionariesVector(builder, 0);
    int dictionaries = builder.endVector();
    Footer.startRecordBatchesVector(builder, 1);
    Block.createBlock(builder, batchStart, metadataLength, bodyLength);
    int batches = builder.endVector();
    Footer.startFooter(builder);
    Footer.addSchema(builder, schema);
    Footer.addDictionaries(builder, dictionaries);
    Footer.addRecordBatches(builder, batches);
    Footer.addVersion(builder, MetadataVersion.V5);
    builder.finish(Footer.endFooter(builder));
    return builder.sizedByteArray();
  }
}
