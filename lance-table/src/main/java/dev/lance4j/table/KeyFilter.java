package dev.lance4j.table;

import com.google.protobuf.ByteString;
import java.util.Collections;
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

  /** Whether both may hold the same key; false means that they surely do not. */
  public boolean mayIntersect(KeyFilter other) {
    if (keys instanceof Exact mine && other.keys instanceof Exact theirs) {
      return !Collections.disjoint(mine.hashes(), theirs.hashes());
    }
    if (keys instanceof Bloom mine && other.keys instanceof Bloom theirs) {
      return mine.mayIntersect(theirs);
    }
    return true;
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
      implements Keys {

    private boolean mayIntersect(Bloom other) {
      boolean comparable =
          numBits == other.numBits
              && items == other.items
              && probability == other.probability
              && bits.size() == other.bits.size();
      if (!comparable) {
        return true;
      }
      for (int i = 0; i < bits.size(); i++) {
        if ((bits.byteAt(i) & other.bits.byteAt(i)) != 0) {
          return true;
        }
      }
      return false;
    }
  }
}
