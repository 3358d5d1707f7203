package dev.lance4j.format.internal.blob;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The bytes of one blob, which are handed out part by part. */
interface BlobContent {
  /** The number of bytes. */
  long size();

  /** Hands all parts out, each of which is valid only during the call. */
  void forEachPart(Consumer<ByteBuffer> consumer);

  /** Bytes in memory. */
  static BlobContent of(long size, ByteBuffer... parts) {
    return new BlobContent() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public void forEachPart(Consumer<ByteBuffer> consumer) {
        for (ByteBuffer part : parts) {
          consumer.accept(part);
        }
      }
    };
  }

  /** All parts at once. */
  default ByteBuffer[] parts() {
    List<ByteBuffer> parts = new ArrayList<>();
    forEachPart(parts::add);
    return parts.toArray(ByteBuffer[]::new);
  }
}
