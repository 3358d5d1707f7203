package dev.lance4j.table.internal;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The bytes of a manifest's file: perhaps an index section and a transaction section, then the
 * manifest, each a message after its length, and a footer with the manifest's position.
 */
public final class ManifestFile {
  private static final int TAIL_BYTES = 64 << 10;
  private static final int FOOTER_BYTES = 16;
  private static final int LENGTH_BYTES = 4;
  private static final int MAJOR_VERSION = 0;
  private static final int MINOR_VERSION = 2;
  // "LANC" in the order of the bytes.
  private static final int MAGIC = 0x434E_414C;

  private final String path;
  private final Manifest manifest;
  private final OptionalLong indexSection;
  private final OptionalLong transactionSection;
  private final long tailStart;
  private final ByteBuffer tail;

  private ManifestFile(
      String path,
      Manifest manifest,
      OptionalLong indexSection,
      OptionalLong transactionSection,
      long tailStart,
      ByteBuffer tail) {
    this.path = path;
    this.manifest = manifest;
    this.indexSection = indexSection;
    this.transactionSection = transactionSection;
    this.tailStart = tailStart;
    this.tail = tail;
  }

  /**
   * Reads the manifest, with one request unless it is large.
   *
   * @throws CorruptFileException if the bytes are no manifest
   * @throws dev.lance4j.format.UnsupportedFormatException if the table uses what this version does
   *     not know
   */
  public static ManifestFile read(ObjectReader reader) {
    String path = reader.path();
    long size = reader.size();
    if (size < FOOTER_BYTES) {
      throw new CorruptFileException(
          path, -1, "a manifest has at least " + FOOTER_BYTES + " bytes, this has " + size);
    }
    int tailLength = (int) Math.min(size, TAIL_BYTES);
    long tailStart = size - tailLength;
    ByteBuffer tail = reader.read(tailStart, tailLength);
    long position = position(tail, path, size);
    if (position < tailStart) {
      tailStart = position;
      tail = reader.read(position, toLength(size - position, path, position));
    }
    return parse(path, size, position, tailStart, tail);
  }

  /**
   * Parses a manifest that is in memory as a whole.
   *
   * @param path where the bytes are from
   */
  public static ManifestFile parse(ByteBuffer bytes, String path) {
    ByteBuffer whole = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    long size = whole.capacity();
    return parse(path, size, position(whole, path, size), 0, whole);
  }

  private static ManifestFile parse(
      String path, long size, long position, long tailStart, ByteBuffer tail) {
    int start = (int) (position - tailStart);
    long length = Integer.toUnsignedLong(tail.getInt(start));
    if (position + LENGTH_BYTES + length + FOOTER_BYTES != size) {
      throw new CorruptFileException(
          path,
          position,
          "the manifest's length " + length + " does not match the file's size " + size);
    }
    ByteBuffer bytes = tail.slice(start + LENGTH_BYTES, (int) length);
    TableProto.Manifest message = parse(TableProto.Manifest.parser(), bytes, path, position);
    return new ManifestFile(
        path,
        ManifestMessages.fromMessage(message, path),
        message.hasIndexSection()
            ? OptionalLong.of(message.getIndexSection())
            : OptionalLong.empty(),
        message.hasTransactionSection()
            ? OptionalLong.of(message.getTransactionSection())
            : OptionalLong.empty(),
        tailStart,
        tail);
  }

  /**
   * A file that has just been made.
   *
   * @param bytes what {@link #write} made of the manifest
   */
  public static ManifestFile written(Manifest manifest, ByteBuffer bytes, String path) {
    ByteBuffer whole = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    int position = (int) position(whole, path, whole.capacity());
    int first = LENGTH_BYTES + whole.getInt(0);
    boolean hasIndices = first < position;
    return new ManifestFile(
        path,
        manifest,
        hasIndices ? OptionalLong.of(0) : OptionalLong.empty(),
        OptionalLong.of(hasIndices ? first : 0),
        0,
        whole);
  }

  private static long position(ByteBuffer tail, String path, long size) {
    long footer = size - FOOTER_BYTES;
    int at = tail.capacity() - FOOTER_BYTES;
    if (tail.getInt(at + 12) != MAGIC) {
      throw new CorruptFileException(path, footer + 12, "the file does not end with LANC");
    }
    long position = tail.getLong(at);
    if (position < 0 || position > footer - LENGTH_BYTES) {
      throw new CorruptFileException(
          path, footer, "the manifest's position " + position + " is not inside the file");
    }
    return position;
  }

  private static int toLength(long length, String path, long position) {
    if (length > Integer.MAX_VALUE) {
      throw new CorruptFileException(path, position, "a manifest of " + length + " bytes");
    }
    return (int) length;
  }

