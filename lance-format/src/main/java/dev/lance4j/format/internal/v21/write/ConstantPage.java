package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.ConstantLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.encodings21.RepDefLayer;
import java.nio.ByteBuffer;
import java.util.List;

/** A page without values: all null, or lists without items. */
final class ConstantPage {
  private ConstantPage() {}

  /** Encodes levels none of which has a value. */
  static EncodedPage allNull(PageLevels levels) {
    ConstantLayout.Builder layout = ConstantLayout.newBuilder().addAllLayers(levels.layers());
    List<ByteBuffer> buffers =
        levels.layers().size() == 1 ? List.of() : List.of(raw(levels.rep()), raw(levels.def()));
    return page(layout, buffers);
  }

  /** Encodes structs without children, none of them null; readers take them from the row count. */
  static EncodedPage emptyStructs() {
    return page(ConstantLayout.newBuilder().addLayers(RepDefLayer.REPDEF_NULLABLE_ITEM), List.of());
  }

  private static EncodedPage page(ConstantLayout.Builder layout, List<ByteBuffer> buffers) {
    return new EncodedPage(
        PageLayout.newBuilder().setConstantLayout(layout).build(), buffers, List.of());
  }

  private static ByteBuffer raw(short[] levels) {
    if (levels == null) {
      return Buffers.heap(0);
    }
    ByteBuffer bytes = Buffers.heap((long) levels.length * Short.BYTES);
    bytes.asShortBuffer().put(levels);
    return bytes;
  }
}
