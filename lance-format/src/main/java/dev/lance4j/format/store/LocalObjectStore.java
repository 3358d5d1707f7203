package dev.lance4j.format.store;

import dev.lance4j.format.UnsupportedFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files of the local disk. Reads are memory-mapped. An object is written to a temporary file beside
 * its final name and renamed; put-if-absent makes a hard link, which only one of any number of
 * processes can.
 */
public final class LocalObjectStore implements ObjectStore {
  private static final String TEMPORARY_PREFIX = ".tmp";

  @Override
  public ObjectReader open(String path) {
    return LocalObjectReader.open(path);
  }

  @Override
  public ObjectInfo stat(String path) {
    try {
      Path file = Path.of(path);
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new ObjectNotFoundException(path);
      }
      return info(path, attributes);
    } catch (NoSuchFileException e) {
      throw new ObjectNotFoundException(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectInfo info(String path, BasicFileAttributes attributes) {
    String eTag =
        Integer.toHexString(Objects.hashCode(attributes.fileKey()))
            + '-'
            + Long.toHexString(attributes.lastModifiedTime().toMillis())
            + '-'
            + Long.toHexString(attributes.size());
    return new ObjectInfo(path, attributes.size(), attributes.lastModifiedTime().toInstant(), eTag);
  }

  @Override
  public boolean exists(String path) {
    return Files.isRegularFile(Path.of(path));
  }

  @Override
  public ObjectWriter create(String path) {
    return new LocalObjectWriter(path, temporary(path));
  }

  private static Path temporary(String path) {
    Path target = Path.of(path);
    return target.resolveSibling(TEMPORARY_PREFIX + UUID.randomUUID());
  }

  // To put a new file in the place of an old one takes ten times as long: file systems write its
  // data through to the disk first.
  @Override
  public void putHint(String path, ByteBuffer content) {
    int length = content.remaining();
    try (FileChannel channel =
        FileChannel.open(Path.of(path), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (content.hasRemaining()) {
        channel.write(content);
      }
      channel.truncate(length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer content) {
    Path target = Path.of(path);
    if (Files.exists(target)) {
      return false;
    }
    try (LocalObjectWriter writer = new LocalObjectWriter(path, temporary(path))) {
      writer.write(content);
      return writer.linkIfAbsent();
    }
  }

  @Override
  public ConditionalPut conditionalPut() {
    return ConditionalPut.ATOMIC;
  }

  @Override
  public void delete(String path) {
    try {
      Files.deleteIfExists(Path.of(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void list(String directory, Predicate<String> visitor) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(directory))) {
      for (Path entry : entries) {
        if (!visitor.test(entry.getFileName().toString())) {
          return;
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void walk(String directory, Consumer<ObjectInfo> visitor) {
    Path root = Path.of(directory);
    if (!Files.isDirectory(root)) {
      return;
    }
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              visitor.accept(info(file.toString().replace('\\', '/'), attributes));
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw e;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the directory too. */
  @Override
  public void deleteAll(String directory) {
    ObjectStore.super.deleteAll(directory);
    Path root = Path.of(directory);
    if (!Files.isDirectory(root)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean listsInOrder() {
    return false;
  }

  /** Writes a temporary file that is renamed or linked to its final name when complete. */
  private static final class LocalObjectWriter implements ObjectWriter {
    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private long position;
    private boolean moved;

    LocalObjectWriter(String path, Path temporary) {
      this.target = Path.of(path);
      this.temporary = temporary;
      this.channel = openNew(temporary);
    }

    private static FileChannel openNew(Path file) {
      try {
        try {
          return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
          Files.createDirectories(file.getParent());
          return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String path() {
      return target.toString();
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void write(ByteBuffer bytes) {
      try {
        while (bytes.hasRemaining()) {
          position += channel.write(bytes);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void commit() {
      try {
        channel.close();
        Files.move(
            temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        moved = true;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    boolean linkIfAbsent() {
      try {
        channel.close();
        Files.createLink(target, temporary);
        return true;
      } catch (FileAlreadyExistsException e) {
        return false;
      } catch (UnsupportedOperationException e) {
        throw new UnsupportedFormatException(
            "The file system of "
                + target
                + " has no hard links, which commits need to be atomic between processes",
            e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
        if (!moved) {
          Files.deleteIfExists(temporary);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
