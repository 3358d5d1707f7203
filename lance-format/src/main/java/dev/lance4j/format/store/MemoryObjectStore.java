package dev.lance4j.format.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Objects on the heap of this process. */
public final class MemoryObjectStore implements ObjectStore {
  private record Entry(ByteBuffer content, Instant written, long generation) {}

  private final ConcurrentNavigableMap<String, Entry> objects = new ConcurrentSkipListMap<>();
  private final AtomicLong generations = new AtomicLong();

  @Override
  public ObjectReader open(String path) {
    return new MemoryObjectReader(path, entry(path).content());
  }

  private Entry entry(String path) {
    Entry entry = objects.get(path);
    if (entry == null) {
      throw new ObjectNotFoundException(path);
    }
    return entry;
  }

  @Override
  public ObjectInfo stat(String path) {
    return info(path, entry(path));
  }

  private static ObjectInfo info(String path, Entry entry) {
    return new ObjectInfo(
        path, entry.content().capacity(), entry.written(), Long.toString(entry.generation()));
  }

  @Override
  public boolean exists(String path) {
    return objects.containsKey(path);
  }

  @Override
  public ObjectWriter create(String path) {
    return new MemoryObjectWriter(path);
  }

  private Entry newEntry(byte[] content) {
    return new Entry(ByteBuffer.wrap(content), Instant.now(), generations.incrementAndGet());
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return objects.putIfAbsent(path, newEntry(bytes)) == null;
  }

  @Override
  public ConditionalPut conditionalPut() {
    return ConditionalPut.ATOMIC;
  }

  @Override
  public void delete(String path) {
    objects.remove(path);
  }

  @Override
  public void list(String directory, Predicate<String> visitor) {
    String prefix = directory + '/';
    for (String path : below(prefix).keySet()) {
      String name = path.substring(prefix.length());
      if (name.indexOf('/') < 0 && !visitor.test(name)) {
        return;
      }
    }
  }

  @Override
  public void walk(String directory, Consumer<ObjectInfo> visitor) {
    below(directory + '/').forEach((path, entry) -> visitor.accept(info(path, entry)));
  }

  private ConcurrentNavigableMap<String, Entry> below(String prefix) {
    return objects.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
  }

  @Override
  public boolean listsInOrder() {
    return true;
  }

  private static final class MemoryObjectReader implements ObjectReader {
    private final String path;
    private final ByteBuffer content;

    MemoryObjectReader(String path, ByteBuffer content) {
      this.path = path;
      this.content = content;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long size() {
      return content.capacity();
    }

    @Override
    public ByteBuffer read(long offset, int length) {
      Objects.checkFromIndexSize(offset, length, size());
      return content.slice((int) offset, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public List<ByteBuffer> read(List<ByteRange> ranges) {
      List<ByteBuffer> buffers = new ArrayList<>(ranges.size());
      for (ByteRange range : ranges) {
        buffers.add(read(range.offset(), range.length()));
      }
      return buffers;
    }

    @Override
    public void close() {}
  }

  private final class MemoryObjectWriter implements ObjectWriter {
    private final String path;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    MemoryObjectWriter(String path) {
      this.path = path;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long position() {
      return content.size();
    }

    @Override
    public void write(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      content.write(copy, 0, copy.length);
    }

    @Override
    public void commit() {
      objects.put(path, newEntry(content.toByteArray()));
    }

    @Override
    public void close() {}
  }
}
