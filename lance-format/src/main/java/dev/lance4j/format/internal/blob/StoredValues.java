package dev.lance4j.format.internal.blob;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads those blobs of a batch that are stored already, in the order of the rows: small ones of
 * neighbouring rows together, large ones part by part.
 */
final class StoredValues implements AutoCloseable {
  private static final int READ_BYTES = 4 << 20;

  private final BlobInput input;
  private final StoredBlobs blobs;
  private final List<StoredBlob> open = new ArrayList<>();
  private final Map<Integer, RangeRequests.Slot> read = new HashMap<>();
  private int end;

  StoredValues(BlobInput input, StoredBlobs blobs) {
    this.input = input;
    this.blobs = blobs;
  }

  /**
   * The bytes of a stored blob.
   *
   * @param row greater than those asked for before
   * @return valid until the next one is asked for
   */
  BlobContent content(int row) {
    if (row >= end) {
      readFrom(row);
    }
    RangeRequests.Slot slot = read.get(row);
    return slot == null
        ? new InParts(open.get(0))
        : BlobContent.of(slot.bytes().limit(), slot.bytes().duplicate());
  }

  /** Reads the blobs of a row and of those after it as far as all together are small. */
  private void readFrom(int first) {
    close();
    Map<ObjectReader, RangeRequests> requests = new HashMap<>();
    long bytes = 0;
    for (end = first; end < input.rows() && bytes <= READ_BYTES; end++) {
      if (!input.hasStoredBytes(end)) {
        continue;
      }
      StoredBlob blob =
          blobs.find(input.fieldId(end), input.fragmentId(end), input.descriptor(end));
      open.add(blob);
      bytes += blob.size();
      if (bytes <= READ_BYTES) {
        ObjectReader object = blob.object();
        read.put(
            end,
            requests.computeIfAbsent(object, RangeRequests::new).add(blob.start(), blob.size()));
      } else if (end > first) {
        // Begins the next round.
        break;
      }
    }
    requests.values().forEach(RangeRequests::execute);
  }

  /** One that is too large to be read at once. */
  private record InParts(StoredBlob blob) implements BlobContent {
    @Override
    public long size() {
      return blob.size();
    }

    @Override
    public void forEachPart(Consumer<ByteBuffer> consumer) {
      for (long done = 0; done < size(); done += READ_BYTES) {
        RangeRequests request = new RangeRequests(blob.object());
        RangeRequests.Slot part =
            request.add(blob.start() + done, Math.min(READ_BYTES, size() - done));
        request.execute();
        consumer.accept(part.bytes().duplicate());
      }
    }
  }

  @Override
  public void close() {
    open.forEach(StoredBlob::close);
    open.clear();
    read.clear();
  }
}
