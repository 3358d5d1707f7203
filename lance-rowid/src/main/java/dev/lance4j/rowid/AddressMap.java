package dev.lance4j.rowid;

import dev.lance4j.format.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.roaringbitmap.FastRankRoaringBitmap;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * Where rows went when their fragments were rewritten: the live rows of a group of old fragments,
 * in order, are the rows of the group's new fragments, in order. Takes memory for deleted rows and
 * fragments only, not for rows that moved. Immutable and safe for use by many threads.
 */
public final class AddressMap {
  /** The map of rows that did not move. */
  public static final AddressMap IDENTITY = new AddressMap(List.of());

  private final List<Step> steps;

  private AddressMap(List<Step> steps) {
    this.steps = steps;
  }

  /**
   * A fragment that was rewritten.
   *
   * @param id of the fragment
   * @param physicalRows number of rows, deleted ones included
   * @param deletedOffsets the rows that did not move along; must not be changed any more
   */
  public record Source(long id, long physicalRows, RoaringBitmap deletedOffsets) {
    long liveRows() {
      return physicalRows - deletedOffsets.getLongCardinality();
    }
  }

  /**
   * A fragment that rows moved to.
   *
   * @param id of the fragment
   * @param rows number of rows
   */
  public record Target(long id, long rows) {}

  /** Collects the groups of one rewrite. */
  public static final class Builder {
    private final List<Moved> moved = new ArrayList<>();
    private final Set<Long> ids = new HashSet<>();

    private Builder() {}

    /**
     * Adds fragments that were rewritten together.
     *
     * @param sources in the order in which their rows were written
     * @param targets in the order in which they were written; none if all rows were deleted
     * @throws InvalidInputException if the targets do not have just the live rows of the sources,
     *     or a source was added before
     */
    public Builder group(List<Source> sources, List<Target> targets) {
      Targets places = new Targets(targets);
      long rows = 0;
      for (Source source : sources) {
        if (!ids.add(source.id())) {
          throw new InvalidInputException("Fragment " + source.id() + " is rewritten twice");
        }
        moved.add(new Moved(source, rows, places));
        rows += source.liveRows();
      }
      if (rows != places.rows()) {
        throw new InvalidInputException(
            rows + " live rows were rewritten, but the new fragments have " + places.rows());
      }
      return this;
    }

    /** The map of the groups added. */
    public AddressMap build() {
      return moved.isEmpty() ? IDENTITY : new AddressMap(List.of(new Step(moved)));
    }
  }

  /** An empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** This map and then that of a later rewrite. */
  public AddressMap then(AddressMap later) {
    List<Step> both = new ArrayList<>(steps);
    both.addAll(later.steps);
    return new AddressMap(List.copyOf(both));
  }

  /**
   * The address that a row has now.
   *
   * @param rowAddress the row's packed address before
   * @return its packed address; {@link RowAddress#NONE} if the row is gone, and the same if its
   *     fragment was not rewritten
   */
  public long map(long rowAddress) {
    long address = rowAddress;
    for (int i = 0; i < steps.size() && address != RowAddress.NONE; i++) {
      address = steps.get(i).map(address);
    }
    return address;
  }

  /**
   * The addresses that rows have now; those that are gone are left out.
   *
   * @param rows among which whole fragments may be
   */
  public RowAddressSet map(RowAddressSet rows) {
    RowAddressSet mapped = rows;
    for (Step step : steps) {
      mapped = step.map(mapped);
    }
    return mapped;
  }

  /** Rows by the addresses that they have now and by all that they had before. */
  public RowAddressSet withFormer(RowAddressSet now) {
    RowAddressSet all = now;
    for (int i = steps.size() - 1; i >= 0; i--) {
      all = all.or(steps.get(i).former(all));
    }
    return all;
  }

