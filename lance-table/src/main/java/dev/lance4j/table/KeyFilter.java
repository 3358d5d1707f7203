package dev.lance4j.table;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * Keys that a merge inserted, by which a concurrent one finds out whether it inserted the same.
 *
 * @param fieldIds the fields that form the key
 * @param keys the keys
 */
public record KeyFilter(List<Integer> fieldIds, Keys keys) {
  public KeyFilter {
    fieldIds = List.copyOf(fieldIds);
  }

  /** A set of keys. */
  public sealed interface Keys {}

  /** The hashes of all keys. */
  public record Exact(List<Long> hashes) implements Keys {
    public Exact {
      hashes = List.copyOf(hashes);
    }
  }

  /**
   * A split-block Bloom filter over the keys.
   *
   * @param bits the filter
   * @param numBits its size
   * @param items for how many keys it was made
   * @param probability of a false positive
   */
  public record Bloom(ByteString bits, int numBits, long items, double probability)
      implements Keys {}
}
