package dev.lance4j.format.internal.v21.write;

import com.google.protobuf.ByteString;
import dev.lance4j.format.proto.encodings21.ConstantLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.encodings21.RepDefLayer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A page whose values are all the same, all null, or none. */
final class ConstantPage {
  private static final int MAX_INLINE = 32;

  private ConstantPage() {}

  /**
   * Encodes levels none of which has a value.
   *
   * @param compressed whether the version has compressed levels here
   */
  static EncodedPage withoutValues(PageLevels levels, boolean compressed) {
    ConstantLayout.Builder layout = ConstantLayout.newBuilder().addAllLayers(levels.layers());
    if (levels.layers().size() == 1) {
      return page(layout, List.of());
    }
    if (!compressed) {
      return page(layout, List.of(raw(levels.rep()), raw(levels.def())));
    }
    LevelCodec rep = LevelCodecs.choose(levels.rep(), true);
    LevelCodec def = LevelCodecs.choose(levels.def(), true);
    if (rep != null) {
      layout.setRepCompression(rep.encoding()).setNumRepValues(levels.entries());
    }
    if (def != null) {
      layout.setDefCompression(def.encoding()).setNumDefValues(levels.entries());
    }
    return page(layout, List.of(encoded(rep, levels.entries()), encoded(def, levels.entries())));
  }

  /** Encodes structs without children, none of them null; readers take them from the row count. */
  static EncodedPage emptyStructs() {
    return page(ConstantLayout.newBuilder().addLayers(RepDefLayer.REPDEF_NULLABLE_ITEM), List.of());
  }

  /** Encodes values that are all equal where they are not null; null if they are not. */
  static EncodedPage ofEqualValues(PageLevels levels, LeafBlock block) {
    ConstantLayout.Builder layout = ConstantLayout.newBuilder().addAllLayers(levels.layers());
    List<ByteBuffer> buffers = new ArrayList<>();
    int value = equalValue(levels, block);
    if (value < 0) {
      return null;
    }
    if (block instanceof VariableBlock variable) {
      buffers.add(scalar(variable, value));
    } else {
      FixedBlock fixed = (FixedBlock) block;
      if (fixed.width() > MAX_INLINE) {
        buffers.add(scalar(fixed, value));
      } else {
        layout.setInlineValue(inline(fixed, value));
      }
    }
    if (levels.rep() != null || levels.def() != null) {
      buffers.add(raw(levels.rep()));
      buffers.add(raw(levels.def()));
    }
    return page(layout, buffers);
  }

  /** The slot of a value that all others equal, or a negative number. */
  private static int equalValue(PageLevels levels, LeafBlock block) {
    boolean[] valid = levels.validSlots();
    int first = 0;
    while (valid != null && !valid[first]) {
      first++;
    }
    for (int i = first + 1; i < block.count(); i++) {
      if ((valid == null || valid[i]) && !equal(block, first, i)) {
        return -1;
      }
    }
    return block instanceof VariableBlock || block instanceof FixedBlock ? first : -1;
  }

  private static boolean equal(LeafBlock block, int a, int b) {
    if (block instanceof VariableBlock variable) {
      return variable.length(a) == variable.length(b)
          && Buffers.slice(variable.values(), variable.start(a), variable.length(a))
              .equals(Buffers.slice(variable.values(), variable.start(b), variable.length(b)));
    }
    if (block instanceof FixedBlock fixed) {
      int width = fixed.width();
      return width == 0
          ? Bits.get(fixed.values(), a) == Bits.get(fixed.values(), b)
          : Buffers.slice(fixed.values(), a * width, width)
              .equals(Buffers.slice(fixed.values(), b * width, width));
    }
    return false;
  }

  private static ByteString inline(FixedBlock block, int value) {
    if (block.width() == 0) {
      return ByteString.copyFrom(new byte[] {(byte) (Bits.get(block.values(), value) ? 1 : 0)});
    }
    return ByteString.copyFrom(Buffers.slice(block.values(), value * block.width(), block.width()));
  }

  /** An Arrow array of one value: the number of buffers, their sizes, their bytes. */
  private static ByteBuffer scalar(VariableBlock block, int value) {
    int offsets = 2 * block.offsetBytes();
    int length = block.length(value);
    int header = 3 * Integer.BYTES;
    ByteBuffer out = Buffers.heap((long) header + offsets + length);
    out.putInt(0, 2).putInt(Integer.BYTES, offsets).putInt(2 * Integer.BYTES, length);
    FixedValues.put(out, header + block.offsetBytes(), block.offsetBytes(), length);
    out.put(header + offsets, block.values(), block.start(value), length);
    return out;
  }

  private static ByteBuffer scalar(FixedBlock block, int value) {
    int header = 2 * Integer.BYTES;
    ByteBuffer out = Buffers.heap((long) header + block.width());
    out.putInt(0, 1).putInt(Integer.BYTES, block.width());
    out.put(header, block.values(), value * block.width(), block.width());
    return out;
  }

  private static EncodedPage page(ConstantLayout.Builder layout, List<ByteBuffer> buffers) {
    return new EncodedPage(
        PageLayout.newBuilder().setConstantLayout(layout).build(), buffers, List.of());
  }

  private static ByteBuffer encoded(LevelCodec codec, int entries) {
    if (codec == null) {
      return Buffers.heap(0);
    }
    ByteBuffer bytes = Buffers.heap(codec.maxBytes(0, entries));
    return bytes.limit(codec.write(0, entries, bytes, 0));
  }

  private static ByteBuffer raw(short[] levels) {
    return levels == null ? Buffers.heap(0) : encoded(new FlatLevels(levels), levels.length);
  }
}