  private static <T> T parse(Parser<T> parser, ByteBuffer bytes, String path, long position) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path, position, "the message is damaged: " + e.getMessage(), e);
    }
  }

  /** The manifest. */
  public Manifest manifest() {
    return manifest;
  }

  /** Whether the file holds the transaction that led to it. */
  public boolean hasTransaction() {
    return transactionSection.isPresent();
  }

  /**
   * The index segments.
   *
   * @param source opens the file, if the section was not read yet
   */
  public List<IndexMetadata> indices(Source source) {
    if (indexSection.isEmpty()) {
      return List.of();
    }
    long position = indexSection.getAsLong();
    TableProto.IndexSection section =
        parse(TableProto.IndexSection.parser(), section(position, source), path, position);
    return IndexMessages.fromMessages(section.getIndicesList(), path);
  }

  /**
   * The bytes of the transaction, which must be {@linkplain #hasTransaction there}.
   *
   * @param source opens the file, if the section was not read yet
   */
  public ByteBuffer transaction(Source source) {
    return section(transactionSection.getAsLong(), source);
  }

  private ByteBuffer section(long position, Source source) {
    long end = tailStart + tail.capacity() - FOOTER_BYTES;
    if (position < 0 || position > end - LENGTH_BYTES) {
      throw new CorruptFileException(
          path, position, "a section's position is not inside the file of " + end + " bytes");
    }
    if (position >= tailStart) {
      int at = (int) (position - tailStart);
      return tail.slice(at + LENGTH_BYTES, sectionLength(tail.getInt(at), position, end));
    }
    try (ObjectReader reader = source.open()) {
      int length = sectionLength(reader.read(position, LENGTH_BYTES).getInt(0), position, end);
      return reader.read(position + LENGTH_BYTES, length);
    }
  }

  private int sectionLength(int length, long position, long end) {
    if (length < 0 || position + LENGTH_BYTES + length > end) {
      throw new CorruptFileException(
          path,
          position,
          "a section of " + Integer.toUnsignedLong(length) + " bytes does not fit in the file");
    }
    return length;
  }

  /** Opens the manifest's file again. */
  @FunctionalInterface
  public interface Source {
    /** Opens the file; the caller closes it. */
    ObjectReader open();
  }

  /**
   * The bytes of a file.
   *
   * @param transaction the serialised transaction
   */
  public static ByteBuffer write(
      Manifest manifest, List<IndexMetadata> indices, byte[] transaction) {
    return write(manifest, indices, transaction, EncodedFragments.NONE);
  }

  /** The bytes of the file of a version that follows this one; as above. */
  public ByteBuffer writeNext(Manifest next, List<IndexMetadata> indices, byte[] transaction) {
    return write(next, indices, transaction, EncodedFragments.of(manifest.fragments(), message()));
  }

  private ByteBuffer message() {
    int start = (int) (position(tail, path, tailStart + tail.capacity()) - tailStart);
    return tail.slice(start + LENGTH_BYTES, tail.getInt(start));
  }

  private static ByteBuffer write(
      Manifest manifest,
      List<IndexMetadata> indices,
      byte[] transaction,
      EncodedFragments encoded) {
    TableProto.IndexSection section =
        TableProto.IndexSection.newBuilder()
            .addAllIndices(IndexMessages.toMessages(indices))
            .build();
    int indexBytes = indices.isEmpty() ? 0 : LENGTH_BYTES + section.getSerializedSize();
    OptionalLong indexPosition = indices.isEmpty() ? OptionalLong.empty() : OptionalLong.of(0);
    List<ByteBuffer> message = new ArrayList<>();
    message.add(ByteBuffer.wrap(toBytes(ManifestMessages.fields(manifest))));
    message.addAll(encoded.encode(manifest.fragments()));
    message.add(
        ByteBuffer.wrap(
            toBytes(
                ManifestMessages.withoutFragments(
                    manifest, indexPosition, OptionalLong.of(indexBytes)))));
    int messageBytes = 0;
    for (ByteBuffer part : message) {
      messageBytes = Math.addExact(messageBytes, part.remaining());
    }
    int position = indexBytes + LENGTH_BYTES + transaction.length;
    int size = Math.addExact(position + LENGTH_BYTES + FOOTER_BYTES, messageBytes);
    ByteBuffer file = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    if (!indices.isEmpty()) {
      put(section, file);
    }
    file.putInt(transaction.length).put(transaction);
    file.putInt(messageBytes);
    message.forEach(file::put);
    file.putLong(position);
    file.putShort((short) MAJOR_VERSION).putShort((short) MINOR_VERSION).putInt(MAGIC);
    return file.flip();
  }

  private static void put(MessageLite message, ByteBuffer file) {
    byte[] bytes = toBytes(message);
    file.putInt(bytes.length).put(bytes);
  }

  /** Serialises with maps in the order of their keys, so that files are reproducible. */
  static byte[] toBytes(MessageLite message) {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    try {
      message.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }
}