  /** Whether a fragment was rewritten, so that its rows have other addresses. */
  public boolean isAffected(long fragmentId) {
    for (Step step : steps) {
      if (step.find(fragmentId) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether no row moved. */
  public boolean isIdentity() {
    return steps.isEmpty();
  }

  /** One rewrite, by the ids of the old fragments. */
  private static final class Step {
    private final long[] ids;
    private final Moved[] moved;

    Step(List<Moved> fragments) {
      moved = fragments.toArray(new Moved[0]);
      Arrays.sort(moved, Comparator.comparingLong(fragment -> fragment.id));
      ids = new long[moved.length];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = moved[i].id;
      }
    }

    int find(long fragmentId) {
      return Arrays.binarySearch(ids, fragmentId);
    }

    long map(long rowAddress) {
      int index = find(RowAddress.fragmentId(rowAddress));
      return index < 0 ? rowAddress : moved[index].map(RowAddress.offset(rowAddress));
    }

    RowAddressSet map(RowAddressSet rows) {
      RowAddressSet.Builder mapped = RowAddressSet.builder();
      RoaringBitmap unaffected = new RoaringBitmap();
      boolean affected = false;
      for (long fragmentId : rows.fragmentIds()) {
        int index = find(fragmentId);
        if (index < 0) {
          unaffected.add((int) fragmentId);
        } else {
          affected = true;
          moved[index].map(rows.offsets(fragmentId, moved[index].physicalRows), mapped);
        }
      }
      return affected ? rows.retainFragments(unaffected).or(mapped.build()) : rows;
    }

    /** The addresses before this rewrite of rows that it moved to some others. */
    RowAddressSet former(RowAddressSet moved) {
      RowAddressSet.Builder former = RowAddressSet.builder();
      for (Moved fragment : this.moved) {
        fragment.addFormer(moved, former);
      }
      return former.build();
    }
  }

  /** An old fragment. */
  private static final class Moved {
    private final long id;
    private final long physicalRows;
    private final FastRankRoaringBitmap deleted = new FastRankRoaringBitmap();
    private final long before;
    private final Targets targets;

    /**
     * @param before the number of live rows in the fragments before it
     */
    Moved(Source source, long before, Targets targets) {
      this.id = source.id();
      this.physicalRows = source.physicalRows();
      this.before = before;
      this.targets = targets;
      deleted.or(source.deletedOffsets());
      deleted.runOptimize();
      // Ranks are cached by the first call, which must not be one of many threads.
      deleted.rankLong(0);
    }

    long map(long offset) {
      if (offset >= physicalRows || deleted.contains((int) offset)) {
        return RowAddress.NONE;
      }
      return targets.address(before + offset - deleted.rankLong((int) offset));
    }

    void addFormer(RowAddressSet moved, RowAddressSet.Builder former) {
      long position = before;
      for (long offset = 0; offset < physicalRows; offset++) {
        if (!deleted.contains((int) offset)) {
          if (moved.contains(targets.address(position))) {
            former.add(RowAddress.pack(id, offset));
          }
          position++;
        }
      }
    }

    void map(RoaringBitmap offsets, RowAddressSet.Builder mapped) {
      PeekableIntIterator each = offsets.getIntIterator();
      while (each.hasNext()) {
        long address = map(Integer.toUnsignedLong(each.next()));
        if (address != RowAddress.NONE) {
          mapped.add(address);
        }
      }
    }
  }

  /** The new fragments of a group, one after the other. */
  private static final class Targets {
    private final long[] ids;
    // The number of rows up to the end of each fragment.
    private final long[] ends;

    Targets(List<Target> targets) {
      ids = new long[targets.size()];
      ends = new long[ids.length];
      long rows = 0;
      for (int i = 0; i < ids.length; i++) {
        rows += targets.get(i).rows();
        ids[i] = targets.get(i).id();
        ends[i] = rows;
      }
    }

    long rows() {
      return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    long address(long position) {
      int low = 0;
      int high = ends.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (ends[middle] > position) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return RowAddress.pack(ids[low], position - (low == 0 ? 0 : ends[low - 1]));
    }
  }
}
