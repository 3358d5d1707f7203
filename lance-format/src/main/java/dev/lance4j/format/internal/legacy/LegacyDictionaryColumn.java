package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.store.ObjectReader;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Keys in pages, and the values once, in the file that holds the schema. */
final class LegacyDictionaryColumn implements LegacyColumn {
  private final LegacyMetadata file;
  private final LegacyColumn keys;
  private final LegacyColumn values;
  private final ObjectReader schemaFile;
  private final long size;
  private final int keyBits;

  LegacyDictionaryColumn(
      LegacyMetadata file,
      LegacyColumn keys,
      LegacyColumn values,
      ObjectReader schemaFile,
      long size,
      Field field) {
    this.file = file;
    this.keys = keys;
    this.values = values;
    this.schemaFile = schemaFile;
    this.size = size;
    this.keyBits = ArrayLayout.of(field).bits();
  }

  @Override
  public FieldRead read(List<BatchRange> parts) {
    FieldRead keyRead = keys.read(parts);
    return new FieldRead() {
      @Override
      public boolean request(RangeRequests requests) {
        return keyRead.request(requests);
      }

      @Override
      public ArrayData decode(BufferAllocator allocator) {
        ArrayData dictionary = readValues(allocator);
        ArrayData array = null;
        boolean complete = false;
        try {
          array = keyRead.decode(allocator);
          checkKeys(array);
          complete = true;
          return new ArrayData(
              array.length(),
              0,
              new ArrowBuf[] {null, array.buffer(1)},
              new ArrayData[0],
              dictionary);
        } finally {
          if (!complete) {
            dictionary.close();
            if (array != null) {
              array.close();
            }
          }
        }
      }
    };
  }

  private ArrayData readValues(BufferAllocator allocator) {
    FieldRead read = values.read(size == 0 ? List.of() : List.of(new BatchRange(0, 0, size)));
    RangeRequests requests = new RangeRequests(schemaFile);
    while (read.request(requests)) {
      requests.execute();
    }
    return read.decode(allocator);
  }

  private void checkKeys(ArrayData array) {
    ArrowBuf buffer = array.buffer(1);
    for (int i = 0; i < array.length(); i++) {
      long key =
          switch (keyBits) {
            case 8 -> Byte.toUnsignedLong(buffer.getByte(i));
            case 16 -> Short.toUnsignedLong(buffer.getShort(2L * i));
            case 32 -> Integer.toUnsignedLong(buffer.getInt(4L * i));
            default -> buffer.getLong(8L * i);
          };
      if (key < 0 || key >= size) {
        throw file.corrupt("key " + key + " is not one of the dictionary's " + size);
      }
    }
  }
}
