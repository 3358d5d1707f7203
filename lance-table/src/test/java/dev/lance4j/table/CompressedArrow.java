package dev.lance4j.table;

import io.airlift.compress.zstd.ZstdCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.AbstractCompressionCodec;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Deletion files as Arrow's own writer makes them, with zstd. */
final class CompressedArrow {
  private CompressedArrow() {}

  static byte[] file(List<Integer> offsets) throws IOException {
    Field field = new Field("row_id", FieldType.notNullable(new ArrowType.Int(32, false)), null);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(field)), allocator)) {
      UInt4Vector vector = (UInt4Vector) root.getVector(0);
      for (int i = 0; i < offsets.size(); i++) {
        vector.setSafe(i, offsets.get(i));
      }
      root.setRowCount(offsets.size());
      try (ArrowFileWriter writer =
          new ArrowFileWriter(
              root,
              null,
              Channels.newChannel(out),
              null,
              IpcOption.DEFAULT,
              new Factory(),
              CompressionUtil.CodecType.ZSTD,
              Optional.empty())) {
        writer.writeBatch();
      }
    }
    return out.toByteArray();
  }

  private static final class Factory implements CompressionCodec.Factory {
    @Override
    public CompressionCodec createCodec(CompressionUtil.CodecType type) {
      return new Zstd();
    }

    @Override
    public CompressionCodec createCodec(CompressionUtil.CodecType type, int level) {
      return new Zstd();
    }
  }

  private static final class Zstd extends AbstractCompressionCodec {
    @Override
    protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf buffer) {
      byte[] bytes = new byte[(int) buffer.writerIndex()];
      buffer.getBytes(0, bytes);
      ZstdCompressor compressor = new ZstdCompressor();
      byte[] compressed = new byte[compressor.maxCompressedLength(bytes.length)];
      int size = compressor.compress(bytes, 0, bytes.length, compressed, 0, compressed.length);
      long prefix = CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH;
      ArrowBuf result = allocator.buffer(prefix + size);
      result.setBytes(prefix, compressed, 0, size);
      return result.writerIndex(prefix + size);
    }

    @Override
    protected ArrowBuf doDecompress(BufferAllocator allocator, ArrowBuf buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompressionUtil.CodecType getCodecType() {
      return CompressionUtil.CodecType.ZSTD;
    }
  }
}
