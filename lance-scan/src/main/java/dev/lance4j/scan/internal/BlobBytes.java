package dev.lance4j.scan.internal;

import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.blob.BlobDescriptor;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Session;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads the bytes of blobs whose descriptors were read: those of all rows together, so that a store
 * may join neighbours.
 */
public final class BlobBytes {
  private final Scan.Source source;
  private final FragmentMetadata fragment;
  private final BufferAllocator allocator;

  /**
   * @param fragment which the rows are in
   */
  public BlobBytes(Scan.Source source, FragmentMetadata fragment) {
    this.source = source;
    this.fragment = fragment;
    this.allocator = source.allocator();
  }

  /** Whether there are descriptors in a field. */
  public static boolean hasDescriptors(LanceField field) {
    return BlobV2Fields.isDescriptor(field)
        || field.children().stream().anyMatch(BlobBytes::hasDescriptors);
  }

  /**
   * The values of a field with bytes in the place of descriptors.
   *
   * @param field as it was read
   * @param values of it; stay the caller's
   * @return owned by the caller
   */
  public ArrayData read(LanceField field, ArrayData values) {
    if (!hasDescriptors(field)) {
      return values.retain();
    }
    if (BlobV2Fields.isDescriptor(field)) {
      return bytes(field, values);
    }
    ArrayData[] children = new ArrayData[values.children().size()];
    ArrowBuf[] buffers = new ArrowBuf[values.bufferCount()];
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      for (int i = 0; i < children.length; i++) {
        children[i] = owned.own(read(field.children().get(i), values.child(i)));
      }
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = retain(values.buffer(i), owned);
      }
      return owned.release(new ArrayData(values.length(), values.nullCount(), buffers, children));
    }
  }

  private static ArrowBuf retain(ArrowBuf buffer, OwnedBuffers owned) {
    if (buffer != null) {
      buffer.getReferenceManager().retain();
      owned.own(buffer);
    }
    return buffer;
  }

  private ArrayData bytes(LanceField field, ArrayData descriptors) {
    List<Session.Lease<ObjectReader>> objects = new ArrayList<>();
    try {
      RangeRequests.Slot[] slots = request(field, descriptors, objects);
      return toArray(field, descriptors, slots);
    } finally {
      objects.forEach(Session.Lease::close);
    }
  }

  private RangeRequests.Slot[] request(
      LanceField field, ArrayData descriptors, List<Session.Lease<ObjectReader>> objects) {
    Map<ObjectReader, RangeRequests> requests = new HashMap<>();
    RangeRequests.Slot[] slots = new RangeRequests.Slot[descriptors.length()];
    for (int row = 0; row < slots.length; row++) {
      if (descriptors.isValid(row)) {
        BlobLocation blob =
            BlobLocation.of(source, fragment, field, BlobDescriptor.of(descriptors, row));
        objects.add(blob.object());
        slots[row] =
            requests
                .computeIfAbsent(blob.object().value(), RangeRequests::new)
                .add(blob.start(), blob.size());
      }
    }
    requests.values().forEach(RangeRequests::execute);
    return slots;
  }

  private ArrayData toArray(LanceField field, ArrayData descriptors, RangeRequests.Slot[] slots) {
    try (OwnedBuffers owned = new OwnedBuffers(allocator);
        GrowableBuffer bytes = new GrowableBuffer(allocator, total(field, slots))) {
      ArrowBuf ends = owned.allocate((slots.length + 1L) * Long.BYTES);
      ends.setLong(0, 0);
      for (int row = 0; row < slots.length; row++) {
        if (slots[row] != null) {
          ByteBuffer value = slots[row].bytes();
          bytes.append(value, 0, value.limit());
        }
        ends.setLong((row + 1L) * Long.BYTES, bytes.size());
      }
      ArrowBuf[] buffers = {retain(descriptors.validity(), owned), ends, bytes.take()};
      return owned.release(new ArrayData(slots.length, descriptors.nullCount(), buffers));
    }
  }

  private static long total(LanceField field, RangeRequests.Slot[] slots) {
    long total = 0;
    for (RangeRequests.Slot slot : slots) {
      total += slot == null ? 0 : slot.bytes().limit();
    }
    if (total > Integer.MAX_VALUE) {
      throw new LanceException(
          "A batch of column '"
              + field.name()
              + "' has more than 2 GiB of blobs; read fewer rows at a time, or take blobs");
    }
    return total;
  }
}
