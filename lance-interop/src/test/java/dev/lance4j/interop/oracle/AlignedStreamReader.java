package dev.lance4j.interop.oracle;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/**
 * Reads batches into buffers of their own. The buffers of the plain reader are slices of one, and
 * start at addresses that native code refuses.
 */
final class AlignedStreamReader extends ArrowStreamReader {
  AlignedStreamReader(InputStream in, BufferAllocator allocator) {
    super(in, allocator);
  }

  @Override
  protected void loadRecordBatch(ArrowRecordBatch batch) {
    super.loadRecordBatch(copy(batch));
  }

  @Override
  protected void loadDictionary(ArrowDictionaryBatch batch) {
    super.loadDictionary(
        new ArrowDictionaryBatch(
            batch.getDictionaryId(), copy(batch.getDictionary()), batch.isDelta()));
  }

  private ArrowRecordBatch copy(ArrowRecordBatch batch) {
    List<ArrowBuf> copies = new ArrayList<>();
    for (ArrowBuf buffer : batch.getBuffers()) {
      ArrowBuf copy = allocator.buffer(buffer.readableBytes());
      copy.setBytes(0, buffer, buffer.readerIndex(), buffer.readableBytes());
      copy.writerIndex(buffer.readableBytes());
      copies.add(copy);
    }
    ArrowRecordBatch copied = new ArrowRecordBatch(batch.getLength(), batch.getNodes(), copies);
    copies.forEach(ArrowBuf::close);
    batch.close();
    return copied;
  }
}
