package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.item.Block;
import dev.lance4j.format.internal.v21.item.BlockSink;
import dev.lance4j.format.internal.v21.item.DescriptionSink;
import dev.lance4j.format.internal.v21.level.LayerShape;
import dev.lance4j.format.internal.v21.level.LevelEntries;
import dev.lance4j.format.internal.v21.level.PageLayers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A read of some blobs: first their descriptions and then, if wanted, their bytes. */
final class BlobRead implements PageRead {
  private static final int LEVEL_BITS = 16;

  private final PageLayers layers;
  private final PageRead inner;
  private final int rows;
  private final boolean fetch;
  private DescriptionSink descriptions;
  private short[] definition;
  private RangeRequests.Slot[] bytes;

  BlobRead(PageLayers layers, PageRead inner, RowRanges rows, boolean fetch) {
    this.layers = layers;
    this.inner = inner;
    this.rows = (int) rows.rows();
    this.fetch = fetch;
  }

  @Override
  public boolean request(RangeRequests requests) {
    if (descriptions != null) {
      return false;
    }
    if (inner.request(requests)) {
      return true;
    }
    readDescriptions();
    if (!fetch) {
      return false;
    }
    bytes = new RangeRequests.Slot[rows];
    for (int i = 0; i < rows; i++) {
      bytes[i] = requests.add(descriptions.position(i), descriptions.size(i));
    }
    return true;
  }

  private void readDescriptions() {
    DescriptionSink found = new DescriptionSink(rows);
    LevelEntries ignored = new LevelEntries(new LayerShape(new boolean[1], false), 0);
    inner.decode(new LeafSink(found, ignored));
    if (found.count() != rows) {
      throw new IllegalArgumentException(found.count() + " descriptions of " + rows + " blobs");
    }
    definition = new short[rows];
    for (int i = 0; i < rows; i++) {
      definition[i] = definition(found.position(i), found.size(i));
    }
    descriptions = found;
  }

  /** The definition level of a blob, which takes the place of the position of nulls. */
  private short definition(long position, long size) {
    if (size != 0 || position == 0) {
      return 0;
    }
    long level = position >>> LEVEL_BITS;
    if (level << LEVEL_BITS != position || level > Short.MAX_VALUE) {
      throw new IllegalArgumentException("a null blob with the levels " + position);
    }
    return layers.translate((int) level);
  }

  @Override
  public void decode(LeafSink sink) {
    sink.levels().append(null, definition, 0, rows);
    if (fetch) {
      appendBytes(sink.items());
    } else {
      appendDescriptions(sink.items());
    }
  }

  private void appendBytes(BlockSink sink) {
    for (int i = 0; i < rows; i++) {
      ByteBuffer value = bytes[i].bytes();
      sink.append(new Block.Variable(value, new int[] {0, value.limit()}), 0, 1);
    }
  }

  private void appendDescriptions(BlockSink sink) {
    ByteBuffer packed = ByteBuffer.allocate(Math.multiplyExact(rows, 2 * Long.BYTES));
    packed.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows; i++) {
      boolean isNull = definition[i] != 0;
      packed.putLong(isNull ? 0 : descriptions.position(i));
      packed.putLong(descriptions.size(i));
    }
    sink.append(new Block.Fixed(packed.rewind(), 16 * Byte.SIZE, false), 0, rows);
  }
}
