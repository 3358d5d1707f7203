package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.proto.encodings21.BlobLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A page that says where each value lies in the file, and which are null. */
final class BlobPage {
  private static final int DESCRIPTION_BYTES = BlobType.DESCRIPTION_BITS / Byte.SIZE;
  private static final int DEFINITION_SHIFT = 16;
  private static final PackedType DESCRIPTION =
      new PackedType(List.of(new FixedType(Long.SIZE), new FixedType(Long.SIZE)));

  private BlobPage() {}

  /**
   * Writes values, each a buffer of the file.
   *
   * @return a position and a size for each, both 0 for empty ones
   */
  static FixedBlock store(VariableBlock values, BufferSink sink) {
    int count = values.count();
    ByteBuffer descriptions = Buffers.heap((long) count * DESCRIPTION_BYTES);
    for (int i = 0; i < count; i++) {
      int length = values.length(i);
      if (length > 0) {
        long at = sink.write(Buffers.slice(values.values(), values.start(i), length));
        descriptions.putLong(i * DESCRIPTION_BYTES, at);
        descriptions.putLong(i * DESCRIPTION_BYTES + Long.BYTES, length);
      }
    }
    return new FixedBlock(BlobType.DESCRIPTION_BITS, count, descriptions);
  }

  /**
   * Encodes descriptions. Those of nulls get the definition for a position.
   *
   * @param levels without lists
   */
  static EncodedPage encode(
      Leaf leaf,
      PageLevels levels,
      FixedBlock descriptions,
      boolean largeChunks,
      BufferAllocator allocator) {
    FixedBlock marked = markNulls(levels, descriptions);
    Levels plain = new Levels(null, null, 0, levels.entries());
    Leaf inner = leaf.withLayers(List.of(new Leaf.Layer(Leaf.LayerKind.ITEM, false)));
    EncodedPage page =
        MiniBlockPage.encode(
            new PageLevels(inner, plain, levels.rows(), false),
            new FlatChunks(marked, Encodings.packed(DESCRIPTION)),
            null,
            null,
            null,
            largeChunks,
            allocator);
    BlobLayout.Builder layout =
        BlobLayout.newBuilder().setInnerLayout(page.layout()).addAllLayers(levels.layers());
    return new EncodedPage(
        PageLayout.newBuilder().setBlobLayout(layout).build(), page.buffers(), page.memory());
  }

  private static FixedBlock markNulls(PageLevels levels, FixedBlock descriptions) {
    if (levels.def() == null) {
      return descriptions;
    }
    ByteBuffer marked = Buffers.heap(descriptions.bytes());
    marked.put(0, descriptions.values(), 0, marked.capacity());
    for (int e = 0; e < levels.entries(); e++) {
      if (!levels.isValid(e)) {
        marked.putLong(e * DESCRIPTION_BYTES, (long) levels.def()[e] << DEFINITION_SHIFT);
      }
    }
    return new FixedBlock(descriptions.bits(), descriptions.count(), marked);
  }
}
