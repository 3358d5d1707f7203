package dev.lance4j.table.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.proto.table.TableProto.FragmentReuseIndexDetails;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.Table;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries that record what rewrites did to row addresses. The content lies in the entry or, if it
 * is large, in a file of the entry's directory.
 */
public final class FragmentReuseFiles {
  private static final Logger LOG = LoggerFactory.getLogger(FragmentReuseFiles.class);
  private static final String TYPE_URL = "/lance.table.FragmentReuseIndexDetails";
  private static final String TYPE_NAME = "FragmentReuseIndexDetails";
  private static final String FILE = "details.binpb";
  private static final int MAX_INLINE_BYTES = 200 << 10;

  private FragmentReuseFiles() {}

  /** The content of an entry. */
  public static FragmentReuse read(Table table, Manifest manifest, IndexMetadata entry) {
    String path = table.uri() + ": " + entry.name();
    if (entry.indexVersion().orElse(0) != 0) {
      throw new UnsupportedFormatException(
          path + " is of version " + entry.indexVersion().getAsInt() + ", which is not known");
    }
    IndexDetails details =
        entry
            .details()
            .filter(known -> known.is(TYPE_NAME))
            .orElseThrow(() -> new CorruptFileException(path, -1, "the entry has no content"));
    FragmentReuseIndexDetails message;
    try {
      message = FragmentReuseIndexDetails.parseFrom(details.value());
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, "the entry is damaged", e);
    }
    return switch (message.getContentCase()) {
      case INLINE -> FragmentReuseMessages.fromMessage(message.getInline(), path);
      case EXTERNAL -> read(table.locate(entry, manifest), message.getExternal());
      case CONTENT_NOT_SET -> throw new CorruptFileException(path, -1, "the entry has no content");
    };
  }

  private static FragmentReuse read(StoreLocation directory, TableProto.ExternalFile file) {
    String name = Checks.inside(file.getPath(), directory.path(), "the fragment reuse index");
    String path = directory.path() + "/" + name;
    try (ObjectReader reader = directory.store().open(path)) {
      long offset = file.getOffset();
      long size = file.getSize();
      boolean inside = offset >= 0 && size >= 0 && size <= Integer.MAX_VALUE;
      if (!inside || offset > reader.size() - size) {
        throw new CorruptFileException(
            path,
            -1,
            "there are not "
                + Long.toUnsignedString(size)
                + " bytes at "
                + Long.toUnsignedString(offset));
      }
      return FragmentReuseMessages.parse(reader.read(offset, (int) size), path);
    } catch (ObjectNotFoundException e) {
      throw new CorruptFileException(path, -1, "the fragment reuse index lacks its file", e);
    }
  }

  /** Makes an entry, and writes its file if it needs one. */
  public static IndexMetadata write(
      Table table, FragmentReuse reuse, long datasetVersion, RoaringBitmap fragments) {
    UUID uuid = UUID.randomUUID();
    return new IndexMetadata(
            uuid,
            List.of(),
            IndexMetadata.FRAGMENT_REUSE,
            datasetVersion,
            ByteString.EMPTY,
            Optional.of(new IndexDetails(TYPE_URL, details(table, uuid, reuse).toByteString())),
            OptionalInt.of(0),
            OptionalLong.of(System.currentTimeMillis()),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance())
        .withFragments(fragments);
  }

  private static FragmentReuseIndexDetails details(Table table, UUID uuid, FragmentReuse reuse) {
    FragmentReuseIndexDetails.InlineContent content = FragmentReuseMessages.toMessage(reuse);
    int size = content.getSerializedSize();
    FragmentReuseIndexDetails.Builder details = FragmentReuseIndexDetails.newBuilder();
    if (size <= MAX_INLINE_BYTES) {
      return details.setInline(content).build();
    }
    table.store().put(path(table, uuid), ByteBuffer.wrap(content.toByteArray()));
    return details
        .setExternal(TableProto.ExternalFile.newBuilder().setPath(FILE).setSize(size))
        .build();
  }

  /** Removes the file of an entry, if it has one and that is possible. */
  public static void discard(Table table, IndexMetadata entry) {
    try {
      Optional<String> file = file(table, entry);
      file.ifPresent(table.store()::delete);
    } catch (UncheckedIOException e) {
      LOG.debug("could not remove the file of {}, which a clean-up will", entry.uuid(), e);
    }
  }

  /** The file of an entry, if it has one in the table's own root. */
  static Optional<String> file(Table table, IndexMetadata entry) {
    String path = path(table, entry.uuid());
    return entry.baseId().isEmpty() && table.store().exists(path)
        ? Optional.of(path)
        : Optional.empty();
  }

  private static String path(Table table, UUID uuid) {
    return table.indexPath(uuid) + "/" + FILE;
  }
}
