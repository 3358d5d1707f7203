package dev.lance4j.table.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.table.TableProto.FragmentReuseIndexDetails;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReuse;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** Between what rewrites recorded about row addresses and the message of it. */
final class FragmentReuseMessages {
  private final String path;

  private FragmentReuseMessages(String path) {
    this.path = path;
  }

  /**
   * Reads the message.
   *
   * @param path where it is from
   */
  static FragmentReuse parse(ByteBuffer bytes, String path) {
    try {
      return new FragmentReuseMessages(path)
          .content(FragmentReuseIndexDetails.InlineContent.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path, -1, "the content of the fragment reuse index is damaged", e);
    }
  }

  /** Checks a parsed message. */
  static FragmentReuse fromMessage(FragmentReuseIndexDetails.InlineContent message, String path) {
    return new FragmentReuseMessages(path).content(message);
  }

  private FragmentReuse content(FragmentReuseIndexDetails.InlineContent message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw new UnsupportedFormatException(
          path + ": the fragment reuse index has a history of a form that is not known");
    }
    List<FragmentReuse.Version> versions = new ArrayList<>(message.getVersionsCount());
    for (FragmentReuseIndexDetails.Version version : message.getVersionsList()) {
      List<FragmentReuse.Group> groups = new ArrayList<>(version.getGroupsCount());
      for (FragmentReuseIndexDetails.Group group : version.getGroupsList()) {
        groups.add(group(group));
      }
      versions.add(new FragmentReuse.Version(version.getDatasetVersion(), groups));
    }
    return new FragmentReuse(versions);
  }

  private FragmentReuse.Group group(FragmentReuseIndexDetails.Group message) {
    List<FragmentReuse.Digest> old = digests(message.getOldFragmentsList());
    List<FragmentReuse.Digest> fresh = digests(message.getNewFragmentsList());
    RowAddressSet rows = rows(message.getChangedRowAddrs(), old);
    return new FragmentReuse.Group(rows, old, fresh);
  }

  private List<FragmentReuse.Digest> digests(
      List<FragmentReuseIndexDetails.FragmentDigest> messages) {
    List<FragmentReuse.Digest> digests = new ArrayList<>(messages.size());
    for (FragmentReuseIndexDetails.FragmentDigest message : messages) {
      long id = message.getId();
      long rows = message.getPhysicalRows();
      boolean valid =
          id >= 0
              && id <= FragmentMetadata.MAX_ID
              && rows >= 0
              && rows <= FragmentMetadata.MAX_ROWS
              && message.getNumDeletedRows() >= 0;
      require(valid, "a rewritten fragment has the id " + id + " and " + rows + " rows");
      digests.add(new FragmentReuse.Digest(id, rows, message.getNumDeletedRows()));
    }
    return digests;
  }

  // A 64-bit Roaring map: the number of bitmaps, then each after its key, the fragment.
  private RowAddressSet rows(ByteString bytes, List<FragmentReuse.Digest> old) {
    Map<Long, Long> rowsOfFragment = new HashMap<>();
    old.forEach(digest -> rowsOfFragment.put(digest.id(), digest.physicalRows()));
    ByteBuffer in = bytes.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    RowAddressSet.Builder rows = RowAddressSet.builder();
    try {
      long count = in.getLong();
      require(count >= 0 && count <= old.size(), "there are rows of " + count + " fragments");
      long previous = -1;
      for (long i = 0; i < count; i++) {
        long id = Integer.toUnsignedLong(in.getInt());
        Long limit = rowsOfFragment.get(id);
        require(id > previous && limit != null, "rows of fragment " + id + " are out of place");
        previous = id;
        RoaringBitmap offsets = RoaringBytes.parseNext(in, path);
        boolean fits = offsets.isEmpty() || Integer.toUnsignedLong(offsets.last()) < limit;
        require(fits, "fragment " + id + " has " + limit + " rows, and rows beyond them");
        rows.addOffsets(id, offsets);
      }
    } catch (BufferUnderflowException e) {
      throw new CorruptFileException(path, -1, "the rows of a rewritten group are cut off", e);
    }
    require(!in.hasRemaining(), "something follows the rows of a rewritten group");
    return rows.build();
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new CorruptFileException(path, -1, "in the fragment reuse index " + otherwise);
    }
  }

  static FragmentReuseIndexDetails.InlineContent toMessage(FragmentReuse reuse) {
    FragmentReuseIndexDetails.InlineContent.Builder content =
        FragmentReuseIndexDetails.InlineContent.newBuilder();
    for (FragmentReuse.Version version : reuse.versions()) {
      FragmentReuseIndexDetails.Version.Builder message =
          FragmentReuseIndexDetails.Version.newBuilder()
              .setDatasetVersion(version.datasetVersion());
      version.groups().forEach(group -> message.addGroups(toMessage(group)));
      content.addVersions(message);
    }
    return content.build();
  }

  private static FragmentReuseIndexDetails.Group toMessage(FragmentReuse.Group group) {
    FragmentReuseIndexDetails.Group.Builder message =
        FragmentReuseIndexDetails.Group.newBuilder().setChangedRowAddrs(toBytes(group.rows()));
    group.oldFragments().forEach(digest -> message.addOldFragments(toMessage(digest)));
    group.newFragments().forEach(digest -> message.addNewFragments(toMessage(digest)));
    return message.build();
  }

  private static FragmentReuseIndexDetails.FragmentDigest toMessage(FragmentReuse.Digest digest) {
    return FragmentReuseIndexDetails.FragmentDigest.newBuilder()
        .setId(digest.id())
        .setPhysicalRows(digest.physicalRows())
        .setNumDeletedRows(digest.deletedRows())
        .build();
  }

  private static ByteString toBytes(RowAddressSet rows) {
    long[] fragments = rows.fragmentIds();
    ByteBuffer count = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ByteString bytes = ByteString.copyFrom(count.putLong(fragments.length).flip());
    for (long id : fragments) {
      ByteBuffer key = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      bytes =
          bytes
              .concat(ByteString.copyFrom(key.putInt((int) id).flip()))
              .concat(RoaringBytes.toBytes(rows.offsets(id, RowAddress.LIMIT)));
    }
    return bytes;
  }
}
